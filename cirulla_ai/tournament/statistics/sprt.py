"""Sequential tests: playing on until one of two hypotheses is the likelier by far.

Both tests look at the sums of a tally, so that they can be asked after each deal set, or
after some; a decision stands at the first set after which they were asked and gave one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import copysign, inf, isfinite, log, sqrt
from typing import Literal

from scipy.optimize import bisect, brentq

from cirulla_ai.basics.numbers import real
from cirulla_ai.tournament.statistics.scores import ELO, ELO_LIMIT, Scores, score_of
from cirulla_ai.tournament.statistics.tally import Tally

__all__ = ["Bounds", "EloSprt", "PointsSprt", "SprtResult"]

# How many sets of its usual deviation the points test starts from.
PRIOR_SETS = 10
# What a cell without a set counts as, so that every score has a likelihood.
EMPTY = 1e-3
# How near the mean of a hypothesis is found.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class SprtResult:
    """Where a sequential test stands: the log-likelihood ratio ``llr`` of H1 to H0 (natural
    logarithm), its bounds, and which hypothesis is accepted, or ``continue``."""

    llr: float
    lower: float
    upper: float
    state: Literal["continue", "H0", "H1"]


@dataclass(frozen=True)
class Bounds:
    """Error rates: ``alpha`` to accept H1 where H0 holds, ``beta`` to accept H0 where H1
    does.

    Accept H0 at log(beta / (1 - alpha)) or less, H1 at log((1 - beta) / alpha) or more
    (Wald, Sequential Analysis, 1947, chapter 3).

    >>> Bounds().judge(2.95).state
    'H1'
    """

    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < real(rate, -inf, inf, name) < 0.5:
                raise ValueError(f"{name} {rate} is not between 0 and 0.5")

    def judge(self, llr: float) -> SprtResult:
        """The result of a log-likelihood ratio."""
        lower = log(self.beta / (1.0 - self.alpha))
        upper = log((1.0 - self.beta) / self.alpha)
        state: Literal["continue", "H0", "H1"] = (
            "H1" if llr >= upper else "H0" if llr <= lower else "continue")
        return SprtResult(llr, lower, upper, state)


@dataclass(frozen=True)
class PointsSprt:
    """H0: A takes ``points0`` a smazzata more than B, H1: ``points1`` > ``points0``.

    A generalised sequential probability ratio test for a normal mean with unknown variance:
    under each hypothesis the variance is the one that makes the data likeliest.  With n sets
    of means x around m and S = Σ(x - m)²

        llr = n/2 · log((S + n (m - points0)² + p) / (S + n (m - points1)² + p))

    Near the hypotheses this is the familiar n (points1 - points0)(m - (points0 + points1)/2)
    / variance; it does not run away while the variance is not known yet, nor where it is 0.
    p = 10 ``deviation``² says the same as ten sets at that distance, in points, from the
    hypotheses.  It keeps the ratio finite and fades as 1/n; without it a run of like sets at
    the start, as engines of nearly the same play give them, would end a test too soon, and
    the error rates would not be kept.  The means of duplicate pairs of Cirulla deviate by
    some 4 points between engines of like strength, by 7 between random and greedy play.
    Where one tail of the distribution is long and heavy the test errs more than it should.

    Source: Li, Liu and Ying, Generalized sequential probability ratio test for separate
    families of hypotheses, Sequential Analysis 33, 2014.

    >>> tally = Tally()
    >>> for _ in range(100):
    ...     for differences in ((1, 0), (2, -1), (4, 0)):
    ...         tally.add(differences)
    >>> PointsSprt(0, 0.5).test(tally).state
    'H1'
    """

    points0: float
    points1: float
    bounds: Bounds = field(default_factory=Bounds)
    deviation: float = 4.0

    def __post_init__(self) -> None:
        if not (isfinite(self.points0) and isfinite(self.points1)
                and self.points0 < self.points1):
            raise ValueError(f"points0 {self.points0}, points1 {self.points1}: points1 must be "
                             "the greater")
        if not (isfinite(self.deviation) and self.deviation > 0):
            raise ValueError(f"deviation {self.deviation} points is not above 0")

    def test(self, tally: Tally) -> SprtResult:
        """Where the test stands after the sets of ``tally``."""
        n = tally.sets
        if not n:
            return self.bounds.judge(0.0)
        mean = float(tally.mean())
        known = float(tally.deviations()) + PRIOR_SETS * self.deviation**2
        far0 = known + n * (mean - self.points0) ** 2
        far1 = known + n * (mean - self.points1) ** 2
        return self.bounds.judge(0.5 * n * log(far0 / far1))


def likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution with this mean over the scores 0 … 1, evenly spaced.

    ``shares`` are those seen, all above 0.  It is p / (1 + x (a - mean)) for each score a and
    its share p, with the x that makes Σ p (a - mean) / (1 + x (a - mean)) = 0 (Owen, Empirical
    likelihood ratio confidence intervals for a single functional, Biometrika 75, 1988).
    """
    top = len(shares) - 1
    away = [k / top - mean for k in range(top + 1)]

    def balance(x: float) -> float:
        return sum(p * a / (1.0 + x * a) for p, a in zip(shares, away, strict=True))

    # No probability is above 1: for the outermost scores 1 + x (a - mean) is p or more, and
    # half of p, which rounding can't undo, is beyond the root.
    x = brentq(balance, (0.5 * shares[-1] - 1.0) / away[-1], (0.5 * shares[0] - 1.0) / away[0],
               xtol=1e-15)
    return [p / (1.0 + x * a) for p, a in zip(shares, away, strict=True)]


