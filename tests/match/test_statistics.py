"""Statistics of deal sets: worked by hand, at the ends, and over known distributions.

The simulations have fixed seeds: their rates are compared with what they should be, plus
what chance may add to so many runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations
from math import exp, isfinite, log, sqrt
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from cirulla_ai.tournament.statistics import (
    Bounds,
    EloSprt,
    PointsSprt,
    Rating,
    Ratings,
    Scores,
    SetResult,
    Tally,
    score_of,
)
from cirulla_ai.tournament.statistics.sprt import deviation_of, likeliest
from cirulla_ai.tournament.statistics.student import t_cdf, t_quantile

Array = npt.NDArray[np.float64]


def tally_of(sets: Sequence[Sequence[float]]) -> Tally:
    tally = Tally(len(sets[0]) if sets else 2)
    for differences in sets:
        tally.add(differences)
    return tally


def tally_of_array(sets: Array) -> Tally:
    """The tally of many pairs of whole numbers, by arrays: simulations need a lot of them."""
    totals = sets.sum(axis=1)

    def by_sign(values: Array) -> list[int]:
        return [int((np.sign(values) == sign).sum()) for sign in (0, 1, -1)]

    tally = Tally()
    counts = np.bincount((1 + np.sign(sets)).sum(axis=1).astype(int), minlength=5)
    tally.scores = Scores.of(counts.tolist())
    tally.sets_by_sign, tally.games_by_sign = by_sign(totals), by_sign(sets)
    tally.sums = [Fraction(total) for total in sets.sum(axis=0).tolist()]
    tally.squares = [Fraction(total) for total in (sets**2).sum(axis=0).tolist()]
    tally.set_squares = Fraction(float((totals**2).sum()))
    return tally


def pair(a: str, b: str, first: tuple[float, float], second: tuple[float, float]) -> SetResult:
    """Two games of two sides; ``second`` is in the order of the sides, b before a."""
    return SetResult(((a, b), (b, a)), (first, second))


def elo_of(score: float) -> float:
    """The Elo difference of an expected score, 0 < score < 1, by the logistic model."""
    return 400 * log(score / (1 - score), 10)


def numbers(value: Any) -> Iterator[float]:
    """Every number in a result."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, (int, float)):
        yield value


def check_finite(result: Any) -> None:
    """Finite throughout, and what JSON can hold."""
    plain = asdict(result)
    assert all(isfinite(number) for number in numbers(plain))
    assert json.loads(json.dumps(plain, allow_nan=False)) is not None


def check_all_finite(table: Sequence[Rating]) -> None:
    for rating in table:
        check_finite(rating)


# --- Student's t ----------------------------------------------------------------------

@pytest.mark.parametrize(("freedom", "p", "t"), [
    # Tables of the t distribution as they stand in every textbook.
    (1, 0.975, 12.7062), (2, 0.975, 4.3027), (3, 0.95, 2.3534), (4, 0.975, 2.7764),
    (10, 0.995, 3.1693), (30, 0.975, 2.0423), (60, 0.9995, 3.4602), (120, 0.975, 1.9799),
    (1000, 0.975, 1.9623), (10**6, 0.975, 1.9600),
])
def test_t_quantiles(freedom: float, p: float, t: float) -> None:
    assert t_quantile(p, freedom) == pytest.approx(t, abs=6e-5)
    assert t_quantile(1 - p, freedom) == pytest.approx(-t, abs=6e-5)
    assert t_cdf(t, freedom) == pytest.approx(p, abs=1e-5)


def test_t_with_two_degrees_of_freedom_has_a_closed_form() -> None:
    for t in (-40.0, -3.0, -0.1, 0.0, 1.0, 7.5):
        assert t_cdf(t, 2) == pytest.approx(0.5 + t / (2 * sqrt(2 + t * t)), abs=1e-12)


# --- a set's result -------------------------------------------------------------------

def test_results_of_two_and_three_seats() -> None:
    # One A against two B, rotated: 6 - 3, 1 - 6.5, 5 - 2.
    one_against_two = SetResult(
        (("A", "B", "B"), ("B", "A", "B"), ("B", "B", "A")), ((6, 2, 4), (9, 1, 4), (3, 1, 5)))
    assert one_against_two.differences("A", "B") == (3, -5.5, 3)
    assert one_against_two.differences("B", "A") == (-3, 5.5, -3)
    assert one_against_two.names == ("A", "B")


