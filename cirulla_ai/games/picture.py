"""What the pictures of all games' states share, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cirulla_ai.state import State


def _headline(state: State, progress: str) -> str:
    knows = "" if state.viewer is None else f", seat {state.viewer}'s view"
    return (f"{state.rules.preset}, {progress}, match {'-'.join(map(str, state.scores))} to "
            f"{state.rules.target}{knows}")


def _hands(state: State, to_do: Mapping[str, str], notes: Mapping[int, str]) -> Iterator[str]:
    """A line a seat: its cards, what it has to do, and what else there is to say."""
    hands = [
        " ".join([*known, *["? "] * n]) or "-"
        for known, n in zip(state.hands, state.unknown, strict=True)
    ]
    width = max(map(len, hands))
    for seat, hand in enumerate(hands):
        marks = [to_do[state.phase]] if seat == state.turn else []
        if seat == state.dealer:
            marks.append("dealer")
        if seat in notes:
            marks.append(notes[seat])
        yield f"seat {seat}  {hand:{width}}  {', '.join(marks)}".rstrip()


def _sides(state: State) -> Iterator[str]:
    """What each side has taken, and at the end how the match stands."""
    for side, points in enumerate(state.points()):
        cards = state.taken[side]
        yield (f"side {side}  {points.total} points  "
               f"{' '.join(cards) if cards else 'no cards taken'}")
    if state.is_over:
        winners = state.match_winners()
        if len(winners) > 1:
            yield f"over    sides {' and '.join(map(str, winners))} share the match"
        elif winners:
            yield f"over    side {winners[0]} has won the match"
        else:
            yield f"over    match {'-'.join(map(str, state.match_scores()))}"
