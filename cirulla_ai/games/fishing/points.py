"""What the points of a smazzata are made of in the fishing family."""

from __future__ import annotations

from dataclasses import dataclass, fields

from cirulla_ai._core.fishing_position import ITEMS, FishingPosition

__all__ = ["Points"]


@dataclass(frozen=True)
class Points:
    """What one side's points of a smazzata are made of (rules, section 3.4)."""

    scopa: int
    cards: int
    diamonds: int
    settebello: int
    primiera: int
    piccola: int
    grande: int
    cappotto: int

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(getattr(self, field.name) for field in fields(self))

    @classmethod
    def of(cls, position: FishingPosition) -> tuple[Points, ...]:
        """Per side, those of the cards taken so far."""
        return tuple(cls(*row) for row in position.items())


assert tuple(field.name for field in fields(Points)) == ITEMS
