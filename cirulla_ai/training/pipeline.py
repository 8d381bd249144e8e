"""Training the networks of one rule set, backwards from the end of the smazzata.

The last boundary (the end of the last round but one) is learnt from exact last rounds,
where two sides know all cards there, else from play to the end; each earlier one from
rounds played by the quick policy with the networks of the later ones, whose values stand
in at the round's end.  The states themselves come from whole smazzate that the policy of
the last generation plays; the first generation plays at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cirulla_ai._core.selfplay import SelfPlay
from cirulla_ai._core.value import Value
from cirulla_ai.rules import Rules
from cirulla_ai.training.features import features
from cirulla_ai.training.network import Fit, fit

__all__ = ["Plan", "Step", "train_rules"]


@dataclass(frozen=True)
class Plan:
    """How to train.

    ``samples`` a network, each the mean of ``deals`` deals of the next round; ``epochs``
    over them; ``generations`` of all networks; ``temperature`` of the policy that reaches
    the states, in points; everything follows from ``seed``.  The match equity table is made
    from so many ``smazzate``.
    """

    samples: int = 120_000
    deals: int = 16
    epochs: int = 25
    generations: int = 2
    temperature: float = 0.5
    seed: int = 1
    smazzate: int = 100_000


@dataclass(frozen=True)
class Step:
    """One network that was trained: of which generation and round's end, and how well."""

    generation: int
    round: int
    error: float
    spread: float

    @property
    def explained(self) -> float:
        """The share of the variance of the held-out samples that is explained."""
        return 1 - (self.error / self.spread) ** 2


def train_rules(rules: Rules, plan: Plan, folder: Path) -> Iterator[tuple[Step, list[Any]]]:
    """Train, giving each step with the networks so far (None for those still to come).

    ``folder`` keeps every finished network, so that a run that was stopped goes on; a
    network there that was made by another plan is made again.
    """
    ends = len(rules.rounds) - 1
    before: list[Any] = [None] * ends
    for generation in range(1, plan.generations + 1):
        networks: list[Any] = [None] * ends
        for end in range(ends, 0, -1):
            path = folder / f"{generation}-{end}.npz"
            made = _kept(path, plan)
            if made is None:
                made = _train_one(rules, plan, generation, end, before, networks)
                _keep(path, plan, made)
            networks[end - 1] = made.numbers
            yield Step(generation, end, made.error, made.spread), networks
        before = networks


def _train_one(
    rules: Rules, plan: Plan, generation: int, end: int, before: list[Any], networks: list[Any]
) -> Fit:
    states = np.zeros((plan.samples, 3 + rules.sides), np.uint64)
    points = np.zeros((plan.samples, rules.sides), np.float32)
    # Every network has luck of its own.
    seed = int(np.random.SeedSequence([plan.seed, generation, end]).generate_state(1)[0])
    earlier = _value(rules, before)
    later = _value(rules, networks) if end < len(networks) else earlier
    SelfPlay(rules.table, earlier, plan.temperature, seed).states(
        end, plan.deals, later, states, points)
    _, hidden, _ = Value.shape(rules.sides)
    return fit(features(states, rules.sides), points, hidden, plan.epochs, seed)


def _value(rules: Rules, networks: list[Any]) -> Value | None:
    known: list[NDArray[np.float32]] = [net for net in networks if net is not None]
    if not known:
        return None
    # Those that are not there yet are of rounds that will not be looked at.
    return Value(rules.table, [known[0] if net is None else net for net in networks])


def _keep(path: Path, plan: Plan, made: Fit) -> None:
    unfinished = path.with_suffix(".tmp")
    with unfinished.open("wb") as file:
        np.savez(file, numbers=made.numbers, result=[made.error, made.spread], plan=[repr(plan)])
    unfinished.replace(path)


def _kept(path: Path, plan: Plan) -> Fit | None:
    if not path.exists():
        return None
    with np.load(path) as kept:
        if str(kept["plan"][0]) != repr(plan):
            return None
        error, spread = map(float, kept["result"])
        return Fit(kept["numbers"], error, spread)


def results(rules: Rules, plan: Plan, networks: list[Any]) -> dict[str, Any]:
    """How smazzate end, for the match equity table: see ``Equity``."""
    points = np.zeros((plan.smazzate, rules.sides + 1), np.int32)
    expected = np.zeros((plan.smazzate, len(rules.rounds) - 1, rules.sides), np.float32)
    SelfPlay(rules.table, _value(rules, networks), 0, plan.seed).results(points, expected)
    won = points[:, rules.sides]
    played = won == 0
    outcomes, counts = np.unique(points[played, :2], axis=0, return_counts=True)
    wrong = points[played, None, :2] - expected[played, :, :2]
    spreads = [
        (float(c[0, 0]), float(c[1, 1]), float(c[0, 1]))
        for c in (np.cov(wrong[:, k].T) for k in range(wrong.shape[1] - 1, -1, -1))
    ]
    return {
        "smazzate": plan.smazzate,
        "points": [[int(a), int(b), int(n)]
                   for (a, b), n in zip(outcomes, counts, strict=True)],
        "outright": [int((won == 1).sum()), int((won == 2).sum())],
        "spreads": [[round(x, 3) for x in row] for row in spreads],
    }


def facts(plan: Plan, steps: list[Step]) -> dict[str, Any]:
    """What an evaluation file says of how its networks were made."""
    last = [step for step in steps if step.generation == plan.generations]
    return {
        "plan": asdict(plan),
        "held_out": {
            str(step.round): {"error": round(step.error, 3), "spread": round(step.spread, 3)}
            for step in sorted(last, key=lambda step: step.round)
        },
    }