def deviation_of(shares: Sequence[float]) -> float:
    """The standard deviation of a distribution over the scores 0 … 1."""
    top = len(shares) - 1
    mean = sum(p * k / top for k, p in enumerate(shares))
    return sqrt(max(sum(p * (k / top - mean) ** 2 for k, p in enumerate(shares)), 0.0))


@dataclass(frozen=True)
class EloSprt:
    """H0: A is ``elo0`` better than B, H1: ``elo1`` > ``elo0``, by the scores of deal sets.

    A generalised sequential probability ratio test over the distribution of a set's score,
    five values for pairs (pentanomial): under each hypothesis the distribution is the
    likeliest that it allows, and llr = Σ n · log(p1 / p0) over the sets.  A score that no
    set had counts as a thousandth of a set, which keeps the ratio finite, and decides also
    at 200 to 0.

    ``model`` says what Elo means.  ``logistic``: the expected score of a game is
    1 / (1 + 10 ** (-elo / 400)).  ``normalised``: the expected score is elo · ln 10 / 800
    standard deviations of a game above ½, where a set of k games counts as k independent
    games; a test then takes about as many sets whatever the share of draws and the gain of
    duplication.

    Source: Li, Liu and Ying (see ``PointsSprt``); the mathematics pages of fishtest, the
    testing framework of Stockfish, for pairs and for normalised Elo.

    >>> EloSprt(0, 20).test(Scores.of([20, 40, 100, 80, 60])).state
    'H1'
    """

    elo0: float
    elo1: float
    bounds: Bounds = field(default_factory=Bounds)
    model: Literal["logistic", "normalised"] = "logistic"

    def __post_init__(self) -> None:
        if self.model not in ("logistic", "normalised"):
            raise ValueError(f"model {self.model}: there are logistic, normalised")
        if not -ELO_LIMIT <= self.elo0 < self.elo1 <= ELO_LIMIT:
            raise ValueError(f"elo0 {self.elo0}, elo1 {self.elo1}: elo1 must be the greater, both "
                             f"between -{ELO_LIMIT:.0f} and {ELO_LIMIT:.0f}")

    def test(self, sets: Scores | Tally) -> SprtResult:
        """Where the test stands after these sets."""
        scores = sets.scores if isinstance(sets, Tally) else sets
        if not scores.sets:
            return self.bounds.judge(0.0)
        counts = [c or EMPTY for c in scores.counts]
        total = sum(counts)
        shares = [c / total for c in counts]
        p0, p1 = (self._hypothesis(shares, elo, scores.games) for elo in (self.elo0, self.elo1))
        return self.bounds.judge(
            sum(c * log(b / a) for c, a, b in zip(counts, p0, p1, strict=True)))

    def _hypothesis(self, shares: Sequence[float], elo: float, games: int) -> list[float]:
        """The likeliest distribution of a set's score where A is ``elo`` better."""
        if self.model == "logistic":
            return likeliest(shares, score_of(elo))
        # The deviation is that of the hypothesis, not of the data: the mean is where the
        # likeliest distribution of that mean lies so many deviations above ½.  Near ½ the
        # distance is too small, near the end the deviation is: between them lies the mean.
        # (Of all distributions that lie so many deviations above ½ another may be likelier,
        # by the square of a small number.)
        wanted = elo / (2 * ELO) * sqrt(games)
        if not wanted:
            return likeliest(shares, 0.5)

        def distance(mean: float) -> float:
            return mean - 0.5 - wanted * deviation_of(likeliest(shares, mean))

        # Where the sets were of nearly one score there can be several such means: halving takes
        # the same one whatever the rounding.
        farthest = 0.5 + 0.5 * copysign(1.0 - TOLERANCE, wanted)
        return likeliest(shares, bisect(distance, 0.5, farthest, xtol=TOLERANCE))
