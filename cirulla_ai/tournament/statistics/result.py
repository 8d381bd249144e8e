"""The result of one deal set: who played which side in each of its games, for what points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from sys import float_info

from cirulla_ai.basics.numbers import given, real

__all__ = ["SetResult"]

# All that is finite.
MOST = float_info.max


def exact(value: float) -> Fraction:
    """A number of points as a fraction, so that sums do not depend on their order.

    Raises ValueError for infinities and what is not a number.
    """
    if isinstance(value, Fraction):
        return value
    try:
        return Fraction(real(value, -MOST, MOST))
    except ValueError:
        raise ValueError(f"{given(value)} points: a finite number is needed") from None


@dataclass(frozen=True)
class SetResult:
    """One deal set of any number of engines.

    ``engines[game][side]`` names who played the side (for pairs, the pair), and
    ``points[game][side]`` what it scored.  Raises ValueError where the shapes differ, a
    number is not finite, or an engine is missing from a game: its deal would then not be
    the same as the others'.

    >>> both = SetResult((("A", "B"), ("B", "A")), ((9, 4), (7, 6)))
    >>> both.differences("A", "B")
    (5.0, -1.0)
    """

    engines: tuple[tuple[str, ...], ...]
    points: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if not self.engines or len(self.engines) != len(self.points):
            raise ValueError(f"{len(self.engines)} games with engines, {len(self.points)} with "
                             "points; as many of both, and one or more, are needed")
        for names, points in zip(self.engines, self.points, strict=True):
            if len(names) != len(points) or len(names) < 2:
                raise ValueError(f"a game of {len(names)} engines and {len(points)} points; one "
                                 "of each for every side, and two sides or more, are needed")
            for value in points:
                exact(value)
        for name in self.names:
            if any(name not in names for names in self.engines):
                raise ValueError(f"engine {name} is not in every game of its deal set")

    @property
    def names(self) -> tuple[str, ...]:
        """The engines, sorted."""
        return tuple(sorted({name for names in self.engines for name in names}))

    def scored(self, game: int, name: str) -> Fraction:
        """The mean points of an engine's sides in one game."""
        mine = [exact(points)
                for side, points in zip(self.engines[game], self.points[game], strict=True)
                if side == name]
        return sum(mine, Fraction()) / len(mine)

    def differences(self, a: str, b: str) -> tuple[float, ...]:
        """For each game, the points of engine ``a`` minus those of ``b``.

        An engine that plays several sides of a game counts with their mean, so that with
        one seat against two this is the seat's result minus the mean of the others.  Raises
        ValueError where one of them did not play.
        """
        for name in (a, b):
            if name not in self.names:
                raise ValueError(f"no engine {name} in this set; there are "
                                 f"{', '.join(self.names)}")
        return tuple(float(self.scored(game, a) - self.scored(game, b))
                     for game in range(len(self.engines)))
