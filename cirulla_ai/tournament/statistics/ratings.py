"""Ratings of any number of engines from the deal sets that they played with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from cirulla_ai.tournament.statistics.result import SetResult
from cirulla_ai.tournament.statistics.scores import ELO
from cirulla_ai.tournament.statistics.student import t_quantile

__all__ = ["Rating", "Ratings"]

Array = npt.NDArray[np.float64]

# What is assumed of an engine before it has played: within some 100 points of the others,
# that is nothing; it keeps engines that never met, even by way of others, in one table.
PRIOR_POINTS = 100.0
# What is assumed of the deviation of a set's mean, in points, and how many sets of its own a
# group of engines needs for its own deviation to count as much as that of all groups.
PRIOR_DEVIATION = 4.0
PRIOR_SETS = 8.0
# Points². Below that (engines that always play alike) weights would only lose digits.
LEAST_VARIANCE = 1e-3


@dataclass(frozen=True)
class Rating:
    """One engine's place in the table.

    ``points`` a smazzata above the mean of those that have played, with standard error and
    interval; ``elo`` likewise.  ``score`` is its mean score, 0 … 1, over all it
    met, None where it has not played.
    """

    name: str
    sets: int
    games: int
    points: float
    points_error: float
    points_low: float
    points_high: float
    score: float | None
    elo: float
    elo_error: float
    elo_low: float
    elo_high: float


class Group:
    """Sums over the deal sets that one group of engines, sorted by name, played together."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.pairs = tuple(combinations(range(len(names)), 2))
        self.sets = self.games = 0
        # A set's mean points of each engine, less the mean of all of them, and products.
        self.points = [Fraction()] * len(names)
        self.products = [[Fraction()] * len(names) for _ in names]
        # A set's score of each pair, and products.
        self.scores = [Fraction()] * len(self.pairs)
        self.score_products = [[Fraction()] * len(self.pairs) for _ in self.pairs]

    def add(self, result: SetResult) -> None:
        """Take in a set."""
        n = len(result.engines)
        scored = [[result.scored(game, name) for name in self.names] for game in range(n)]
        means = [sum(column, Fraction()) / n for column in zip(*scored, strict=True)]
        middle = sum(means, Fraction()) / len(means)
        _accumulate(self.points, self.products, [mean - middle for mean in means])
        _accumulate(self.scores, self.score_products, [
            sum((Fraction(1 + (row[a] > row[b]) - (row[a] < row[b]), 2) for row in scored),
                Fraction()) / n
            for a, b in self.pairs])
        self.sets += 1
        self.games += n

    def __copy__(self) -> Group:
        """The same sums, that grow on their own from here."""
        return deepcopy(self)

    def points_spread(self) -> Array:
        """The sum over the sets of the products of the points' deviations from their mean."""
        return _spread(self.points, self.products, self.sets)

    def score_covariance(self) -> Array:
        """The covariance of a set's scores of the pairs.

        With half a won and half a lost set added for each pair, as in ``Scores.smoothed``.
        """
        spread = _spread(self.scores, self.score_products, self.sets)
        mean = (np.array([float(s) for s in self.scores]) + 0.5) / (self.sets + 1)
        return (spread + np.diag(0.5 * mean**2 + 0.5 * (1 - mean) ** 2)) / (self.sets + 1)


def _accumulate(
    sums: list[Fraction], products: list[list[Fraction]], values: list[Fraction]
) -> None:
    for i, a in enumerate(values):
        sums[i] += a
        for j, b in enumerate(values):
            products[i][j] += a * b


def _spread(sums: list[Fraction], products: list[list[Fraction]], n: int) -> Array:
    return np.array([[float(product - a * b / n) if n else 0.0
                      for b, product in zip(sums, row, strict=True)]
                     for a, row in zip(sums, products, strict=True)])


