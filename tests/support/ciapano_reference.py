"""Ciapa No from the rules' text, slowly, and every truth that agrees with what was seen.

Independent of the package: cards are text, hands are lists, worlds are found by trying all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations

ORDER = "4567JQKA23"
DECK = [rank + suit for rank in "A234567JQK" for suit in "HDCS"]


def joined(cards: Sequence[str]) -> str:
    """Cards in canonical order as one word."""
    return "".join(sorted(cards, key=DECK.index)) or "-"


def cards_of(text: str) -> list[str]:
    """The cards of a word of two letters each."""
    return [] if text == "-" else [text[i:i + 2] for i in range(0, len(text), 2)]


def margins(points: Sequence[int]) -> list[Fraction]:
    """Per seat, the mean of the others' points minus its own: few are good."""
    return [Fraction(sum(points) - own, 2) - own for own in points]


@dataclass
class Truth:
    """A smazzata with all its cards and all that was done in it."""

    dealer: int
    hands: list[list[str]]
    turn: int = 0
    lead: int | None = None
    trick: list[str] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=lambda: [[], [], []])
    discard: str | None = None
    passed: list[str | None] = field(default_factory=lambda: [None, None, None])

    def __post_init__(self) -> None:
        self.turn = (self.dealer + 1) % 3

    @property
    def passing(self) -> bool:
        """Whether cards are still handed on."""
        return self.lead is None

    @property
    def over(self) -> bool:
        """Whether all cards are played."""
        return not self.passing and not any(self.hands) and not self.trick

    def legal(self) -> list[str]:
        """The actions of the seat to move, in ASCII order."""
        if self.over:
            return []
        hand = self.hands[self.turn]
        if self.passing:
            return sorted(">" + card for card in hand)
        if self.trick:
            follow = [card for card in hand if card[1] == self.trick[0][1]]
            hand = follow or hand
        return sorted(hand)

    def apply(self, action: str) -> None:
        """Do what the action says."""
        seat = self.turn
        if action.startswith(">"):
            card = action[1:]
            self.hands[seat].remove(card)
            self.turn = (seat + 1) % 3
            if seat == self.dealer:
                self.discard = card
                self.lead = self.turn
            else:
                self.passed[seat] = card
                self.hands[self.turn].append(card)
            return
        self.hands[seat].remove(action)
        self.trick.append(action)
        self.turn = (seat + 1) % 3
        if len(self.trick) < 3:
            return
        led = self.trick[0]
        best = max((card for card in self.trick if card[1] == led[1]),
                   key=lambda card: ORDER.index(card[0]))
        assert self.lead is not None
        self.lead = self.turn = (self.lead + self.trick.index(best)) % 3
        self.taken[self.lead] += self.trick
        self.trick = []
        if not any(self.hands):
            assert self.discard is not None
            self.taken[self.lead].append(self.discard)
            self.discard = None

    def thirds(self) -> list[int]:
        """Per seat, the thirds taken so far; at the end with the last trick's."""
        out = [sum(3 if card[0] == "A" else card[0] in "23JQK" for card in cards)
               for cards in self.taken]
        if self.over:
            assert self.lead is not None
            out[self.lead] += 3
        return out

    def tokens(self, viewer: int | None = None) -> str:
        """The state string from ``dealer=`` on, without ``scores``, as a seat sees it."""
        hands = []
        for seat, hand in enumerate(self.hands):
            known = hand
            if viewer is not None and seat != viewer:
                # The viewer's gift is seen until the seat gives in its turn.
                known = [card for card in hand
                         if self.passing and seat == self.turn and seat == (viewer + 1) % 3
                         and card == self.passed[viewer]]
            unknown = f"?{len(hand) - len(known)}" if len(known) < len(hand) else ""
            hands.append((joined(known) if known or not unknown else "") + unknown)
        passed = []
        for seat, card in enumerate(self.passed):
            hidden = viewer is not None and viewer not in (seat, (seat + 1) % 3)
            passed.append("-" if card is None else "?1" if hidden else card)
        discard = self.discard or "-"
        if self.discard and viewer not in (None, self.dealer):
            discard = "?1"
        phase = "pass" if self.passing else "done" if self.over else "play"
        return " ".join([
            f"dealer={self.dealer}", f"turn={'-' if self.over else self.turn}",
            f"hands={'/'.join(hands)}", f"trick={''.join(self.trick) or '-'}",
            f"lead={'-' if self.lead is None else self.lead}",
            f"taken={'/'.join(map(joined, self.taken))}", f"discard={discard}",
            f"passed={'/'.join(passed)}", f"viewer={'-' if viewer is None else viewer}",
            f"phase={phase}",
        ])

    def seen(self, action: str, viewer: int) -> str:
        """An action of the seat to move as another seat sees it."""
        seat = self.turn
        hidden = action.startswith(">") and seat != viewer and (
            seat == self.dealer or viewer != (seat + 1) % 3)
        return ">?" if hidden else action


