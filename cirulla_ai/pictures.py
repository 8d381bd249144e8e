"""Pictures of states for people, game by game, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cirulla_ai.state import State

__all__ = ["fishing_picture", "fishing_progress", "trick_picture", "trick_progress"]

TO_FISH = {
    "claim": "to claim or pass", "play": "to play", "deal": "to play after the deal",
}
TRICKS = 13


def fishing_progress(state: State) -> str:
    """How far a smazzata of the fishing family is."""
    return f"round {state.round} of {len(state.rules.rounds)}"


def trick_progress(state: State) -> str:
    """How far a smazzata of Ciapa No is."""
    if state.phase == "pass":
        return "passing"
    return f"trick {min(TRICKS, 1 + sum(map(len, state.taken)) // 3)} of {TRICKS}"


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
