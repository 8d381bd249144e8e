"""Weaker play, by misjudging: what a level below the full strength thinks of an action is off.

A level searches a little and adds to each action's value a normal error of its own, in
points.  So it seldom does what is plainly bad, and often what is nearly as good, as people
do.  The errors were chosen by play of the levels against each other (docs/strength.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from cirulla_ai.engine.options import Options

__all__ = ["FULL", "LEVEL_ITERATIONS", "blurs", "level_of"]

FULL = 20
# Iterations of a decision below the full level: enough to see what is plainly bad.
LEVEL_ITERATIONS = 600
# The error's standard deviation in points, from level 0 up to the last below the full one.
ERRORS = (9.0, 7.6, 6.4, 5.2, 4.65, 4.2, 3.7, 3.25, 2.9, 2.6, 2.4, 2.1, 1.75, 1.4, 1.1, 0.95,
          0.78, 0.65, 0.47, 0.25)
# Elo of level 0 and of the full level, in the ratings of single smazzate.
LOWEST, HIGHEST = 1700, 2000


def level_of(options: Options) -> int:
    """The level to play at: the lower of ``Skill Level`` and what ``UCI_Elo`` means."""
    level = options.number("Skill Level")
    if options["UCI_LimitStrength"]:
        rating = options.number("UCI_Elo")
        level = min(level, round((rating - LOWEST) * FULL / (HIGHEST - LOWEST)))
    return level


def blurs(level: int, codes: Iterable[int], seed: int) -> dict[int, float]:
    """By how much a level misjudges each action, in points; the same from one seed.

    Nothing for the full level.
    """
    if level >= FULL:
        return {}
    random = Random(seed)
    return {code: random.gauss(0, ERRORS[level]) for code in sorted(codes)}