class Ratings:
    """The deal sets of any number of engines, at two sides or three seats.

    ``names`` are engines that are in the table whether they have played or not.

    >>> ratings = Ratings()
    >>> for _ in range(50):
    ...     ratings.add(SetResult((("A", "B"), ("B", "A")), ((9, 4), (7, 6))))
    >>> table = ratings.table()
    >>> [(r.name, round(r.points, 2)) for r in table]
    [('A', 1.0), ('B', -1.0)]
    """

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        self.names = set(names)
        self.groups: dict[tuple[str, ...], Group] = {}

    def add(self, result: SetResult) -> None:
        """Take in a set.  Raises ValueError where one engine played on all sides."""
        names = result.names
        if len(names) < 2:
            raise ValueError(f"engine {names[0]} on all sides: nothing to compare")
        self.names.update(names)
        self.groups.setdefault(names, Group(names)).add(result)

    def __copy__(self) -> Ratings:
        """The same sums, that grow on their own from here."""
        return deepcopy(self)

    def _sorted(self) -> Iterator[Group]:
        """The groups in an order that does not depend on what was added first."""
        for names in sorted(self.groups):
            yield self.groups[names]

    def table(self, confidence: float = 0.95) -> tuple[Rating, ...]:
        """The engines, best first by points, relative to the mean of those that have played.

        **Points** by weighted least squares: θ minimises Σ w |x - C θ|² over the sets, x
        being a set's mean points of its engines less their mean, C the same of θ.  That is
        each seat's result minus the mean of the others, for three seats as for two.  A
        group's weight w is one over its variance, which is drawn towards that of all groups
        while it has played little.  Errors are from the covariance seen (the sandwich form;
        White, Econometrica 48, 1980), so that weights that are not quite right do no harm.

        **Elo** by the model of Bradley and Terry (Biometrika 39, 1952): an engine's expected
        score against another is the logistic function of their difference.  Every engine
        has also won half a set and lost half a set against a player of the mean strength:
        that weak prior keeps the difference finite also at 200 to 0.  Errors are again from
        the covariance seen of the sets' scores.

        Intervals are by Student's t with as many degrees of freedom as the engine played
        sets, less one.
        """
        names = sorted(self.names)
        n = len(names)
        place = {name: i for i, name in enumerate(names)}
        # Rows are what the table lists of each engine: it less the mean.  An engine that has
        # not played is no part of the mean, which it would make unknown.
        base = {name for names in self.groups for name in names} or self.names
        contrast = np.eye(n) - np.array([name in base for name in names]) / max(len(base), 1)
        points, points_cov = self._points(place)
        elo, elo_cov = self._elo(place)
        points, points_cov = contrast @ points, contrast @ points_cov @ contrast.T
        elo, elo_cov = contrast @ elo * ELO, contrast @ elo_cov @ contrast.T * ELO**2
        order = sorted(range(n), key=lambda i: (-points[i], names[i]))
        return tuple(
            self._row(names[i], float(points[i]), float(points_cov[i, i]), float(elo[i]),
                      float(elo_cov[i, i]), confidence)
            for i in order)

    def _row(self, name: str, points: float, points_variance: float, elo: float,
             elo_variance: float, confidence: float) -> Rating:
        mine = [group for group in self._sorted() if name in group.names]
        sets = sum(group.sets for group in mine)
        won, met = Fraction(), 0
        for group in mine:
            i = group.names.index(name)
            for (a, b), score in zip(group.pairs, group.scores, strict=True):
                if i in (a, b):
                    won += score if i == a else group.sets - score
                    met += group.sets
        t = t_quantile(0.5 + confidence / 2, max(sets - 1, 1))
        # Rounding can leave a hair below 0 where the variance is 0, as a lone engine's is.
        points_error, elo_error = sqrt(max(points_variance, 0.0)), sqrt(max(elo_variance, 0.0))
        return Rating(
            name=name, sets=sets, games=sum(group.games for group in mine), points=points,
            points_error=points_error, points_low=points - t * points_error,
            points_high=points + t * points_error, score=float(won / met) if met else None,
            elo=elo, elo_error=elo_error, elo_low=elo - t * elo_error,
            elo_high=elo + t * elo_error)

    def _points(self, place: Mapping[str, int]) -> tuple[Array, Array]:
        """Least squares: θ in points and its covariance, up to a constant for all."""
        spreads = [(group, group.points_spread()) for group in self._sorted()]
        freedom = sum((g.sets - 1) * (len(g.names) - 1) for g, _ in spreads)
        pooled = (sum(float(np.trace(s)) for _, s in spreads) + PRIOR_DEVIATION**2 / 2) / (
            freedom + 1)
        n = len(place)
        prior = np.eye(n) / PRIOR_POINTS**2
        matrix, seen, right = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n)
        for group, spread in spreads:
            k = len(group.names)
            centre = np.eye(k) - 1.0 / k
            covariance = (spread + PRIOR_SETS * pooled * centre) / (group.sets - 1 + PRIOR_SETS)
            weight = 1.0 / max(float(np.trace(covariance)) / (k - 1), LEAST_VARIANCE)
            at = np.ix_(*[[place[name] for name in group.names]] * 2)
            matrix[at] += weight * group.sets * centre
            seen[at] += weight**2 * group.sets * covariance
            right[at[0].ravel()] += weight * np.array([float(p) for p in group.points])
        # The constant is not determined; holding it keeps the matrix far from singular and
        # touches no difference.
        level = np.full((n, n), float(np.trace(matrix)) / max(n, 1) ** 2)
        inverse = np.linalg.inv(matrix + prior + level)
        return inverse @ right, inverse @ (seen + prior) @ inverse

    def _elo(self, place: Mapping[str, int]) -> tuple[Array, Array]:
        """Bradley and Terry by Newton's method: log-odds and their covariance."""
        n = len(place)
        designs = []
        for group in self._sorted():
            design = np.zeros((len(group.pairs), n))
            for row, (a, b) in enumerate(group.pairs):
                design[row, place[group.names[a]]] = 1.0
                design[row, place[group.names[b]]] = -1.0
            designs.append((group.sets, design, np.array([float(s) for s in group.scores]),
                            group.score_covariance()))
        theta = np.zeros(n)
        for _ in range(200):
            mean = expit(theta)
            slope = 0.5 - mean
            curve = np.diag(mean * (1.0 - mean))
            for sets, design, won, _ in designs:
                mean = expit(design @ theta)
                slope += design.T @ (won - sets * mean)
                curve += design.T @ (sets * mean * (1.0 - mean) * design.T).T
            step = np.linalg.solve(curve, slope)
            longest = float(np.max(np.abs(step), initial=0.0))
            # The likelihood is concave but flat far out: no step across its bend.
            theta += step * min(1.0, 1.0 / longest if longest else 1.0)
            if longest < 1e-12:
                break
        mean = expit(theta)
        seen, curve = np.diag(mean * (1.0 - mean)), np.diag(mean * (1.0 - mean))
        for sets, design, _, covariance in designs:
            mean = expit(design @ theta)
            curve += design.T @ (sets * mean * (1.0 - mean) * design.T).T
            seen += sets * design.T @ covariance @ design
        inverse = np.linalg.inv(curve)
        return theta, inverse @ seen @ inverse
