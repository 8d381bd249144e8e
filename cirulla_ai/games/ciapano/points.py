"""What the points of a smazzata of Ciapa No are made of."""

from __future__ import annotations

from dataclasses import dataclass

from cirulla_ai._core.ciapano_position import CiapanoPosition

__all__ = ["TrickPoints"]


@dataclass(frozen=True)
class TrickPoints:
    """What one seat scores in Ciapa No (rules, section 4), and the thirds behind it."""

    total: int
    thirds: int

    @classmethod
    def of(cls, position: CiapanoPosition) -> tuple[TrickPoints, ...]:
        """Per seat, those of the cards taken so far."""
        return tuple(
            cls(total, thirds)
            for total, (thirds,) in zip(position.points(), position.items(), strict=True)
        )
