"""The score sheet of a smazzata of Ciapa No."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cirulla_ai.games.ciapano.points import TrickPoints
from cirulla_ai.games.contract import SheetItem

if TYPE_CHECKING:
    from cirulla_ai.history import History

__all__ = ["ciapano_sheet"]

COUNTING = "A23JQK"
LAST_TRICK = 3


def ciapano_sheet(history: History) -> tuple[SheetItem, ...]:
    """Thirds, the last trick among them, and what a cappotto makes of the points."""
    return tuple(_items(history))


def _items(history: History) -> Iterator[SheetItem]:
    state = history.state
    points = TrickPoints.of(state.position)
    thirds = tuple(p.thirds for p in points)
    rounded = tuple(n // 3 for n in thirds)
    yield SheetItem("thirds", rounded, thirds, tuple(
        tuple(card for card in taken if card[0] in COUNTING) for taken in state.taken))
    if state.is_over:
        # Its thirds are among those above.
        yield SheetItem("last_trick", (0,) * len(points), tuple(
            LAST_TRICK if seat == state.lead else 0 for seat in range(len(points))))
    changed = tuple(p.total - n for p, n in zip(points, rounded, strict=True))
    if any(changed):
        yield SheetItem("cappotto", changed, thirds)
