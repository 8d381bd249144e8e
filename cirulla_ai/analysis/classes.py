"""How good a decision was, in a word: from best to blunder, by what it lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cirulla_ai.analysis.analyse import CLOSE_ERRORS
from cirulla_ai.basics.numbers import given, real

__all__ = ["CLASSES", "DEFAULTS", "ERRORS", "FORCED", "MARKS", "Thresholds"]

# Nothing to choose; it counts in no rate.
FORCED = "forced"
# From good to bad.
CLASSES = ("best", "fine", "doubtful", "mistake", "blunder", FORCED)
ERRORS = CLASSES[2:5]
# What stands behind the action in a record.
MARKS: Mapping[str, str] = MappingProxyType(dict(zip(ERRORS, ("?!", "?", "??"), strict=True)))
MOST = 1e6


@dataclass(frozen=True)
class Thresholds:
    """What a decision has to lose at least to be doubtful, a mistake, a blunder.

    In points, or where the match is what counts as a chance to win it.  Raises ValueError
    for what does not rise from 0.

    >>> Thresholds().name(0.6, 0.1, is_best=False)
    'mistake'
    """

    doubtful: float = 0.25
    mistake: float = 0.5
    blunder: float = 1.0

    def __post_init__(self) -> None:
        least = 0.0
        for name in ERRORS:
            value = real(getattr(self, name), 0, MOST, name)
            if value <= 0 or value < least:
                raise ValueError(f"{name} {given(value)}: thresholds are above 0 and rise, as "
                                 "0.25, 0.5, 1.0")
            object.__setattr__(self, name, value)
            least = value

    def name(self, loss: float, error: float | None, *, is_best: bool) -> str:
        """The class of a decision that lost ``loss``, whose standard error is ``error``.

        It is an error only where the loss is a loss beyond 2.33 of its errors.  ``best`` is
        what is the best, or what loses less than would be doubtful and perhaps nothing.  None:
        nothing is known of the error, the loss is taken as it is.
        """
        is_sure = loss > CLOSE_ERRORS * (error or 0.0)
        if is_best or (not is_sure and loss < self.doubtful):
            return "best"
        if not is_sure or loss < self.doubtful:
            return "fine"
        return "blunder" if loss >= self.blunder else (
            "mistake" if loss >= self.mistake else "doubtful")

    def as_dict(self) -> dict[str, object]:
        """Them by name."""
        return {name: getattr(self, name) for name in ERRORS}

    def is_suspect(self, loss: float, error: float, *, is_best: bool) -> bool:
        """Whether a decision is to be looked at more closely before it is named.

        It is where the loss is half of what is doubtful, or may be all of it.
        """
        return (not is_best and loss > self.doubtful / 2) or (
            loss + CLOSE_ERRORS * error > self.doubtful)


# By the option Objective of the engine that judges.
DEFAULTS: Mapping[str, Thresholds] = MappingProxyType({
    "points": Thresholds(), "match": Thresholds(0.02, 0.04, 0.08)})
