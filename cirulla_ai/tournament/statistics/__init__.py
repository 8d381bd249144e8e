"""What a match between engines shows: means, Elo, sequential tests, rating tables.

The unit of everything here is the *deal set*: one deal, or one match's deals, played several
times with the engines exchanged (both ways round for two sides, every rotation for three
seats).  The games of a set share their cards and so are not independent; the sets are.

``Tally`` takes in the deal sets of two engines and sums them up, ``PointsSprt`` and
``EloSprt`` say when enough have been played, ``Ratings`` compares any number of engines.
All of them are sums: a set is added in constant time, and order makes no difference.  What
can't be told yet is None; no result is ever infinite or not a number.
"""

from cirulla_ai.tournament.statistics.ratings import Rating, Ratings
from cirulla_ai.tournament.statistics.result import SetResult
from cirulla_ai.tournament.statistics.scores import ELO_LIMIT, Scores, ScoreSummary, score_of
from cirulla_ai.tournament.statistics.sprt import Bounds, EloSprt, PointsSprt, SprtResult
from cirulla_ai.tournament.statistics.tally import Summary, Tally

__all__ = [
    "ELO_LIMIT",
    "Bounds",
    "EloSprt",
    "PointsSprt",
    "Rating",
    "Ratings",
    "ScoreSummary",
    "Scores",
    "SetResult",
    "SprtResult",
    "Summary",
    "Tally",
    "score_of",
]
