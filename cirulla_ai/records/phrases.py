"""What people write for an action, and which actions can be meant by it.

A phrase says what was done as far as it says it: ``7h takes 3c 4d``, ``donna``, ``bussa``.
What it leaves open is settled by what can be done where it stands; where more than one
action is left it is refused, with those that are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from cirulla_ai.action import Action, ActionError, Deal, Step
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.records.text import shorten
from cirulla_ai.records.words import FORMS, Lexer, Naming
from cirulla_ai.state import State

__all__ = ["Phrase", "PhraseError", "read_phrase", "step_meant"]

CLAIMED = 3
# Kinds of a phrase, and those of the actions that it can be.
MEANS = {
    "play": ("play",), "lay": ("play",), "discard": ("play", "give"), "give": ("give",),
    "pass": ("pass", "give"), "claim": ("claim",), "card": ("play", "give"),
}


class PhraseError(PortableError, ActionError):
    """A phrase that breaks off or goes wrong; ``at`` is its place in the text."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True)
class Phrase:
    """What was written of one action.

    ``kind`` is one of ``MEANS`` or ``deal``; ``card`` the card played or given, ``cards``
    those captured, shown or dealt, where they were named (``everything``: all of the table);
    ``value`` the matta's; ``scopa`` whether it was said to be one.  ``begin`` and ``end``
    are its place; ``joined`` says that more was written than a card alone.
    """

    kind: str
    begin: int
    end: int
    card: Naming | None = None
    cards: tuple[Naming, ...] | None = None
    everything: bool = False
    value: int | None = None
    scopa: bool = False
    joined: bool = False

    def step(self) -> Step | None:
        """The action or deal in the notation, where all of it is said."""
        named = self.cards or ()
        if any(card.suit is None for card in (*named, *filter(None, [self.card]))):
            return None
        cards = "".join(map(str, named))
        if self.kind == "deal":
            return Deal(cards)
        if self.kind == "claim" and self.cards:
            return Action(f"!{cards}" + (f"={self.value}" if self.value else ""))
        if self.kind == "pass" and not self.card:
            return Action("pass")
        if self.card is None or self.everything:
            return None
        if self.kind in ("give", "pass"):
            return Action(f">{self.card}")
        return Action(f"{self.card}x{cards}" if cards else str(self.card))


# --- from text ------------------------------------------------------------------------

def read_phrase(
    text: str, at: int = 0, stops: re.Pattern[str] | None = None, hand: int = 40
) -> Phrase | None:
    """The phrase that begins at a place, None where no word for an action stands there.

    ``stops`` is what no phrase goes beyond, ``hand`` the number of cards that are dealt at a
    time.  Raises PhraseError where something is missing.

    >>> read_phrase("7h takes 3c and the 4 of diamonds").step()
    Action('7Hx3C4D')
    """
    return _PhraseReader(Lexer(text, at, stops), hand).read()


class _PhraseReader:
    """Reads one phrase."""

    def __init__(self, lexer: Lexer, hand: int) -> None:
        self.lexer = lexer
        self.hand = hand
        self.end = lexer.at

    def kind(self, ahead: int = 0) -> str:
        """What kind of word is next, on the same line; "" for none."""
        lexeme = self.lexer.peek(ahead)
        return lexeme.kind if lexeme and not lexeme.fresh else ""

    def take(self) -> None:
        lexeme = self.lexer.next()
        assert lexeme
        self.end = lexeme.end

    def read(self) -> Phrase | None:
        lexer = self.lexer
        mark = re.compile(r"\s*([!>@])").match(lexer.text, lexer.at)
        if mark:
            lexer.at = self.end = mark.end()
        while not mark and (first := lexer.peek()) and first.kind == "and":
            self.take()
        first = lexer.peek()
        begin = mark.start(1) if mark else first.begin if first else lexer.at
        kind = {"!": "claim", ">": "give", "@": "deal"}[mark[1]] if mark else (
            first.kind if first else "")
        if kind not in ("card", "deal", "take", *MEANS):
            return None
        if kind != "card" and not mark:
            self.take()
        phrase = self.rest(Phrase(kind, begin, begin, joined=kind != "card" and not mark))
        if self.kind() == "scopa" or (self.kind() == "and" and self.kind(1) == "scopa"):
            while self.kind() in ("and", "scopa"):
                self.take()
            phrase = replace(phrase, scopa=True, joined=True)
        return replace(phrase, end=self.end)

    def rest(self, phrase: Phrase) -> Phrase:
        """The phrase after its first verb."""
        kind = phrase.kind
        if kind == "claim":
            phrase = replace(phrase, cards=self.cards(CLAIMED) or None)
            return replace(phrase, value=self.declared())
        if kind == "deal":
            return replace(phrase, cards=self.cards(self.hand, needed=True))
        if kind == "take":
            phrase = self.captured(replace(phrase, kind="play"))
            if self.kind() != "with":
                raise PhraseError("the card that takes them is needed, as 7H takes 3C 4D",
                                  self.end)
            self.take()
            return replace(phrase, card=self.card())
        if kind in ("pass", "give", "discard"):
            if self.kind() == "unseen":
                self.take()
            elif self.kind() == "card":
                phrase = replace(phrase, card=self.card())
            return phrase
        phrase = replace(phrase, card=self.card())
        if kind == "lay":
            return replace(phrase, cards=())
        if self.kind() == "lay":
            self.take()
            return replace(phrase, kind="lay", cards=(), joined=True)
        if self.kind() == "take" or (self.kind() == "and" and self.kind(1) == "take"):
            while self.kind() in ("and", "take"):
                self.take()
            return self.captured(replace(phrase, joined=True))
        # 7H 3C+4D: cards that are joined are taken by the one before them.
        if self.kind() == "card" and self.is_plus():
            return self.captured(replace(phrase, joined=True))
        return phrase

    def is_plus(self) -> bool:
        """Whether the card after the next is joined to that by a plus sign."""
        sign = self.lexer.peek(1)
        return bool(sign and self.lexer.text[sign.begin:sign.end] == "+")

    def card(self) -> Naming:
        lexeme = self.lexer.peek()
        if not lexeme or lexeme.card is None:
            raise PhraseError(f"a card is needed here, {FORMS}", self.place())
        self.take()
        return lexeme.card

    def place(self) -> int:
        """Where the next word of the line stands, or the last one ended."""
        blank = re.compile(r"[ \t]*(?=\S)").match(self.lexer.text, self.end)
        return blank.end() if blank else self.end

    def captured(self, phrase: Phrase) -> Phrase:
        if self.kind() == "all":
            self.take()
            return replace(phrase, everything=True)
        cards = self.cards(40, needed=True)
        if not cards:
            raise PhraseError(f"the cards that are taken are needed here, {FORMS}", self.place())
        return replace(phrase, cards=cards)

    def cards(self, most: int, needed: bool = False) -> tuple[Naming, ...]:
        """Cards, with what joins them; on the next line only where one is joined there, or
        ``needed`` and none stood on this."""
        cards: list[Naming] = []
        while len(cards) < most:
            joined = bool(cards) and self.kind() == "and"
            lexeme = self.lexer.peek(joined)
            if not lexeme or lexeme.card is None or (
                lexeme.fresh and not joined and not (needed and not cards)
            ):
                break
            if joined:
                self.take()
            self.take()
            cards.append(lexeme.card)
        return tuple(cards)

    def declared(self) -> int | None:
        """The value declared for the matta, where one is."""
        said = False
        while self.kind() == "equals" or (self.kind() == "and" and self.kind(1) == "equals"):
            self.take()
            said = True
        if not said:
            return None
        lexeme = self.lexer.peek()
        if not lexeme or lexeme.card is None or lexeme.card.suit:
            raise PhraseError("the value of the matta is needed here, 1 … 10", self.place())
        self.take()
        return lexeme.card.value


