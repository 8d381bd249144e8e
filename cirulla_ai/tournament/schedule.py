"""Which deals are played, by whom, in which seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from cirulla_ai.basics.numbers import MAX_SEED, given, whole
from cirulla_ai.rules import Rules

__all__ = ["DealSet", "Schedule", "ScheduleError"]

FORMATS = ("round-robin", "gauntlet")
# More than can be played.
MOST_CONTENDERS, MOST_DEALS = 1000, 10**9


class ScheduleError(ValueError):
    """A schedule that can't be played."""


@dataclass(frozen=True)
class DealSet:
    """One deal, or one match's deals, played in every seating: the unit of the statistics.

    ``seatings`` gives for each game the contender at each seat.  ``seed`` makes the deals:
    the same for every game of the set, and for every lineup's set of the same ``number``.
    """

    index: int
    number: int
    contenders: tuple[int, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed: int


def deal_seed(base: int, number: int, smazzata: int = 0) -> int:
    """The seed of a deal: the same for the same number, whoever plays it."""
    return Random(f"{base}/{number}/{smazzata}").getrandbits(64)


def seatings(players: int, lineup: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Every seating of a lineup that makes the deal fair.

    Two sides: both ways round, a pair's two seats to one contender.  Three seats: all
    rotations, of two contenders in both numbers (A B B and A A B).
    """
    if players == 3:
        a, b = lineup[0], lineup[1]
        rows = [(a, b, b), (a, a, b)] if len(lineup) == 2 else [lineup]
        return tuple((row[-k:] + row[:-k]) for row in rows for k in range(3))
    a, b = lineup
    return ((a, b), (b, a)) if players == 2 else ((a, b, a, b), (b, a, b, a))


@dataclass(frozen=True)
class Schedule:
    """All the deal sets of a tournament, in a fixed order: a set's index says all of it.

    ``deals`` sets for each lineup: every pair of contenders (``round-robin``) or the first
    against each other (``gauntlet``); three contenders at three seats play all together.
    Raises ScheduleError for what can't be played.
    """

    rules: Rules
    contenders: int
    deals: int
    seed: int
    form: str = "round-robin"

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise ScheduleError(f"rules {given(self.rules)}: Rules are needed")
        if self.form not in FORMATS:
            raise ScheduleError(f"format {given(self.form)}: there are {', '.join(FORMATS)}")
        for name, least, most in (("contenders", 0, MOST_CONTENDERS), ("deals", 0, MOST_DEALS),
                                  ("seed", 0, MAX_SEED)):
            try:
                number = whole(getattr(self, name), least, most, name)
            except ValueError as error:
                raise ScheduleError(str(error)) from None
            object.__setattr__(self, name, number)
        if self.contenders < 2:
            raise ScheduleError(
                f"{self.contenders} engine{'' if self.contenders == 1 else 's'}; a match needs "
                "two or more")
        if self.deals < 1:
            raise ScheduleError(f"{self.deals} deals; at least 1 is needed")

    @property
    def lineups(self) -> Sequence[tuple[int, ...]]:
        """The groups of contenders that meet."""
        everyone = range(self.contenders)
        size = 3 if self.rules.players == 3 and self.contenders >= 3 else 2
        groups = combinations(everyone, size)
        if self.form == "gauntlet":
            return [group for group in groups if group[0] == 0]
        return list(groups)

    def __len__(self) -> int:
        return self.deals * len(self.lineups)

    def __iter__(self) -> Iterator[DealSet]:
        """Deal by deal, so that all lineups are equally far at any time."""
        lineups = self.lineups
        for number in range(self.deals):
            for k, lineup in enumerate(lineups):
                yield DealSet(
                    index=number * len(lineups) + k, number=number, contenders=lineup,
                    seatings=seatings(self.rules.players, lineup),
                    seed=deal_seed(self.seed, number))
