"""Match equity tables against matches whose chances are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import comb

import pytest

from cirulla_ai._core.equity import Equity

# Either side gets the one point of a smazzata with the same chance, whoever deals.
COIN = [(1, 0, 1), (0, 1, 1)]


def table(target: int, results: Sequence[tuple[int, int, float]], **rest: object) -> Equity:
    return Equity(2, target, False, 5.0, 8.0, list(results), **rest)  # type: ignore[arg-type]


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
    for scores in ([3.0, 3.0], [7.0, 7.0]):
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
    equity = table(10, COIN, spreads=[(4.0, 0.0, 0.0, 4.0)])
    between, within = (equity.chances([9.0, 5.0], 0, -1, left)[0][0] for left in (0, 1))
    assert 0.5 < within < between
    assert equity.chances([6.0, 6.0], 0, -1, 1)[0][0] == pytest.approx(0.5, abs=1e-9)
    # Expected scores between whole ones lie between those.
    low, half, high = (equity.chances([x, 6.0], 0, -1, 1)[0][0] for x in (5.0, 5.5, 6.0))
    assert half == pytest.approx((low + high) / 2)


def three(target: int, results: list[tuple[float, ...]], **rest: object) -> Equity:
    return Equity(3, target, False, 5.0, 8.0, list(results), **rest)  # type: ignore[arg-type]


# One of three gets the one point of a smazzata, whoever deals.
DIE: list[tuple[float, ...]] = [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)]


@cache
def needed(a: int, b: int, c: int) -> float:
    """The first side's chance where the three still need so many of equally likely points."""
    if min(a, b, c) == 0:
        return float(a == 0)
    return (needed(a - 1, b, c) + needed(a, b - 1, c) + needed(a, b, c - 1)) / 3


@pytest.mark.parametrize("scores", [[0, 0, 0], [3, 1, 2], [1, 4, 4], [4, 0, 3]])
def test_three_sides_and_a_fair_die(scores: list[float]) -> None:
    target = 5
    a, b, c = (target - int(score) for score in scores)
    expected = [needed(a, b, c), needed(b, c, a), needed(c, a, b)]
    assert sum(expected) == pytest.approx(1)
    for dealer in range(3):
        chances, winners = three(target, DIE).chances(scores, dealer)
        assert chances == pytest.approx(expected)
        assert winners == 0


def test_of_three_sides_the_deal_goes_round() -> None:
    # The leader wins the one point: the side two after the last dealer, then the last dealer.
    leads: list[tuple[float, ...]] = [(1, 0, 0, 1)]
    assert three(1, leads).chances([0, 0, 0], 0)[0] == [0, 0, 1]
    # To three, the three sides get a point each in turn; the first to lead is the first at three.
    for dealer in range(3):
        chances = three(3, leads).chances([0, 0, 0], dealer)[0]
        assert chances == [side == (dealer + 2) % 3 for side in range(3)]
    # The dealer's next neighbour is one short and leads next: it need not wait.
    assert three(3, leads).chances([2, 0, 2], 0)[0] == [0, 0, 1]
    assert three(3, leads).chances([2, 0, 1], 0)[0] == [1, 0, 0]


def test_smazzate_without_points_change_who_leads() -> None:
    # Half of them bring nothing, in the others the leader wins.
    equity = three(1, [(1, 0, 0, 1), (0, 0, 0, 1)])
    # The chances of the leader, the next and the dealer are 4/7, 2/7, 1/7.
    assert equity.chances([0, 0, 0], 1)[0] == pytest.approx([4 / 7, 2 / 7, 1 / 7])


def test_three_sides_at_the_target_and_outright() -> None:
    equity = three(51, DIE)
    assert equity.chances([51, 50, 52], 0) == ([0, 0, 1], 4)
    # Level above the target goes on, an even chance for those that are level.
    assert equity.chances([51, 51, 0], 0) == ([0.5, 0.5, 0], 0)
    assert equity.chances([0, 50, 0], 0, 0) == ([1, 0, 0], 1)
    # Every second smazzata is won outright by the dealer; points hardly matter.
    equity = three(1000, DIE, outright=(0, 0, 3))
    assert equity.chances([0, 0, 0], 2)[0] == pytest.approx([4 / 7, 2 / 7, 1 / 7], abs=1e-6)


# Points of the three in a smazzata, all alike likely.
SHARES = [order for points in ((5, 2, 1), (4, 3, 0), (6, 1, 3), (2, 7, 4), (3, 0, 1), (9, 2, 4))
          for order in permutations(points)]


@cache
def in_shares(target: int, a: int, b: int, c: int) -> tuple[float, float, float]:
    """The chances in such a match, by recursion over all scores."""
    scores = (a, b, c)
    best = max(scores)
    if best >= target:
        n = scores.count(best)
        return tuple((score == best) / n for score in scores)  # type: ignore[return-value]
    each = [in_shares(target, a + x, b + y, c + z) for x, y, z in SHARES]
    return tuple(sum(chances) / len(each) for chances in zip(*each, strict=True))


