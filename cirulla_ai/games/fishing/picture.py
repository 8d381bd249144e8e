"""Pictures of the fishing family's states for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cirulla_ai.games.picture import _hands, _headline, _sides

if TYPE_CHECKING:
    from cirulla_ai.state import State

__all__ = ["fishing_picture", "fishing_progress"]

TO_FISH = {"claim": "to claim or pass", "play": "to play", "deal": "to play after the deal"}


def fishing_progress(state: State) -> str:
    """How far a smazzata of the fishing family is."""
    return f"round {state.round} of {len(state.rules.rounds)}"


def fishing_picture(state: State) -> Iterator[str]:
    """Table, hands, what was taken, and the stock."""
    yield _headline(state, fishing_progress(state))
    yield f"table   {' '.join(state.table) or 'empty'}"
    yield from _hands(state, TO_FISH, {
        seat: f"has shown {' '.join(cards)}" for seat, cards in enumerate(state.shown) if cards})
    if state.declared:
        yield f"matta   {state.rules['matta']} stands for {state.declared}"
    yield from _sides(state)
    if not state.is_over:
        yield f"stock   {state.stock_count} cards"
