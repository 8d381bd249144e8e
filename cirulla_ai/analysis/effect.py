"""What a play does, in words."""

from __future__ import annotations

from cirulla_ai.action import Action
from cirulla_ai.state import State

__all__ = ["effect"]


def effect(state: State, action: Action) -> str:
    """What a legal action of the seat to move does at once, in a few words.

    >>> state = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    >>> effect(state, Action("!3C4D7H=1")), effect(state, Action("4DxASKD"))
    ('claims, +3', 'takes AS KD')
    """
    kind = action.kind
    if kind == "pass":
        return "does not claim"
    if kind == "give":
        return "discards" if state.turn == state.dealer else "hands on"
    if kind == "claim":
        return f"claims{_made(state, action)}"
    if action.cards:
        return f"takes {' '.join(action.cards)}{_made(state, action)}"
    return f"lays{_made(state, action)}" if hasattr(state, "table") else _followed(state, action)


def _made(state: State, action: Action) -> str:
    """The points that are made at once."""
    after = state.apply(action)
    side = state.rules.side(state.turn or 0)
    if after.won is not None:
        return ", wins the match" if after.won == side else ", loses the match"
    made = after.scopa[side] - state.scopa[side]
    if not made:
        return ""
    # A cleared table is a scopa, of one point where nothing else comes with it.
    if action.cards and not after.table and action.kind == "play":
        return ", scopa" if made == 1 else f", scopa, {made:+d}"
    return f", {made:+d}"


def _followed(state: State, action: Action) -> str:
    """What a card does to the trick."""
    if not state.trick:
        return "leads"
    return "follows suit" if (action.card or "")[-1:] == state.trick[0][-1] else "discards"
