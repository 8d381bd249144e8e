"""Wins, draws and losses of deal sets, and the Elo that they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import log, sqrt

from scipy.special import expit, logit

from cirulla_ai.basics.numbers import given, whole
from cirulla_ai.tournament.statistics.student import t_cdf, t_quantile

__all__ = ["ELO_LIMIT", "ScoreSummary", "Scores", "score_of"]

# Beyond any tournament.
MOST_GAMES, MOST_SETS = 1000, 10**15
# Elo points to one unit of the log-odds.
ELO = 400.0 / log(10.0)
# Hypotheses farther apart than this are a slip of the pen, and 10 ** (elo / 400) still far
# from what a float can't hold.
ELO_LIMIT = 2000.0


def score_of(elo: float) -> float:
    """The expected score, 0 … 1, of an engine that is ``elo`` better (logistic model).

    >>> round(score_of(100), 4)
    0.6401
    """
    return float(expit(elo / ELO))


@dataclass(frozen=True)
class ScoreSummary:
    """What the scores of deal sets show of the first engine.

    ``counts`` are sets by score: for sets of two games the pentanomial counts of 0, ½, 1,
    1½ and 2.  ``score`` is the mean, 0 … 1, with its interval ``low`` … ``high``; ``elo``
    likewise; ``superiority`` the likelihood that the first engine is the better one.
    ``score`` is None before the first set; all else is always there.
    """

    sets: int
    games: int
    counts: tuple[int, ...]
    score: float | None
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float
    superiority: float


class Scores:
    """Counts of deal sets of ``games`` games by score: a win 1, a draw ½, a loss 0.

    The games may be smazzate or whole matches.

    >>> scores = Scores()
    >>> for pair in ((1, 1), (1, 0.5), (0, 1), (0.5, 0.5)):
    ...     scores.add(pair)
    >>> scores.counts
    [0, 0, 2, 1, 1]
    """

    def __init__(self, games: int = 2) -> None:
        try:
            self.games = games = whole(games, 1, MOST_GAMES)
        except ValueError:
            raise ValueError(f"{given(games)} games in a set; 1 or more are needed, "
                             f"{MOST_GAMES} at most") from None
        self.counts = [0] * (2 * games + 1)

    @classmethod
    def of(cls, counts: Sequence[int]) -> Scores:
        """From the counts: three of them for single games, five for pairs, and so on."""
        try:
            numbers = [whole(n, 0, MOST_SETS) for n in counts]
            if len(numbers) < 3 or len(numbers) % 2 == 0:
                raise ValueError
        except (TypeError, ValueError):
            raise ValueError(f"counts {given(counts)}: whole numbers from 0 on, three for sets "
                             "of one game, five for pairs, two more for each further game"
                             ) from None
        scores = cls(len(numbers) // 2)
        scores.counts = numbers
        return scores

    @property
    def sets(self) -> int:
        """The number of sets."""
        return sum(self.counts)

    def add(self, results: Sequence[float]) -> None:
        """Take in a set: each game's 1, ½ or 0.  Raises ValueError for anything else."""
        if len(results) != self.games or any(
                isinstance(r, bool) or r not in (0, 0.5, 1) for r in results):
            raise ValueError(f"results {given(results)}: {self.games} of 1, 0.5 or 0 are needed")
        self.counts[round(2 * sum(results))] += 1

    def __copy__(self) -> Scores:
        """The same sums, that grow on their own from here."""
        return deepcopy(self)

    def mean(self) -> float | None:
        """The mean score of a set, 0 … 1; None where there are none."""
        n = self.sets
        return sum(k * c for k, c in enumerate(self.counts)) / (2 * self.games * n) if n else None

    def smoothed(self) -> tuple[float, float]:
        """Mean and variance of a set's score with half a won and half a lost set added.

        For single games that is the prior of Jeffreys for a proportion (Brown, Cai and
        DasGupta, Interval estimation for a binomial proportion, Statistical Science 16,
        2001); here it keeps the mean off 0 and 1 and the variance off 0, and fades as 1/n.
        """
        top, n = 2 * self.games, self.sets + 1.0
        mean = (sum(k * c for k, c in enumerate(self.counts)) / top + 0.5) / n
        squares = sum(c * (k / top - mean) ** 2 for k, c in enumerate(self.counts))
        squares += 0.5 * mean**2 + 0.5 * (1.0 - mean) ** 2
        return mean, squares / n

    def summary(self, confidence: float = 0.95) -> ScoreSummary:
        """Score and Elo with their intervals.

        From the smoothed mean m and variance v of n sets (see ``smoothed``, which counts one
        set more), the log-odds log(m / (1 - m)) has the standard error
        sqrt(v / (n + 1)) / (m (1 - m)) by the delta method.  The interval is symmetric in
        the log-odds, by Student's t with n degrees of freedom (at least 1), and Elo is
        400 / log 10 times those.  So all is finite, also at 200 to 0 and at the first set.
        The superiority is P(T < log-odds / standard error): above 97.5 % exactly where the
        95 % interval lies above 0.
        """
        if not 0.0 < confidence < 1.0:
            raise ValueError(f"confidence {confidence} is not between 0 and 1")
        n = self.sets
        mean, variance = self.smoothed()
        odds = float(logit(mean))
        error = sqrt(variance / (n + 1)) / (mean * (1.0 - mean))
        freedom = max(n, 1)
        reach = t_quantile(0.5 + confidence / 2, freedom) * error
        return ScoreSummary(
            sets=n, games=n * self.games, counts=tuple(self.counts), score=self.mean(),
            low=score_of(ELO * (odds - reach)), high=score_of(ELO * (odds + reach)),
            elo=ELO * odds, elo_low=ELO * (odds - reach), elo_high=ELO * (odds + reach),
            superiority=t_cdf(odds / error, freedom),
        )
