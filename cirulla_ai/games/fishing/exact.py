"""Last rounds of the fishing family that can be solved instead of sampled."""

from __future__ import annotations

from collections.abc import Sequence

from cirulla_ai._core.contract import InformationSet
from cirulla_ai._core.fishing_endgame import is_solvable, solve
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.stop import Stop
from cirulla_ai.games.contract import Solved

__all__ = ["fishing_exact"]

# What winning the match by a cappotto counts where points are solved for: more than any points.
WON = 4000
# Positions that are looked at, at most, some 0.3 s: a count and no time, so that it is solved or
# not whatever else the machine does.
MOST_NODES = 1 << 22


def fishing_exact(
    core: InformationSet, codes: Sequence[int], deadline: int, stop: Stop
) -> list[Solved] | None:
    """Solve the rest of a smazzata where all cards are known, the best action first.

    With two players the last round is such: what nobody has shown is in the other hand.
    None where something is hidden, or it would take more than ``MOST_NODES`` positions or
    beyond ``deadline`` (nanoseconds of the monotonic clock) or is stopped.
    """
    truth = core.truth()
    if not isinstance(truth, FishingPosition) or not is_solvable(truth):
        return None
    values = solve(truth, WON, most_nodes=MOST_NODES, deadline=deadline, stop=stop)
    if values is None:
        return None
    solved = [Solved(code, value, tuple(line)) for code, value, line in values if code in codes]
    return sorted(solved, key=lambda one: -one.points)
