"""Match equity tables against matches whose chances are known."""

from __future__ import annotations

from math import comb

import pytest

from cirulla_ai._core.equity import Equity

# Either side gets the one point of a smazzata with the same chance, whoever deals.
COIN = [(1, 0, 1), (0, 1, 1)]


def table(target: int, results: list[tuple[int, int, float]], **rest: object) -> Equity:
    return Equity(2, target, False, 5.0, 8.0, results, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(("a", "b"), [(0, 0), (3, 1), (1, 4), (4, 4)])
def test_a_fair_coin_gives_the_problem_of_points(a: int, b: int) -> None:
    target = 5
    mine, theirs = target - a, target - b
    # Pascal and Fermat: of the next mine + theirs - 1 points I win at least mine.
    n = mine + theirs - 1
    expected = sum(comb(n, k) for k in range(mine, n + 1)) / 2 ** n
    for dealer in (0, 1):
        (chance, other), winners = table(target, COIN).chances([a, b], dealer)
        assert chance == pytest.approx(expected)
        assert chance + other == pytest.approx(1)
        assert winners == 0


def test_the_leader_s_advantage_goes_with_the_deal() -> None:
    # Whoever leads wins the one point: the side that dealt last leads next.
    always = table(1, [(1, 0, 1)])
    assert always.chances([0, 0], 0)[0] == [1, 0]
    assert always.chances([0, 0], 1)[0] == [0, 1]


@pytest.mark.parametrize(("scores", "winners"), [([51, 50], 1), ([60, 61], 2), ([50, 50], 0)])
def test_the_target_decides_and_of_two_above_it_the_higher(
    scores: list[float], winners: int
) -> None:
    chances, won = table(51, COIN).chances(scores, 0)
    assert won == winners
    if won:
        assert chances == [won == 1, won == 2]


def test_level_above_the_target_goes_on_and_the_next_difference_decides() -> None:
    # The leader wins two of three smazzate, and none is level.
    equity = table(3, [(1, 0, 2), (0, 1, 1)])
    for scores in ([3, 3], [7, 7]):
        chances, won = equity.chances(scores, 0)
        assert won == 0
        assert chances == pytest.approx([2 / 3, 1 / 3])
    # Level smazzate change the leader: x = 1/2 + 1/4 (1 - x), where a quarter are lost.
    equity = table(3, [(1, 0, 2), (0, 0, 1), (0, 1, 1)])
    assert equity.chances([3, 3], 0)[0][0] == pytest.approx(0.6)


def test_a_match_won_outright_counts_whatever_the_scores() -> None:
    assert table(51, COIN).chances([0, 50], 0, 0) == ([1, 0], 1)
    # Half of all smazzate win the match at once for the leader.
    equity = table(1000, COIN, outright=(2, 0))
    first = equity.chances([0, 0], 0)[0][0]
    assert first == pytest.approx(2 / 3, abs=1e-6)


def test_what_is_to_come_of_a_smazzata_blurs_the_table() -> None:
    equity = table(10, COIN, spreads=[(4.0, 4.0, 0.0)])
    between, within = (equity.chances([9.0, 5.0], 0, -1, left)[0][0] for left in (0, 1))
    assert 0.5 < within < between
    assert equity.chances([6.0, 6.0], 0, -1, 1)[0][0] == pytest.approx(0.5, abs=1e-9)
    # Expected scores between whole ones lie between those.
    low, half, high = (equity.chances([x, 6.0], 0, -1, 1)[0][0] for x in (5.0, 5.5, 6.0))
    assert half == pytest.approx((low + high) / 2)


def test_three_sides_race() -> None:
    chances, won = Equity(3, 51, False, 5.0, 8.0).chances([40, 20, 20], 0)
    assert won == 0
    assert sum(chances) == pytest.approx(1)
    assert chances[0] > 0.8 and chances[1] == pytest.approx(chances[2])
    # Few points are good: at the target the fewest win, and share.
    assert Equity(3, 31, True, 11.0, 6.0).chances([31, 7, 7], 0) == ([0, 0.5, 0.5], 6)