@pytest.mark.parametrize("target", [11, 51])
def test_a_table_of_some_scores_is_near_the_chances_of_all(target: int) -> None:
    equity = three(target, [(*order, 1) for order in SHARES])
    for back in ((3, 3, 3), (2, 8, 5), (9, 4, 6), (11, 11, 10), (1, 1, 7)):
        scores = [target - short for short in back]
        chances, _ = equity.chances([float(score) for score in scores], 1)
        assert sum(chances) == pytest.approx(1)
        assert chances == pytest.approx(in_shares(target, *scores), abs=0.035), scores


def test_of_three_sides_too_what_is_to_come_blurs() -> None:
    alike = [4.0, 0, 0, 0, 4.0, 0, 0, 0, 4.0]
    equity = three(10, DIE, spreads=[tuple(alike)])
    between, within = (equity.chances([9.0, 5.0, 5.0], 0, -1, left)[0][0] for left in (0, 1))
    assert 1 / 3 < within < between
    assert equity.chances([6.0, 6.0, 6.0], 0, -1, 1)[0] == pytest.approx([1 / 3] * 3)
    # Only the leader's points are uncertain: it gains or loses, the dealer is as it was.
    chances = three(10, DIE, spreads=[(9.0, *[0.0] * 8)]).chances([5, 9, 5], 0, -1, 1)[0]
    assert chances[1] < equity.chances([5, 9, 5], 0)[0][1]
    assert chances[0] == pytest.approx(chances[2], abs=1e-9)
    # Side 1 leads where side 0 deals.
    other = three(10, DIE, spreads=[(9.0, *[0.0] * 8)]).chances([9, 5, 5], 0, -1, 1)[0]
    assert other[0] != pytest.approx(chances[1], abs=1e-3)


def test_three_sides_race() -> None:
    chances, won = Equity(3, 51, False, 5.0, 8.0).chances([40, 20, 20], 0)
    assert won == 0
    assert sum(chances) == pytest.approx(1)
    assert chances[0] > 0.8 and chances[1] == pytest.approx(chances[2])
    # Few points are good: at the target the fewest win, and share.
    assert Equity(3, 31, True, 11.0, 6.0).chances([31, 7, 7], 0) == ([0, 0.5, 0.5], 6)


def by_the_book(
    target: int, results: list[tuple[int, int, float]], outright: tuple[float, float]
) -> dict[tuple[int, int, int], float]:
    """Side 0's chance by scores and the side that dealt last, one after the other and each as a
    sum in the order of the results."""
    total = float(sum(outright))
    for *_, often in results:
        total += often
    level = [0.5, 0.5]
    chances: dict[tuple[int, int, int], float] = {}

    def after(dealer: int, a: int, b: int) -> float:
        if max(a, b) < target:
            return chances.get((a, b, dealer), 0.0)
        # No more than 39 points beyond the target are told apart.
        a, b = min(a, target + 39), min(b, target + 39)
        return level[dealer] if a == b else float(a > b)

    for _ in range(64):
        for d in range(2):
            won, stay = outright[d] / total, 0.0
            for row in results:
                x, y = row[d], row[1 - d]
                won += row[2] / total if x > y else 0
                stay += row[2] / total if x == y else 0
            level[d] = won + stay * level[1 - d]
    for both in range(2 * target - 2, -1, -1):
        for a in range(max(0, both - target + 1), min(target, both + 1)):
            # Twice, for the smazzata in which nobody scores.
            for d in (0, 1, 0, 1):
                chance = outright[d] / total
                for x, y, often in results:
                    won_a, won_b = (y, x) if d else (x, y)
                    chance += often / total * after(1 - d, a + won_a, both - a + won_b)
                chances[a, both - a, d] = chance
    return chances


@pytest.mark.parametrize(("target", "results", "outright"), [
    (1, COIN, (0, 0)),
    (21, [(0, 3, 7), (1, 2, 11), (2, 9, 3), (5, 1, 13), (70, 2, 0.5), (2, 60, 0.25)], (1, 2)),
    (37, [(3, 0, 5), (0, 0, 4), (0, 2, 6), (1, 1, 2), (900, 900, 1)], (0.5, 0)),
])
def test_a_table_is_the_same_to_the_last_bit_however_it_is_made(
    target: int, results: list[tuple[int, int, float]], outright: tuple[float, float]
) -> None:
    equity = table(target, results, outright=outright)
    for (a, b, dealer), chance in by_the_book(target, results, outright).items():
        assert equity.chances([a, b], dealer)[0][0] == chance


def test_a_spread_is_a_mean_over_the_scores_around_to_the_last_bit() -> None:
    # Without any variance all of the 121 places weigh the same, a point from one to the next.
    results: list[tuple[int, int, float]] = [(0, 3, 7), (1, 2, 11), (5, 1, 13)]
    equity = table(21, results, spreads=[(0.0, 0.0, 0.0, 0.0), (1e6, 0.0, 0.0, 1e6)])
    steps = range(-5, 6)
    for dealer in range(2):
        for a, b in ((0, 0), (20, 3), (7, 19), (2, 11)):
            total = 0.0
            for i in steps:
                for j in steps:
                    x, y = (a + j, b + i) if dealer == 0 else (a + i, b + j)
                    total += equity.chances([max(0, x), max(0, y)], dealer)[0][0]
            assert equity.chances([a, b], dealer, -1, 1)[0][0] == total / 121
            # Wider than the table.
            assert 0 < equity.chances([a, b], dealer, -1, 2)[0][0] < 1
