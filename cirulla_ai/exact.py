"""Decisions that can be proved instead of sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cirulla_ai._core.ciapano_endgame import solve as solve_tricks
from cirulla_ai._core.fishing_endgame import is_solvable, solve
from cirulla_ai._core.stop import Stop

__all__ = ["Solved", "ciapano_exact", "fishing_exact"]

# What winning the match by a cappotto counts where points are solved for: more than any points.
WON = 4000
# Positions that are looked at, at most, some 0.3 s: a count and no time, so that it is solved or
# not whatever else the machine does.
MOST_NODES = 1 << 22
# Cards in a hand up to which tricks are solved: with one more it takes seconds.
MOST_CARDS = 6


@dataclass(frozen=True)
class Solved:
    """The proved value of an action.

    ``code`` of the action; ``points`` the side to move gets over the whole smazzata, less
    those of the other, with best play of both; ``line`` the codes of that play, the action
    first, to the end of the smazzata.
    """

    code: int
    points: float
    line: tuple[int, ...]


def fishing_exact(
    core: Any, codes: Sequence[int], deadline: int, stop: Stop
) -> list[Solved] | None:
    """Solve the rest of a smazzata where all cards are known, the best action first.

    With two players the last round is such: what nobody has shown is in the other hand.
    None where something is hidden, or it would take more than ``MOST_NODES`` positions or
    beyond ``deadline`` (nanoseconds of the monotonic clock) or is stopped.
    """
    truth = core.truth()
    if truth is None or not is_solvable(truth):
        return None
    values = solve(truth, WON, most_nodes=MOST_NODES, deadline=deadline, stop=stop)
    if values is None:
        return None
    solved = [Solved(code, value, tuple(line)) for code, value, line in values if code in codes]
    return sorted(solved, key=lambda one: -one.points)


def ciapano_exact(
    core: Any, codes: Sequence[int], deadline: int, stop: Stop
) -> list[Solved] | None:
    """Solve the last tricks of Ciapa No where all cards are known, as ``fishing_exact`` does.

    ``points`` are the mean of the others' less one's own, where all play what is best for
    themselves; where several plays are, ``line`` has the first and ``points`` the mean.
    """
    truth = core.truth()
    if truth is None or truth.phase != "play":
        return None
    hand, _ = truth.fields()["hands"][truth.turn]
    if hand.bit_count() > MOST_CARDS:
        return None
    values = solve_tricks(truth, deadline=deadline, stop=stop)
    if values is None:
        return None
    solved = [Solved(code, value, tuple(line)) for code, value, line in values if code in codes]
    return sorted(solved, key=lambda one: -one.points)