# --- what is meant --------------------------------------------------------------------

def step_meant(phrase: Phrase, state: State, written: str) -> Step:
    """The one action, or deal, of ``state`` that the phrase can mean.

    Raises ActionError where there is none, or more than one; it names ``written``, and what
    would be right.
    """
    told = shorten(written)
    full = phrase.step()
    if phrase.kind == "deal":
        if full is None:
            raise ActionError(f"{told}: all cards of the hand are needed with their suits")
        return full
    if state.is_over or state.phase == "deal":
        # Which says what is wrong here.
        state.check(full or Action("pass"))
    found = readings(phrase, state)
    if len(found) == 1:
        return found[0]
    if found:
        some = " or ".join(map(str, found[:8]))
        raise ActionError(f"{told} may be {some}{' …' if len(found) > 8 else ''}; write which")
    if isinstance(full, Action):
        try:
            state.check(full)
        except ActionError as error:
            # In the notation it names itself.
            same = written.casefold() == str(full).casefold()
            raise ActionError(str(error) if same else f"{told}: {error}") from None
    raise ActionError(f"{told}: seat {state.turn} can't do this here{_choices(state)}")


def readings(phrase: Phrase, state: State) -> list[Action]:
    """The actions of the seat to move that the phrase can mean, in their order."""
    found = [action for action in _candidates(phrase, state) if _fits(phrase, action, state)]
    if phrase.cards is None and not phrase.everything and phrase.kind in ("card", "play"):
        # A card alone is laid, where it can be.
        found = [action for action in found if not action.cards] or found
    return found


def _candidates(phrase: Phrase, state: State) -> Iterable[Action]:
    if state.viewer in (None, state.turn):
        return state.legal_actions()
    named = phrase.cards or () if phrase.kind == "claim" else filter(None, [phrase.card])
    choices = product(*(card.cards for card in named))
    return sorted({action for cards in choices if len(set(cards)) == len(cards)
                   for action in state.possible_actions(cards)})


def _fits(phrase: Phrase, action: Action, state: State) -> bool:
    if action.kind not in MEANS[phrase.kind]:
        return False
    if action.kind == "claim":
        return ((phrase.cards is None or _match(phrase.cards, action.cards))
                and phrase.value in (None, action.value))
    if action.kind == "pass":
        return phrase.card is None
    if phrase.card is None:
        # A card that was not seen to be given; one that is known has to be named.
        return action.card is None or state.viewer in (None, state.turn)
    if phrase.kind == "discard" and action.cards:
        return False
    if action.card not in phrase.card.cards:
        return False
    if phrase.everything:
        return bool(action.cards) and action.cards == state.table
    return phrase.cards is None or _match(phrase.cards, action.cards)


def _match(named: tuple[Naming, ...], cards: tuple[str, ...]) -> bool:
    """Whether these are the cards that were named, some perhaps by their rank alone."""
    full = {str(card) for card in named if card.suit}
    left = Counter(card[0] for card in cards if card not in full)
    return len(named) == len(cards) and full.issubset(cards) and left == Counter(
        card.rank for card in named if not card.suit)


def _choices(state: State) -> str:
    """What could be done, for a message."""
    if state.viewer not in (None, state.turn):
        return ""
    legal: Iterator[str] = map(str, state.legal_actions())
    return f"; legal are {' '.join(list(legal)[:40])}"
