"""Where a tournament's results are kept: a journal whose lines are deal sets."""

from __future__ import annotations

import math
from typing import Any

from cirulla_ai.workers.journal import Journal, whole_of

__all__ = ["Store"]

# More than any deal set brings.
MOST_POINTS = 1e12


class Store(Journal):
    """The results of one tournament: a line for each finished deal set."""

    run = "match"
    entry = "deal set"

    def check(self, result: Any) -> None:
        """Raise an error, as Journal says, for what is not a deal set."""
        check_set(result, len(self.header.get("engines", ())) or None)


def check_set(result: Any, engines: int | None = None) -> None:
    """Raise ValueError, LookupError, TypeError or AttributeError for what is not a deal set as
    it is stored.

    ``engines`` is how many take part.
    """
    if not isinstance(result["games"], list) or not result["games"]:
        raise ValueError("it has no games")
    for game in result["games"]:
        seats, points = game["seats"], game["points"]
        if not seats or not all(
                whole_of(who) >= 0 and (engines is None or who < engines) for who in seats):
            raise ValueError(f"seats {seats}")
        for name in ("points", "won", "luck", "match_luck"):
            numbers = game.get(name, points)
            if not 2 <= len(numbers) <= len(seats) or not all(
                    math.isfinite(number) and abs(number) < MOST_POINTS for number in numbers):
                raise ValueError(f"{name} {numbers}")
        if whole_of(game.get("smazzate", 1)) < 1:
            raise ValueError(f"smazzate {game['smazzate']}")
        for fault in game.get("forfeits", ()):
            if not (0 <= whole_of(fault["seat"]) < len(seats) and whole_of(fault["smazzata"]) >= 0
                    and isinstance(fault["kind"], str) and isinstance(fault["detail"], str)):
                raise ValueError(f"forfeit {fault}")
        for smazzata in game.get("played", ()):
            if not isinstance(smazzata["start"], str) or (
                    [len(said) for said in smazzata["said"]]
                    != [3] * len(smazzata["actions"].split())):
                raise ValueError("a smazzata without its actions")
