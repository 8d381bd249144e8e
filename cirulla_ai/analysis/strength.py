"""How strong a player is who throws away so much: the engine's level that does the same.

``strength.json`` beside this module says what each level loses a decision, as ``annotate``
judges it, with the command that measured it.  It holds for the rules and the iterations that
it names, and for no others: what a decision can lose depends on the game, and what is seen of
it on the judge.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import hypot
from typing import Any

from cirulla_ai.analysis.dialect import rounded

__all__ = ["Level", "level_of", "load_table"]


@dataclass(frozen=True)
class Level:
    """A level, and its standard error; ``is_beyond``: it loses less than the highest level of
    the table, or more than the lowest."""

    level: float
    error: float
    is_beyond: bool = False

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect."""
        return {"level": rounded(self.level), "error": rounded(self.error),
                "beyond": self.is_beyond}


def level_of(
    rules: str, limit: tuple[int, int] | None, loss: float, error: float
) -> Level | None:
    """The level that loses so much a decision, in points, with the errors of both.

    ``rules`` as a state string has them, ``limit`` the iterations of both looks.  None where no
    table holds for them.
    """
    table = load_table()
    if rules != table["rules"] or limit != (table["nodes"], table["deep"]):
        return None
    rows = [(float(row["level"]), float(row["loss"]), float(row["loss_error"]))
            for row in table["levels"]]
    levels = [row[0] for row in rows]
    losses = falling([row[1] for row in rows], [row[2] for row in rows])
    own = _level(levels, losses, loss)
    near = min(rows, key=lambda row: abs(row[0] - own))
    both = hypot(error, near[2])
    spread = (_level(levels, losses, loss - both) - _level(levels, losses, loss + both)) / 2
    return Level(own, spread, not losses[-1] <= loss <= losses[0])


@cache
def load_table() -> dict[str, Any]:
    """What was measured: ``rules``, ``nodes``, ``deep``, ``command``, and ``levels`` from the
    lowest up, each with its ``loss`` and ``loss_error``."""
    text = files("cirulla_ai.analysis").joinpath("strength.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def falling(losses: Sequence[float], errors: Sequence[float]) -> list[float]:
    """What was measured, as near as it can be to losses that never rise with the level (pool
    adjacent violators; Ayer and others, 1955)."""
    # Means, weights and how many levels they stand for.
    blocks: list[tuple[float, float, int]] = []
    for loss, error in zip(losses, errors, strict=True):
        block = (loss, 1 / max(error, 1e-9) ** 2, 1)
        while blocks and blocks[-1][0] < block[0]:
            mean, weight, count = blocks.pop()
            both = weight + block[1]
            block = ((mean * weight + block[0] * block[1]) / both, both, count + block[2])
        blocks.append(block)
    return [mean for mean, _, count in blocks for _ in range(count)]


def _level(levels: Sequence[float], losses: Sequence[float], loss: float) -> float:
    """Between the levels that lose more and less; the lowest or highest beyond them."""
    if loss >= losses[0]:
        return levels[0]
    for low, high, more, less in zip(levels, levels[1:], losses, losses[1:], strict=False):
        if loss > less:
            return low + (high - low) * (more - loss) / (more - less)
    return levels[-1]