def replay(dealer: int, hands: Sequence[Sequence[str]], actions: Sequence[str]) -> Truth | None:
    """The truth after these actions from a deal; None where one of them is not legal."""
    truth = Truth(dealer, [list(hand) for hand in hands])
    for action in actions:
        if action not in truth.legal():
            return None
        truth.apply(action)
    return truth


def sightings(dealer: int, hands: Sequence[Sequence[str]], actions: Sequence[str],
              viewer: int) -> list[str]:
    """What a seat saw: the state at the start and every action as it was seen."""
    truth = Truth(dealer, [list(hand) for hand in hands])
    out = [truth.tokens(viewer)]
    for action in actions:
        out.append(truth.seen(action, viewer))
        truth.apply(action)
    return out


def agreeing_truths(
    dealer: int, hands: Sequence[Sequence[str]], actions: Sequence[str], viewer: int
) -> Iterator[str]:
    """Every truth that ``viewer`` can't tell from the one that these actions lead to.

    Tries all divisions of what it has not seen, and all that can have been handed on
    unseen, and keeps what replays to the same sight.
    """
    now = replay(dealer, hands, actions)
    assert now is not None
    seen = sightings(dealer, hands, actions, viewer)
    plays = [action for action in actions if not action.startswith(">")]
    played = plays_of(dealer, hands, actions)
    for held, discard in _divisions(now, played, viewer):
        had = [cards + played[seat] for seat, cards in enumerate(held)]
        for start, gifts in _before_passing(had, len(actions) - len(plays), discard, now, viewer):
            words = gifts + plays
            truth = replay(dealer, start, words)
            if truth and sightings(dealer, start, words, viewer) == seen:
                yield truth.tokens()


def plays_of(
    dealer: int, hands: Sequence[Sequence[str]], actions: Sequence[str]
) -> list[list[str]]:
    """Per seat, the cards that it has played."""
    out: list[list[str]] = [[], [], []]
    truth = Truth(dealer, [list(hand) for hand in hands])
    for action in actions:
        if not action.startswith(">"):
            out[truth.turn].append(action)
        truth.apply(action)
    return out


def _divisions(
    now: Truth, played: list[list[str]], viewer: int
) -> Iterator[tuple[list[list[str]], str | None]]:
    """The hands and the discard that there may be, by their sizes alone."""
    one, two = (seat for seat in range(3) if seat != viewer)
    hidden = now.hands[one] + now.hands[two]
    discard = now.discard
    if now.over:
        # It is among the taken cards: the one that nobody played.
        discard = next(card for card in DECK if card not in chain(*played))
    elif discard and viewer != now.dealer:
        hidden = [*hidden, discard]
    for held_one in combinations(hidden, len(now.hands[one])):
        left = [card for card in hidden if card not in held_one]
        for held_two in combinations(left, len(now.hands[two])):
            rest = [card for card in left if card not in held_two]
            held = [now.hands[viewer]] * 3
            held[one], held[two] = list(held_one), list(held_two)
            yield held, rest[0] if rest else discard


def _before_passing(
    hands: list[list[str]], n: int, discard: str | None, now: Truth, viewer: int
) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Deals from which ``n`` gifts, discard included, make these hands; with the gifts."""
    if n == 0:
        yield hands, []
        return
    giver = (now.dealer + n) % 3
    receiver = (giver + 1) % 3
    if giver == now.dealer:
        assert discard is not None
        candidates = [discard]
    elif viewer in (giver, receiver):
        candidates = [card for card in hands[receiver] if card == now.passed[giver]]
    else:
        candidates = hands[receiver]
    for card in candidates:
        before = [list(hand) for hand in hands]
        if giver != now.dealer:
            before[receiver].remove(card)
        before[giver].append(card)
        for start, gifts in _before_passing(before, n - 1, discard, now, viewer):
            yield start, [*gifts, f">{card}"]