@pytest.mark.parametrize(("engines", "points", "says"), [
    ((), (), "one or more"),
    ((("A", "B"),), ((1, 2), (3, 4)), "as many of both"),
    ((("A", "B"),), ((1, 2, 3),), "one of each for every side"),
    ((("A",),), ((1,),), "two sides"),
    ((("A", "B"), ("A", "C")), ((1, 2), (3, 4)), "not in every game"),
    ((("A", "B"),), ((1, float("nan")),), "finite"),
    ((("A", "B"),), ((1, float("inf")),), "finite"),
])
def test_sets_that_are_none(engines: Any, points: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        SetResult(engines, points)
    with pytest.raises(ValueError, match="there are A, B"):
        pair("A", "B", (1, 2), (3, 4)).differences("A", "C")


# --- means ----------------------------------------------------------------------------

def test_a_tally_worked_by_hand() -> None:
    summary = tally_of([(5, -1), (2, 2), (-3, 1)]).summary()
    # The sets' means are 2, 2 and -1: mean 1, variance (1 + 1 + 4) / 2 = 3, error sqrt(3 / 3).
    assert (summary.sets, summary.games) == (3, 6)
    assert (summary.mean, summary.error) == (1, 1)
    assert summary.low == pytest.approx(1 - 4.30265, abs=1e-5)
    assert summary.high == pytest.approx(1 + 4.30265, abs=1e-5)
    assert summary.superiority == pytest.approx(0.5 + 1 / (2 * sqrt(3)))
    assert (summary.won, summary.drawn, summary.lost) == (2, 0, 1)
    assert (summary.games_won, summary.games_drawn, summary.games_lost) == (4, 0, 2)
    assert summary.scores.counts == (0, 0, 2, 0, 1)
    # Variances at the two places 49/3 and 7/3: as independent games (49/3 + 7/3) / 2 / 2.
    assert summary.independent_error == pytest.approx(sqrt(14 / 3 / 3))
    assert summary.saved == pytest.approx((14 / 3) / 3)


def test_the_seats_are_no_part_of_what_is_saved() -> None:
    """A constant that comes and goes with the seats cancels out in either design."""
    plain = tally_of([(5, -1), (2, 2), (-3, 1)]).summary()
    moved = tally_of([(15, -11), (12, -8), (7, -9)]).summary()
    assert (moved.mean, moved.error, moved.saved) == (plain.mean, plain.error, plain.saved)


def test_duplication_saves_what_the_covariance_says() -> None:
    """Cards that are worth four times the variance of play: (1 + 4) / 1 = 5."""
    rng = np.random.default_rng(11)
    tally = Tally()
    for _ in range(4000):
        cards, *play = rng.normal(0, (8, 4, 4)).round().tolist()
        tally.add((1 + cards + play[0], 1 - cards + play[1]))
    summary = tally.summary()
    assert summary.saved == pytest.approx((16 + 64) / 16, rel=0.08)
    assert summary.independent_error == pytest.approx(sqrt(80 / 2 / 4000), rel=0.03)
    assert summary.error == pytest.approx(sqrt(16 / 2 / 4000), rel=0.03)


def test_three_games_a_set() -> None:
    summary = tally_of([(3, -5.5, 3), (1, 1, 1)]).summary()
    # Means 1/6 and 1: mean 7/12, variance (5/6)² / 2.
    assert summary.mean == pytest.approx(7 / 12)
    assert summary.error == pytest.approx(5 / 6 / 2)
    assert summary.scores.counts == (0, 0, 0, 0, 1, 0, 1)


@pytest.mark.parametrize("differences", [(1,), (1, 2, 3), (1, float("nan")), (1, float("inf"))])
def test_a_tally_refuses(differences: tuple[float, ...]) -> None:
    tally = Tally()
    with pytest.raises(ValueError, match=r"finite|2 games"):
        tally.add(differences)
    assert tally.summary() == Tally().summary()
    # Nor is any of it in what comes later.
    tally.add((5, -1))
    tally.add((2, 2))
    assert tally.summary() == tally_of([(5, -1), (2, 2)]).summary()


# --- scores and Elo -------------------------------------------------------------------

def test_the_score_of_an_elo() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    assert score_of(-400) == pytest.approx(1 / 11)
    assert 0.0 <= score_of(-1e308) < score_of(1e308) <= 1.0


def test_scores_worked_by_hand() -> None:
    one = Scores.of([0, 0, 0, 0, 1]).summary()
    # With half a set won and half one lost: mean 3/4, variance (1/16 + ½ 9/16 + ½ 1/16) / 2.
    assert one.score == 1
    assert one.elo == pytest.approx(400 * log(3) / log(10))
    error = sqrt(0.1875 / 2) / 0.1875
    assert one.elo_high == pytest.approx(one.elo + 12.7062 * error * 400 / log(10), rel=1e-5)
    assert one.elo_low == pytest.approx(one.elo - 12.7062 * error * 400 / log(10), rel=1e-5)
    assert one.low == pytest.approx(score_of(one.elo_low))
    many = Scores.of([100, 200, 400, 200, 100]).summary()
    # Variance (2 · 100/4 + 2 · 200/16) / 1000 = 0.075; error sqrt(0.075 / 1000) / 0.25.
    assert (many.elo, many.superiority) == (0, 0.5)
    assert many.elo_high == pytest.approx(1.9623 * sqrt(7.5e-5) * 4 * 400 / log(10), rel=2e-3)


def test_a_published_match() -> None:
    """A public test run of chess engines, with the statistics of its framework beside it."""
    summary = Scores.of([13, 37, 50, 25, 3]).summary()
    assert summary.score == 0.4375
    # There without regularisation: Elo -43.66, from -75.5 to -15.4.
    assert summary.elo == pytest.approx(-43.66, abs=0.5)
    assert summary.elo_low == pytest.approx(-75.5, abs=3)
    assert summary.elo_high == pytest.approx(-15.4, abs=3)
    counts = Scores.of([13, 37, 50, 25, 3])
    assert EloSprt(0, 2.716).test(counts).llr == pytest.approx(-0.53772, abs=1e-4)
    normalised = EloSprt(0, 4, model="normalised").test(counts)
    assert normalised.llr == pytest.approx(-0.54912, abs=1e-3)
    assert (normalised.lower, normalised.upper) == pytest.approx((-2.9444, 2.9444), abs=1e-4)


def test_superiority_agrees_with_the_interval() -> None:
    rng = Random(3)
    for _ in range(300):
        summary = Scores.of([rng.randrange(40) for _ in range(5)]).summary()
        assert (summary.superiority > 0.975) == (summary.elo_low > 0)
        assert (summary.superiority < 0.025) == (summary.elo_high < 0)
        assert summary.low <= summary.high


def test_whole_matches() -> None:
    """Matches to the target are games like any other: 3 of 4 won, 1 of them drawn halves."""
    matches = Scores()
    matches.add((1, 1))
    matches.add((0, 1))
    assert matches.mean() == 0.75
    single = Scores(games=1)
    for result in (1, 0.5, 0, 1):
        single.add([result])
    assert single.counts == [1, 1, 2]
    assert single.summary().score == 0.625


@pytest.mark.parametrize("counts", [
    [1], [1, 2], [1, 2, 3, 4], [1, 2, -3], [1, 2, 0.5], [1, 2, True], [],
])
def test_counts_that_are_none(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="three for sets of one game"):
        Scores.of(counts)


@pytest.mark.parametrize("results", [(1,), (1, 0.25), (1, 2), (1, 0, 0), (1, float("nan"))])
def test_results_that_are_none(results: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"1, 0\.5 or 0 are needed"):
        Scores().add(results)


# --- sequential tests -----------------------------------------------------------------

def test_bounds() -> None:
    result = Bounds(alpha=0.05, beta=0.1).judge(0)
    assert (result.lower, result.upper) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    assert [Bounds().judge(llr).state for llr in (-3, -2.9, 0, 2.9, 3)] == [
        "H0", "continue", "continue", "continue", "H1"]


def test_points_test_worked_by_hand() -> None:
    # Four sets of mean 1: S = 0, p = 10, so 4/2 · log((10 + 4) / 10).
    tally = tally_of([(1, 1), (2, 0), (0, 2), (1, 1)])
    assert PointsSprt(0, 1, deviation=1).test(tally).llr == pytest.approx(2 * log(1.4))
    # Far on it is the test for a known variance: here 1, n (m - ½).
    rng = np.random.default_rng(5)
    many = tally_of([(x, x) for x in rng.normal(0.45, 1, 20000).tolist()])
    mean, variance = float(many.mean()), float(many.deviations()) / many.sets
    near = PointsSprt(0.4, 0.5).test(many).llr
    assert near == pytest.approx(many.sets * 0.1 * (mean - 0.45) / variance, rel=0.02, abs=0.02)


def test_the_likeliest_distribution() -> None:
    assert likeliest([0.5, 0.5], 0.7) == pytest.approx([0.3, 0.7])
    for shares in ([0.1, 0.2, 0.4, 0.2, 0.1], [1e-9, 1e-9, 1 - 1e-9], [0.9, 0.05, 0.05]):
        for mean in (1e-5, 0.3, 0.5, 0.77, 1 - 1e-5):
            found = likeliest(shares, mean)
            top = len(shares) - 1
            assert sum(found) == pytest.approx(1, abs=1e-5)
            assert sum(k * p for k, p in enumerate(found)) / top == pytest.approx(mean, abs=1e-5)
            assert all(p > 0 for p in found)


def test_the_likeliest_is_likelier_than_others() -> None:
    rng = np.random.default_rng(6)
    shares = [0.1, 0.2, 0.4, 0.2, 0.1]
    best = likeliest(shares, 0.6)
    # Every move within the distributions of that sum and mean makes it less likely.
    for _ in range(200):
        step = rng.normal(size=5)
        for fixed in (np.ones(5), np.arange(5) - 2.0):
            step -= fixed * (step @ fixed) / (fixed @ fixed)
        other = np.array(best) + 1e-3 * step / np.abs(step).max()
        assert sum(p * log(q) for p, q in zip(shares, other, strict=True)) < sum(
            p * log(q) for p, q in zip(shares, best, strict=True))


def test_normalised_hypotheses_lie_where_they_say() -> None:
    shares = [0.1, 0.2, 0.4, 0.2, 0.1]
    for elo in (-300.0, -5.0, 0.0, 5.0, 300.0):
        found = EloSprt(-1000, 1000, model="normalised")._hypothesis(shares, elo, 2)
        mean = sum(k * p for k, p in enumerate(found)) / 4
        # A game's deviation is that of a pair times the root of two.
        assert mean - 0.5 == pytest.approx(
            elo * log(10) / 800 * sqrt(2) * deviation_of(found), abs=1e-9)


@pytest.mark.parametrize("make", [
    lambda: Bounds(alpha=0), lambda: Bounds(beta=0.5), lambda: Bounds(alpha=float("nan")),
    lambda: PointsSprt(1, 1), lambda: PointsSprt(0, float("inf")),
    lambda: PointsSprt(0, 1, deviation=0), lambda: EloSprt(5, 0), lambda: EloSprt(0, 1e9),
    lambda: EloSprt(float("nan"), 1), lambda: EloSprt(0, 5, model="other"),  # type: ignore
    lambda: Scores(0), lambda: Tally(0), lambda: Scores().summary(confidence=1),
])
def test_settings_that_are_none(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        make()


# --- the ends -------------------------------------------------------------------------

ENDS: dict[str, list[tuple[float, float]]] = {
    "nothing": [], "first won": [(3, 1)], "first drawn": [(0, 0)], "first lost": [(-3, 0)],
    "two": [(3, 1), (-1, 0)], "200 to 0": [(5, 2)] * 200, "0 to 200": [(-5, -2)] * 200,
    "all drawn": [(0, 0)] * 200, "all cancelled": [(4, -4)] * 200,
    "cards alone": [(k % 7, -(k % 7)) for k in range(200)],
    "enormous": [(1e6, -1e6), (1e6, 1e6)] * 100, "tiny": [(1e-9, 2e-9)] * 100,
}


@pytest.mark.parametrize("sets", ENDS.values(), ids=list(ENDS))
def test_finite_at_the_ends(sets: list[tuple[float, float]]) -> None:
    tally = tally_of(sets)
    for confidence in (0.5, 0.95, 0.9999):
        check_finite(tally.summary(confidence))
    for points in (PointsSprt(0, 0.5), PointsSprt(-100, 100, deviation=0.01)):
        check_finite(points.test(tally))
    for elo in (EloSprt(0, 5), EloSprt(-2000, 2000), EloSprt(0, 5, model="normalised"),
                EloSprt(-2000, 2000, model="normalised")):
        check_finite(elo.test(tally))
    ratings = Ratings(("A", "B", "C"))
    for a, b in sets:
        ratings.add(pair("A", "B", (a, 0), (0, b)))
    check_all_finite(ratings.table())


def test_what_cannot_be_told_is_none() -> None:
    nothing, one, alike = (tally_of(ENDS[key]).summary()
                           for key in ("nothing", "first won", "all cancelled"))
    assert (nothing.mean, nothing.error, nothing.low, nothing.saved) == (None,) * 4
    assert (one.mean, one.error, one.saved, one.superiority) == (2, None, None, 0.5)
    assert (alike.mean, alike.error, alike.low, alike.high, alike.saved) == (0, 0, 0, 0, None)
    assert tally_of([(1, 1)] * 4).summary().superiority == 1 - 0.5**4


def test_one_sided_matches_decide() -> None:
    won, lost, drawn = (tally_of(ENDS[key]) for key in ("200 to 0", "0 to 200", "all drawn"))
    for test in (EloSprt(0, 10), EloSprt(0, 10, model="normalised"), PointsSprt(0, 0.5)):
        assert test.test(won).state == "H1"
        assert test.test(lost).state == "H0"
    for test in (EloSprt(0, 10), PointsSprt(0, 0.5)):
        assert test.test(drawn).state == "H0"
    assert 600 < won.summary().scores.elo < 1500


# --- sums ------------------------------------------------------------------------------

def random_sets(rng: Random, n: int, games: int = 2) -> list[tuple[float, ...]]:
    """Differences in halves, as three seats give them, and some that no float has exactly."""
    return [tuple(rng.choice((rng.randrange(-40, 40) / 2, rng.gauss(0, 5))) for _ in range(games))
            for _ in range(n)]


def test_order_makes_no_difference() -> None:
    rng = Random(7)
    for games in (1, 2, 3, 6):
        sets = random_sets(rng, 60, games)
        whole = tally_of(sets)
        shuffled = tally_of(rng.sample(sets, len(sets)))
        assert whole.summary() == shuffled.summary()


def test_the_simulations_add_as_the_tally_does() -> None:
    sets = usual(np.random.default_rng(12), 0.7, 40)
    assert tally_of_array(sets).summary() == tally_of(sets.tolist()).summary()


# --- ratings --------------------------------------------------------------------------

def table_of(results: Sequence[SetResult]) -> tuple[Rating, ...]:
    ratings = Ratings()
    for result in results:
        ratings.add(result)
    return ratings.table()


def test_ratings_of_differences_that_agree() -> None:
    """A is 2 above B, B 1 above C, A 3 above C: 5/3, -1/3 and -4/3 about their mean."""
    results = []
    for noise in (-1, 1) * 50:
        results += [pair("A", "B", (2 + noise, 0), (0, 2)), pair("B", "C", (1, noise), (0, 1)),
                    pair("A", "C", (3, 0), (noise, 3))]
    table = table_of(results)
    assert [rating.name for rating in table] == ["A", "B", "C"]
    assert [rating.points for rating in table] == pytest.approx(
        [5 / 3, -1 / 3, -4 / 3], abs=1e-4)
    # Each pair's mean has the variance v/100 of a set's ±½: A above B directly, and by way of
    # C with twice that, together (1 + ½)⁻¹.  A above the mean is a third of A above B and A
    # above C, whose covariance is half their variance: a third of the variance of either.
    # (The assumed 4 points count as 8 sets of 100.)
    for rating in table:
        assert rating.points_error == pytest.approx(sqrt(0.25 / 100 * 2 / 9), rel=0.1)


def test_ratings_of_two_engines_are_the_match() -> None:
    rng = Random(9)
    ratings, tally = Ratings(), Tally()
    for _ in range(400):
        a, b = rng.randrange(-6, 8), rng.randrange(-6, 8)
        ratings.add(pair("A", "B", (a, 0), (0, b)))
        tally.add((a, b))
    (mine, theirs), match = ratings.table(), tally.summary()
    assert (mine.name, theirs.name) == ("A", "B")
    assert match.error is not None
    assert mine.points - theirs.points == pytest.approx(match.mean, abs=1e-5)
    assert mine.elo - theirs.elo == pytest.approx(match.scores.elo, rel=0.01)
    # Each is half the difference from their mean.
    for rating in (mine, theirs):
        assert 2 * rating.points_error == pytest.approx(match.error, rel=0.03)
        assert 1.96 * 2 * rating.elo_error == pytest.approx(
            match.scores.elo_high - match.scores.elo, rel=0.03)
    assert (mine.sets, mine.games) == (400, 800)
    assert mine.score == pytest.approx(match.scores.score)


def test_three_seats() -> None:
    """One set of 30, 12 and 6 points in every seat: 14, -4 and -10 about the mean."""
    rotations = (("A", "B", "C"), ("C", "A", "B"), ("B", "C", "A"))
    points = ((30, 12, 6), (6, 30, 12), (12, 6, 30))
    table = table_of([SetResult(rotations, points)] * 100)
    assert [r.points for r in table] == pytest.approx([14, -4, -10], abs=1e-3)


def test_engines_that_never_met_stay_in_the_table() -> None:
    results = [pair("A", "B", (3, 1), (1, 2))] * 20 + [pair("C", "D", (1, 1), (0, 4))] * 20
    ratings = Ratings(("Z",))
    for result in results:
        ratings.add(result)
    table = {rating.name: rating for rating in ratings.table()}
    # A is known to be (2 + 1) / 2 above B; how both stand to C and D is not known at all.
    assert table["A"].points - table["B"].points == pytest.approx(1.5, abs=1e-3)
    for name in "ABCD":
        assert table[name].points_error > 25
    # What nothing is known of has an error to say so.
    assert (table["Z"].sets, table["Z"].score) == (0, None)
    assert table["Z"].points_error > 50
    # Alone, A and B are known well.
    assert all(rating.points_error < 0.5 for rating in table_of(results[:20]))
    assert Ratings().table() == ()


def test_ratings_are_the_same_in_any_order() -> None:
    rng = Random(10)
    names = ("A", "B", "C", "D")
    results = []
    for _ in range(60):
        a, b = rng.sample(names, 2)
        results.append(pair(a, b, (rng.randrange(20), rng.gauss(5, 2)),
                            (rng.randrange(20), rng.randrange(20))))
    whole, shuffled = table_of(results), table_of(rng.sample(results, len(results)))
    assert whole == shuffled


def test_ratings_refuse() -> None:
    ratings = Ratings()
    with pytest.raises(ValueError, match="nothing to compare"):
        ratings.add(pair("A", "A", (1, 2), (3, 4)))
    assert ratings.table() == ()


# --- over known distributions ---------------------------------------------------------

def most(rate: float, runs: int) -> float:
    """The rate that so many runs exceed once in some ten thousand times, by chance."""
    return rate + 3.7 * sqrt(rate * (1 - rate) / runs)


# Makes so many sets of two differences with this mean.
PairMaker = Callable[[np.random.Generator, float, int], Array]


def usual(rng: np.random.Generator, mean: float, n: int) -> Array:
    """Cards of 8 points that cancel, play of 4: a set's mean deviates by 2.8."""
    cards = np.rint(rng.normal(0, 8, (n, 1)))
    return np.rint(rng.normal(mean, 4, (n, 2))) + cards * (1, -1)


def alike(rng: np.random.Generator, mean: float, n: int) -> Array:
    """Engines of nearly the same play: most sets are exactly even."""
    same = rng.random((n, 1)) < 0.6
    return np.where(same, (3, -3), np.rint(rng.normal(mean / 0.4, 5, (n, 2))))


def tailed(rng: np.random.Generator, mean: float, n: int) -> Array:
    """Now and then a cappotto for either side."""
    cappotto = np.where(rng.random((n, 2)) < 0.01, rng.choice((-51, 51), (n, 2)), 0)
    return np.rint(rng.normal(mean, 4, (n, 2))) + cappotto


def endless(make: PairMaker, rng: np.random.Generator, mean: float) -> Iterator[list[float]]:
    while True:
        yield from make(rng, mean, 200).tolist()


def points_errors(make: PairMaker, runs: int, seed: int, points1: float) -> tuple[float, float]:
    """How often the points test of 0 against ``points1`` errs where H0, and where H1 holds."""
    rng = np.random.default_rng(seed)
    test = PointsSprt(0, points1)
    wrong = [0, 0]
    for truth, (mean, other) in enumerate(((0.0, "H1"), (points1, "H0"))):
        for _ in range(runs):
            tally = Tally()
            for differences in endless(make, rng, mean):
                tally.add(differences)
                state = test.test(tally).state
                if state != "continue":
                    wrong[truth] += state == other
                    break
    return wrong[0] / runs, wrong[1] / runs


@pytest.mark.parametrize("make", [usual, alike])
def test_points_test_errs_as_seldom_as_it_says(make: PairMaker) -> None:
    for rate in points_errors(make, runs=200, seed=21, points1=1.0):
        assert rate <= most(0.05, 200)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("points1", [0.5, 1.0])
@pytest.mark.parametrize("make", [usual, alike, tailed])
def test_points_test_errs_as_seldom_as_it_says_long(make: PairMaker, points1: float) -> None:
    for rate in points_errors(make, runs=1500, seed=22, points1=points1):
        assert rate <= most(0.05, 1500)


PAIRS = {
    "even": (0.1, 0.2, 0.4, 0.2, 0.1), "duplicate": (0.05, 0.1, 0.7, 0.1, 0.05),
    "better": (0.02, 0.08, 0.3, 0.3, 0.3), "single games": (0.4, 0.2, 0.4),
}


def elo_errors(test: EloSprt, shares: Sequence[float], runs: int, seed: int,
               every: int) -> tuple[float, float]:
    """As ``points_errors``, asked after ``every`` sets."""
    rng = np.random.default_rng(seed)
    wrong = [0, 0]
    for truth, (elo, other) in enumerate(((test.elo0, "H1"), (test.elo1, "H0"))):
        p = test._hypothesis(shares, elo, len(shares) // 2)
        for _ in range(runs):
            counts = np.zeros(len(shares), dtype=int)
            state = "continue"
            while state == "continue":
                counts += rng.multinomial(every, p)
                state = test.test(Scores.of(counts.tolist())).state
            wrong[truth] += state == other
    return wrong[0] / runs, wrong[1] / runs


@pytest.mark.parametrize("name", ["even", "better"])
def test_elo_test_errs_as_seldom_as_it_says(name: str) -> None:
    shares = PAIRS[name]
    elo0 = elo_of(sum(k * p for k, p in enumerate(shares)) / (len(shares) - 1))
    for rate in elo_errors(EloSprt(elo0, elo0 + 50), shares, 200, 23, every=3):
        assert rate <= most(0.05, 200)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("gap", [20, 50])
@pytest.mark.parametrize("name", list(PAIRS))
def test_elo_test_errs_as_seldom_as_it_says_long(name: str, gap: float) -> None:
    shares = PAIRS[name]
    elo0 = elo_of(sum(k * p for k, p in enumerate(shares)) / (len(shares) - 1))
    for rate in elo_errors(EloSprt(elo0, elo0 + gap), shares, 1000, 24, every=2):
        assert rate <= most(0.05, 1000)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ["even", "duplicate", "single games"])
def test_normalised_elo_test_errs_as_seldom_as_it_says_long(name: str) -> None:
    for rate in elo_errors(EloSprt(0, 40, model="normalised"), PAIRS[name], 500, 25, every=8):
        assert rate <= most(0.05, 500)


@pytest.mark.parametrize("make", [usual, alike])
def test_intervals_of_the_mean_cover(make: PairMaker) -> None:
    rng = np.random.default_rng(26)
    runs = 1200
    inside = 0
    for _ in range(runs):
        summary = tally_of_array(make(rng, 0.7, 30)).summary()
        assert summary.low is not None
        assert summary.high is not None
        inside += summary.low <= 0.7 <= summary.high
    assert inside / runs == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("sets", [50, 200, 1000])
@pytest.mark.parametrize("name", list(PAIRS))
def test_intervals_of_elo_cover(name: str, sets: int) -> None:
    shares = PAIRS[name]
    truth = elo_of(sum(k * p for k, p in enumerate(shares)) / (len(shares) - 1))
    runs = 1500
    inside = 0
    for counts in np.random.default_rng(27).multinomial(sets, shares, runs).tolist():
        summary = Scores.of(counts).summary()
        inside += summary.elo_low <= truth <= summary.elo_high
    assert inside / runs == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("sets", [1, 3, 10])
def test_few_sets_claim_no_more(sets: int) -> None:
    """With few sets the interval may be wider than it need be, never narrower by much."""
    rng = np.random.default_rng(28)
    for shares in PAIRS.values():
        truth = elo_of(sum(k * p for k, p in enumerate(shares)) / (len(shares) - 1))
        inside = 0
        for counts in rng.multinomial(sets, shares, 500).tolist():
            summary = Scores.of(counts).summary()
            inside += summary.elo_low <= truth <= summary.elo_high
        assert inside / 500 >= 0.93


# A difference of two Gumbel numbers is logistic: points with such noise follow the model of
# Bradley and Terry exactly, and the mean differences are those of the strengths.
STRENGTHS = {"A": 2.0, "B": 0.5, "C": -0.5, "D": -2.0}
SCALE = 5.0


def played(rng: np.random.Generator, names: tuple[str, ...]) -> SetResult:
    """A deal set of two or three: the second and third game keep some of the first's noise."""
    games = [names[-k:] + names[:-k] for k in range(len(names))]
    noise = {name: rng.gumbel(0, SCALE) for name in names}
    points = []
    for seats in games:
        if rng.random() < 0.6:
            noise = {name: rng.gumbel(0, SCALE) for name in names}
        points.append(tuple(STRENGTHS[name] + noise[name] for name in seats))
    return SetResult(tuple(games), tuple(points))


def covering(runs: int, sets: int, size: int, seed: int) -> tuple[float, float]:
    """The shares of intervals, of points and of Elo, that hold the true rating."""
    rng = np.random.default_rng(seed)
    inside, total = [0, 0], 0
    for _ in range(runs):
        ratings = Ratings()
        for names in combinations(STRENGTHS, size):
            for _ in range(sets):
                ratings.add(played(rng, names))
        for rating in ratings.table():
            points = STRENGTHS[rating.name]
            elo = points / SCALE * 400 / log(10)
            inside[0] += rating.points_low <= points <= rating.points_high
            inside[1] += rating.elo_low <= elo <= rating.elo_high
            total += 1
    return inside[0] / total, inside[1] / total


def test_the_model_of_the_simulation_is_the_one_assumed() -> None:
    rng = np.random.default_rng(29)
    won = np.mean([d > 0 for _ in range(4000) for d in played(rng, ("A", "C")).differences(
        "A", "C")])
    assert won == pytest.approx(1 / (1 + exp(-2.5 / SCALE)), abs=0.025)


@pytest.mark.parametrize(("size", "sets"), [(2, 15), (3, 15)])
def test_intervals_of_ratings_cover(size: int, sets: int) -> None:
    for share in covering(runs=120, sets=sets, size=size, seed=30):
        assert share == pytest.approx(0.95, abs=0.025)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("size", "sets"), [(2, 10), (2, 40), (3, 10), (3, 40)])
def test_intervals_of_ratings_cover_long(size: int, sets: int) -> None:
    for share in covering(runs=1500, sets=sets, size=size, seed=31):
        assert share == pytest.approx(0.95, abs=0.02)
