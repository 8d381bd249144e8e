"""The table as the seat to play saw it.

Cards stand here as letters and signs; the style sheet makes them look like cards, and the script
draws the deck's in their place.  So a page of hundreds of tables stays small, and can be read
without either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from cirulla_ai.look.words import parts_of
from cirulla_ai.review.reading import Decision, Smazzata
from cirulla_ai.review.texts import Names, ReviewWords
from cirulla_ai.state import State

__all__ = ["scene"]

# So many cards of one's own are shown large.
FEW = 5


def scene(state: State, decision: Decision, smazzata: Smazzata, words: ReviewWords,
          names: Names) -> str:
    """A state from the viewpoint of the seat to play: the others above, its own hand below.

    Play goes anticlockwise, so the next seat is at the right, a partner opposite.  What was
    played, what it took, and what would have been best are marked.
    """
    own, players = decision.seat, state.rules.players
    marks = _marks(decision)
    seats = "".join(
        f"<div class=seat>{_name(state, smazzata, seat, words, names)}"
        f"<p>{_hand(state, seat, words)}</p></div>"
        for seat in ((own - step) % players for step in range(1, players)))
    trick = not state.rules.rounds
    middle = _cards(state.trick if trick else state.table, state, words, marks)
    label = escape(words("trick" if trick else "table"))
    mine = "mine" if len(state.hands[own]) <= FEW else '"mine many"'
    return (f"<div class=felt><div class=seats>{seats}</div>"
            f"<p class=middle role=group aria-label={label}>"
            f"{middle or escape(words('empty'))}</p>"
            f"<div class={mine}><p>{_cards(state.hands[own], state, words, marks)}</p>"
            f"{_name(state, smazzata, own, words, names)}</div>"
            f"<p class=took>{_taken(state, smazzata, words, names)}</p></div>")


def _name(state: State, smazzata: Smazzata, seat: int, words: ReviewWords, names: Names) -> str:
    dealer = f" ({escape(words('dealer'))})" if seat == state.dealer else ""
    return f"<p>{names.seat(smazzata, seat)}{dealer}</p>"


def _marks(decision: Decision) -> dict[str, str]:
    """By card, the classes that mark it: u played, t taken by it, w and v the same of the best."""
    marks: dict[str, list[str]] = {}
    pairs = [(decision.action, "u", "t"), (decision.best, "w", "v")]
    for action, played, taken in pairs[:1] if decision.best == decision.action else pairs:
        kind, one, cards, _ = parts_of(action)
        for name in [one] if one else cards:
            marks.setdefault(name, []).append(played)
        for name in cards if kind == "take" else ():
            marks.setdefault(name, []).append(taken)
    return {name: " ".join(classes) for name, classes in marks.items()}


def _cards(cards: Iterable[str], state: State, words: ReviewWords,
           marks: Mapping[str, str]) -> str:
    """Cards; the matta with the value that it was declared to be."""
    declared = state.declared if state.rules.rounds else None
    return "".join(
        words.colour(name, marks.get(name, ""),
                     declared if name == words.matta else None) for name in cards)


def _hand(state: State, seat: int, words: ReviewWords) -> str:
    """Another seat's hand: what is known of it face up, and how many cards face down."""
    known, hidden = state.hands[seat], state.unknown[seat]
    return _cards(known, state, words, {}) + (f"<i class=b>{hidden}</i>" if hidden else "")


def _taken(state: State, smazzata: Smazzata, words: ReviewWords, names: Names) -> str:
    """What each side has taken so far, and scored by sweeps and claims, in numbers."""
    parts = []
    for side, cards in enumerate(state.taken):
        amount = words("card_n" if len(cards) == 1 else "cards_n", n=len(cards))
        if state.rules.rounds:
            amount = words("took", cards=amount, points=words.points(state.scopa[side]),
                           diamonds=sum(name[1] == "D" for name in cards))
        parts.append(f"{names.side(smazzata, side)} {escape(amount)}")
    return "<br>".join(parts)
