"""The deal sets of two engines, summed up."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from cirulla_ai.tournament.statistics.result import exact
from cirulla_ai.tournament.statistics.scores import Scores, ScoreSummary
from cirulla_ai.tournament.statistics.student import t_cdf, t_quantile

__all__ = ["Summary", "Tally"]


@dataclass(frozen=True)
class Summary:
    """What the deal sets of engines A and B show.

    ``mean`` is in points a smazzata, A minus B, with its standard error ``error`` and the
    interval ``low`` … ``high``; ``superiority`` is the likelihood that A takes more points.
    ``won``, ``drawn`` and ``lost`` count deal sets by the sum of their differences,
    ``games_won`` and so on the single games; ``scores`` has the sets by their games' wins,
    and the Elo.

    ``independent_error`` is the standard error that as many games of independent deals
    would have, and ``saved`` the factor by which duplication divided the variance: above 1
    the same cards made the comparison sharper.

    None is what can't be told: ``mean`` without a set; the errors and the interval with
    fewer than two; ``saved`` also where all sets came out alike.
    """

    sets: int
    games: int
    mean: float | None
    error: float | None
    low: float | None
    high: float | None
    superiority: float
    won: int
    drawn: int
    lost: int
    games_won: int
    games_drawn: int
    games_lost: int
    independent_error: float | None
    saved: float | None
    scores: ScoreSummary


class Tally:
    """Sums over the deal sets of engines A and B, each of ``games`` games.

    Numbers are kept as fractions: sums do not depend on the order of the sets, and where
    all came out alike the variance is 0 and no rounding error.

    >>> tally = Tally()
    >>> for differences in ((5, -1), (2, 2), (-3, 1)):
    ...     tally.add(differences)
    >>> summary = tally.summary()
    >>> summary.mean, round(summary.error, 3), summary.won, summary.lost
    (1.0, 1.0, 2, 1)
    """

    def __init__(self, games: int = 2) -> None:
        self.scores = Scores(games)
        games = self.scores.games
        self.sets_by_sign = [0, 0, 0]
        self.games_by_sign = [0, 0, 0]
        # Per place in the set, over all sets: the sums of the differences and their squares.
        self.sums = [Fraction()] * games
        self.squares = [Fraction()] * games
        # Over all sets: the sum of the squares of the sets' own sums.
        self.set_squares = Fraction()

    @property
    def games(self) -> int:
        """The number of games in a set."""
        return self.scores.games

    @property
    def sets(self) -> int:
        """The number of sets."""
        return sum(self.sets_by_sign)

    def add(self, differences: Sequence[float]) -> None:
        """Take in a set: each game's points, A minus B.

        The first number is always of the same seating, and so on: the differences that the
        seats make are then no part of what duplication is seen to save.  Raises ValueError
        for another number of games or numbers that are not finite.
        """
        if len(differences) != self.games:
            raise ValueError(f"{len(differences)} differences; a set has {self.games} games")
        values = [exact(d) for d in differences]
        signs = [(d > 0) - (d < 0) for d in values]
        total = sum(values, Fraction())
        self.scores.add([(1 + sign) / 2 for sign in signs])
        for sign in signs:
            self.games_by_sign[sign] += 1
        self.sets_by_sign[(total > 0) - (total < 0)] += 1
        for k, value in enumerate(values):
            self.sums[k] += value
            self.squares[k] += value * value
        self.set_squares += total * total

    def __copy__(self) -> Tally:
        """The same sums, that grow on their own from here."""
        return deepcopy(self)

    def mean(self) -> Fraction:
        """The mean difference of a smazzata; 0 without a set."""
        n = self.sets
        return sum(self.sums, Fraction()) / (n * self.games) if n else Fraction()

    def deviations(self) -> Fraction:
        """The sum over the sets of the squared deviation of a set's mean from ``mean()``."""
        n, total = self.sets, sum(self.sums, Fraction())
        return (self.set_squares - total * total / n) / self.games**2 if n else Fraction()

    def independent_variance(self) -> Fraction:
        """The variance that a set's mean would have, were its games of independent deals.

        The mean over the places of the variance at each, divided by the games of a set;
        needs two sets.
        """
        n = self.sets
        spread = sum((q - s * s / n for s, q in zip(self.sums, self.squares, strict=True)),
                     Fraction())
        return spread / ((n - 1) * self.games**2)

    def summary(self, confidence: float = 0.95) -> Summary:
        """Means, intervals, counts.

        With n sets of means x: the mean m, its standard error s / sqrt(n) where
        s² = Σ(x - m)² / (n - 1), and m ± t s / sqrt(n) with Student's t of n - 1 degrees of
        freedom.  ``superiority`` is P(T < m / error); where all sets came out alike, what a
        sign test says, 1 - 2 ** -n for the better one; ½ before the second set.

        A set's mean of k games with variance σ² and covariance c has the variance
        (σ² + (k - 1) c) / k, independent games σ² / k: ``saved`` is the second over the
        first (common random numbers, as in Law, Simulation Modeling and Analysis, 11.2).
        """
        n = self.sets
        mean = float(self.mean())
        error = low = high = independent_error = saved = None
        superiority = 0.5
        if n > 1:
            variance = self.deviations() / (n - 1)
            error = sqrt(variance / n)
            reach = t_quantile(0.5 + confidence / 2, n - 1) * error
            low, high = mean - reach, mean + reach
            independent = self.independent_variance()
            independent_error = sqrt(independent / n)
            if variance:
                saved = float(independent / variance)
            superiority = (t_cdf(mean / error, n - 1) if error
                           else 0.5 + ((mean > 0) - (mean < 0)) * (0.5 - 0.5**n))
        drawn, won, lost = self.sets_by_sign
        games_drawn, games_won, games_lost = self.games_by_sign
        return Summary(
            sets=n, games=n * self.games, mean=mean if n else None, error=error, low=low,
            high=high, superiority=superiority, won=won, drawn=drawn, lost=lost,
            games_won=games_won, games_drawn=games_drawn, games_lost=games_lost,
            independent_error=independent_error, saved=saved,
            scores=self.scores.summary(confidence))
