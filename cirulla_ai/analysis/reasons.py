"""Why one play is better than another: both rolled out in the same worlds, item by item."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from cirulla_ai.action import Action
from cirulla_ai.analysis.dialect import rounded
from cirulla_ai.analysis.rollout import Rollout, rollout, why
from cirulla_ai.analysis.words import in_words
from cirulla_ai.engine.engine import Engine
from cirulla_ai.history import History
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.state import State

__all__ = ["TRIALS", "Reasons", "reasons"]

# Enough for items to a tenth of a point, in a moment.
TRIALS = 1296


@dataclass(frozen=True)
class Reasons:
    """What ``chosen`` brings more than ``best``, and less: by item, in points.

    A rollout's numbers, by its own way to play on; a search may see it a little otherwise.
    """

    rolled: Rollout
    chosen: Action
    best: Action

    @property
    def items(self) -> dict[str, float]:
        """Signed points by scoring item, that add up to the difference."""
        return why(self.rolled, self.chosen, self.best)

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return max(self.rolled.of(self.chosen).loss_error, self.rolled.of(self.best).loss_error)

    def __str__(self) -> str:
        total = f"{sum(self.items.values()):+.2f}".replace("-", "−")
        return (f"{self.chosen} against {self.best}, played on {self.rolled.trials:,} times: "
                f"{in_words(self.items)}; in all {total} ± {self.error:.2f}.")

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect, as a part of an analysis."""
        items = {name: rounded(points) for name, points in self.items.items()}
        return {"action": str(self.chosen), "best": str(self.best),
                "points": rounded(sum(items.values())), "error": rounded(self.error),
                "trials": self.rolled.trials, "policy": self.rolled.policy, "items": items}


def reasons(
    state: State | Knowledge | History,
    chosen: Action | str,
    best: Action | str,
    *,
    engine: Engine | None = None,
    trials: int = TRIALS,
    seed: int = 1,
) -> Reasons:
    """Play both on in the same worlds.

    ``engine`` lends its evaluation file, and whether worlds come as likely as what was seen
    makes them.  Raises ValueError as ``rollout`` does, and where both are the same.
    """
    chosen, best = Action(chosen), Action(best)
    if chosen == best:
        raise ValueError(f"{chosen} is compared with itself")
    options = (engine or Engine()).options
    rolled = rollout(
        state, actions=[chosen, best], trials=trials, minimum=trials, until=inf, seed=seed,
        inference=bool(options["Inference"]), evaluation=str(options["EvalFile"]))
    return Reasons(rolled, chosen, best)
