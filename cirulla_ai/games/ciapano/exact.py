"""Last tricks of Ciapa No that can be solved instead of sampled."""

from __future__ import annotations

from collections.abc import Sequence

from cirulla_ai._core.ciapano_endgame import solve as solve_tricks
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.contract import InformationSet
from cirulla_ai._core.stop import Stop
from cirulla_ai.games.contract import Solved

__all__ = ["ciapano_exact"]

# Cards in a hand up to which tricks are solved: with one more it takes seconds.
MOST_CARDS = 6


def ciapano_exact(
    core: InformationSet, codes: Sequence[int], deadline: int, stop: Stop
) -> list[Solved] | None:
    """Solve the last tricks of Ciapa No where all cards are known, as ``fishing_exact`` does.

    ``points`` are the mean of the others' less one's own, where all play what is best for
    themselves; where several plays are, ``line`` has the first and ``points`` the mean.
    """
    truth = core.truth()
    if not isinstance(truth, CiapanoPosition) or truth.phase != "play":
        return None
    hand, _ = truth.fields()["hands"][truth.turn]
    if hand.bit_count() > MOST_CARDS:
        return None
    values = solve_tricks(truth, deadline=deadline, stop=stop)
    if values is None:
        return None
    solved = [Solved(code, value, tuple(line)) for code, value, line in values if code in codes]
    return sorted(solved, key=lambda one: -one.points)
