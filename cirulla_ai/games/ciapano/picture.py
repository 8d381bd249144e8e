"""Pictures of Ciapa No's states for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cirulla_ai.games.picture import _hands, _headline, _sides

if TYPE_CHECKING:
    from cirulla_ai.state import State

__all__ = ["trick_picture", "trick_progress"]

TRICKS = 13


def trick_progress(state: State) -> str:
    """How far a smazzata of Ciapa No is."""
    if state.phase == "pass":
        return "passing"
    return f"trick {min(TRICKS, 1 + sum(map(len, state.taken)) // 3)} of {TRICKS}"


def trick_picture(state: State) -> Iterator[str]:
    """The open trick, the hands, what was handed on and taken."""
    discards = state.phase == "pass" and state.turn == state.dealer
    yield _headline(state, trick_progress(state))
    led = f", led by seat {state.lead}" if state.trick else ""
    yield f"trick   {' '.join(state.trick) or 'none'}{led}"
    yield from _hands(
        state, {"pass": "to discard" if discards else "to hand a card on", "play": "to play"},
        {seat: f"handed on {card}" for seat, card in enumerate(state.passed) if card})
    yield f"discard {state.discard or 'none'}"
    yield from _sides(state)
