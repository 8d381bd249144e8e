"""Cards and actions as people say and type them, in either language, for tests of what reads
them.

The words stand here once more, by hand, since a test that took them from the code could not
fail.
"""

from __future__ import annotations

from random import Random

from cirulla_ai import Action, State
from cirulla_ai.action import Deal, Step

__all__ = ["RANKS", "SUITS", "card_forms", "say", "spoken_card"]

RANKS = {
    "A": ("asso", "ace", "1"), "2": ("due", "two", "2"), "3": ("tre", "three", "3"),
    "4": ("quattro", "four", "4"), "5": ("cinque", "five", "5"), "6": ("sei", "six", "6"),
    "7": ("sette", "seven", "7"), "J": ("fante", "jack", "8"),
    "Q": ("donna", "queen", "9", "cavallo", "regina", "knight"), "K": ("re", "king", "10"),
}
SUITS = {
    "H": ("cuori", "hearts", "♥", "coppe", "cups", "♡"),
    "D": ("quadri", "diamonds", "♦", "denari", "coins", "♢"),
    "C": ("fiori", "clubs", "♣", "bastoni", "batons", "♧"),
    "S": ("picche", "spades", "♠", "spade", "swords", "♤"),
}
# Letters in the Italian way; C alone is clubs to everybody.
LETTERS = {"J": ("J", "F", "8"), "Q": ("Q", "D", "9"), "K": ("K", "R", "10"), "A": ("A", "1")}
BEHIND = {"H": ("H", "♥"), "D": ("D", "Q", "♦"), "C": ("C", "F", "B", "♣"), "S": ("S", "P", "♠")}


def card_forms(card: str) -> list[str]:
    """All the ways in which a card is written here."""
    rank, suit = card[0], card[1]
    forms = [first + last for first in LETTERS.get(rank, (rank,)) for last in BEHIND[suit]]
    forms += [f"{SUITS[suit][2]}{first}" for first in LETTERS.get(rank, (rank,))]
    forms.append(f"{SUITS[suit][2]}\ufe0f{rank}")
    italian = [RANKS[rank][0], RANKS[rank][2], rank]
    english = [RANKS[rank][1], RANKS[rank][2], rank]
    forms += [f"{first} di {name}" for first in italian for name in SUITS[suit][::3]]
    forms += [f"{first} of {name}" for first in english for name in SUITS[suit][1::3]]
    forms += [f"{RANKS[rank][0]} {SUITS[suit][0]}", f"{rank} {SUITS[suit][2]}"]
    if rank == "Q":
        forms += [f"cavallo di {SUITS[suit][3]}", f"regina di {SUITS[suit][0]}"]
    if card == "7D":
        forms += ["settebello", "sette bello"]
    return [*forms, *(form.upper() for form in forms), *(form.lower() for form in forms)]


def spoken_card(card: str, random: Random) -> str:
    """One of those ways."""
    return random.choice(card_forms(card))


def say(step: Step, state: State, random: Random) -> str:
    """An action or deal in the words of a person who says all of it."""
    if isinstance(step, Deal):
        cards = [str(step)[at:at + 2] for at in range(1, len(str(step)), 2)]
        random.shuffle(cards)
        return random.choice(("@", "@ ", "dealt ", "riceve ")) + _cards(cards, random)
    return _action(step, state, random)


def _cards(cards: list[str], random: Random) -> str:
    apart: str = random.choice((" ", ", ", " + ", " e ", " and "))
    return apart.join(spoken_card(card, random) for card in cards)


def _action(action: Action, state: State, random: Random) -> str:
    cards = list(action.cards)
    random.shuffle(cards)
    if action.kind == "pass":
        return random.choice(("pass", "passes", "passa", "PASSA"))
    if action.kind == "claim":
        claims = random.choice(("!", "claims ", "bussa ", "knocks ", "accusa "))
        value: str = random.choice(("={}", " = {}", " matta {}", " matta come {}", " worth {}"))
        return claims + _cards(cards, random) + (value.format(action.value) if action.value else "")
    if action.kind == "give":
        if action.card is None:
            return random.choice((">?", "passes ?", "passa", "gives"))
        last = state.turn == state.dealer
        verb: str = random.choice(("> ", ">", *(("scarta ", "discards ") if last else
                                           ("passes ", "gives ", "passa "))))
        return verb + spoken_card(action.card, random)
    assert action.card
    card = spoken_card(action.card, random)
    if cards:
        if random.random() < 0.2:
            return f"prende {_cards(cards, random)} con {card}"
        takes = random.choice((" takes ", " prende ", " x ", " captures ", " × ", " e prende "))
        return random.choice(("", "gioca ", "plays ")) + card + takes + _cards(cards, random)
    lays = ["", "plays ", "gioca ", "lays ", "cala ", "laid "]
    return random.choice(lays) + card
