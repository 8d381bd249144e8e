"""What a card of Ciapa No costs by the model of play, slowly and from cards as text.

Independent of the package: the core's costs are compared with these.
"""

from __future__ import annotations

from support.ciapano_reference import DECK, ORDER, Truth

# How likely both others stay under a card, by the number of lower cards that are out.
STAY_UNDER = (0.0, 0.35, 0.65, 0.85, 0.95, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
# Thirds that the others' two cards bring to a trick that one takes against one's will.
BROUGHT = 3.0
# What being without a suit is worth in thirds: its tricks take a bad card away.
VOID = 1.2
# The longest runs of a suit worth looking at: seldom does one come round more often.
ROUNDS = 5


def costs(truth: Truth) -> dict[str, float]:
    """Thirds that each action of the seat to move is likely to cost, of its own hand alone."""
    hand = truth.hands[truth.turn]
    seen = [*hand, *truth.trick, *(card for cards in truth.taken for card in cards)]
    if truth.turn == truth.dealer and truth.discard:
        seen.append(truth.discard)
    out = [card for card in DECK if card not in seen]
    found = {}
    for action in truth.legal():
        card = action.removeprefix(">")
        found[action] = danger([other for other in hand if other != card], out)
        if not truth.passing:
            found[action] += taking(card, truth.trick, out) * worth(card, truth.trick)
    return found


def strength(card: str) -> int:
    """A card's place in its suit, from the weakest, 0."""
    return ORDER.index(card[0])


def thirds(card: str) -> int:
    """What a card counts: ace 3, two, three, J, Q and K 1."""
    return 3 if card[0] == "A" else int(card[0] in "23JQK")


def of_suit(cards: list[str], suit: str) -> list[int]:
    """The strengths of a suit's cards, weakest first."""
    return sorted(strength(card) for card in cards if card[1] == suit)


# --- the open trick ---------------------------------------------------------------------

def worth(card: str, trick: list[str]) -> float:
    """Thirds that the trick brings to who takes it."""
    return sum(map(thirds, [card, *trick])) + (2 - len(trick)) * BROUGHT / 2


def taking(card: str, trick: list[str], out: list[str]) -> float:
    """How likely a card takes the trick."""
    others = of_suit(out, card[1])
    lower = sum(other < strength(card) for other in others)
    if not trick:
        # Where nobody else has the suit, it is taken for certain.
        return STAY_UNDER[lower] if others else 1.0
    if card[1] != trick[0][1] or strength(card) < of_suit(trick, card[1])[-1]:
        return 0.0
    if len(trick) == 2 or lower == len(others):
        return 1.0
    # The third seat stays under wherever it can.
    return 0.9 if lower > 2 else 0.75 if lower else 0.5


# --- the hand that is left --------------------------------------------------------------

def danger(hand: list[str], out: list[str]) -> float:
    """Thirds that a hand is likely to cost in the tricks to come."""
    return sum(
        suit_danger(sorted((card for card in hand if card[1] == suit), key=strength),
                    of_suit(out, suit))
        for suit in "HDCS")


def suit_danger(cards: list[str], out: list[int]) -> float:
    """What a suit of a hand is likely to cost; its cards weakest first."""
    if not cards:
        return -VOID if out else 0.0
    total = 0.0
    for time, card in enumerate(cards[:ROUNDS]):
        # Two cards of the others go each time round.
        comes_round = min(1.0, max(0.1, len(out) / 2 - time + 0.5))
        lower = sum(other < strength(card) for other in out)
        total += comes_round * STAY_UNDER[max(0, lower - 2 * time)] * (thirds(card) + BROUGHT)
    # Cards above those will hardly be asked for, but an ace must still go somewhere.
    return total + sum(0.2 * thirds(card) for card in cards[ROUNDS:])
