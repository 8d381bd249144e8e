"""The state that a record starts from, by its tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, zip_longest
from typing import TypeVar

from cirulla_ai._core.cards import card_name
from cirulla_ai.basics.numbers import whole_number
from cirulla_ai.games.reader import StateError
from cirulla_ai.records.text import RecordError
from cirulla_ai.records.words import read_cards
from cirulla_ai.rules import Rules
from cirulla_ai.state import State, read_pack

__all__ = ["SCORES_APART", "SEAT_TAG", "Dealing", "Place", "Tags", "is_given", "seen_tags",
           "start_of"]

# Tags that say what all the cards are.
DEALING = ("Pack", "State", "Seed")
SEAT_TAG = re.compile(r"Seat([0-9]{1,3})")
SEEN = re.compile(r"Hand([0-9]{1,3})|Table", re.IGNORECASE)
SCORES_APART = re.compile(r"\s*[-/:,]\s*|\s+(?:to|a)\s+|\s+", re.IGNORECASE)

# The line and the column of something, from 1.
Place = tuple[int, int]
# Names to values and the places where those stand.
Tags = dict[str, tuple[str, Place]]
T = TypeVar("T")


def start_of(
    tags: Mapping[str, tuple[str, Place]], line: int, first: int | None = None
) -> State:
    """The start: by ``State``, or else dealt by ``Pack``, by ``Seed``, or as far as ``Hand0``
    … and ``Table`` say what was seen of the deal.

    Rules left out are those of ``cirulla``, scores and misdeals 0, as everywhere; the dealer
    sits before ``first``, the seat that is said to act first, or is the last seat.  What is
    given must agree.  Raises RecordError; ``line`` is that of the record.
    """
    # The rules first, and then the cards: what all the rest means depends on them.
    rules = _read(tags, "Rules", _rules)
    seen = seen_tags(tags)
    if not seen and not any(is_given(tags, name) for name in DEALING):
        raise RecordError("no cards: one of the tags Pack, State and Seed is needed, or Hand0 … "
                          "and Table with what one seat saw", line)
    start = _read(tags, "State", State.parse)
    seat = partial(_seat, tags)
    dealer = _read(tags, "Dealer", seat)
    scores = _read(tags, "Scores", _scores)
    misdeals = _read(tags, "Misdeals", whole_number)
    viewer = _read(tags, "Viewer", seat)
    deals = dealer
    if dealer is None and first is not None and first < (rules or Rules()).players:
        deals = (first - 1) % (rules or Rules()).players
    if seen:
        start = _dealt(tags, seen, Dealing(rules or Rules(), deals, scores, misdeals or 0), viewer)

    def deal(text: str) -> State:
        return State.deal(rules or Rules(), dealer=deals, scores=scores, misdeals=misdeals or 0,
                          pack=_pack(text))

    def shuffle(text: str) -> State:
        # The tag counts all the misdeals before the deal, and the seed may have made some.
        seed = whole_number(text)
        counted = State.deal(rules or Rules(), dealer=deals, scores=scores, seed=seed).misdeals
        before = 0 if misdeals is None else misdeals - counted
        if before < 0:
            raise ValueError(f"{text} makes {counted} misdeals, more than Misdeals {misdeals}")
        return State.deal(rules or Rules(), dealer=deals, scores=scores, misdeals=before,
                          seed=seed)

    dealt = None if seen else _read(tags, "Pack", deal)
    if start is not None and dealt is not None and start != dealt:
        raise RecordError(f"Pack deals another state than State: {dealt}", *tags["Pack"][1])
    if start is None:
        start = dealt if dealt is not None else _read(tags, "Seed", shuffle)
    assert start is not None
    for name, given, found in (
        ("Rules", rules, start.rules), ("Dealer", dealer, start.dealer),
        ("Scores", scores, start.scores), ("Misdeals", misdeals, start.misdeals),
        ("Viewer", viewer, start.viewer),
    ):
        if given is not None and given != found:
            right = "/".join(map(str, found)) if isinstance(found, tuple) else found
            raise RecordError(f"{name} {tags[name][0]}: the cards are dealt with {name} "
                              f"{'-' if right is None else right}", *tags[name][1])
    return start


# --- dealt as far as was seen ---------------------------------------------------------

@dataclass(frozen=True)
class Dealing:
    """What a smazzata is dealt by, but for the cards; ``dealer`` None: the last seat."""

    rules: Rules
    dealer: int | None = None
    scores: tuple[int, ...] | None = None
    misdeals: int = 0

    def sizes(self) -> list[int]:
        """Per seat, the number of cards in its first hand."""
        some = State.deal(self.rules, dealer=self.dealer, seed=0)
        return [len(hand) for hand in some.hands]

    def state(
        self, hands: Mapping[int, Sequence[str]], table: Sequence[str], stock: Sequence[str] = (),
    ) -> State:
        """The whole truth in which these hands and this first table are dealt.

        The cards of the hands that are not given, and of the stock from where it ends, are
        all the others in canonical order: a view of it tells nothing of them.  Raises
        ValueError where the cards are not as many as are dealt or stand twice, and
        MisdealError where the table is a misdeal.
        """
        rules, sizes = self.rules, self.sizes()
        for seat, hand in sorted(hands.items()):
            if not 0 <= seat < rules.players:
                raise ValueError(f"there is no seat {seat}; seats are 0 … {rules.players - 1}")
            if len(hand) != sizes[seat]:
                raise ValueError(f"{len(hand)} cards of seat {seat}, which is dealt {sizes[seat]}")
        if len(table) != rules.table_size:
            raise ValueError(f"{len(table)} cards on the table, where {rules.table_size} are laid")
        given = [*chain.from_iterable(hands.values()), *table, *stock]
        if twice := [card for card, times in Counter(given).items() if times > 1]:
            raise ValueError(f"{twice[0]} stands twice")
        others = (card for card in map(card_name, range(40)) if card not in given)
        dealer = rules.players - 1 if self.dealer is None else self.dealer
        dealt = []
        for k in range(rules.players):
            seat = (dealer + 1 + k) % rules.players
            dealt.append(list(hands.get(seat) or islice(others, sizes[seat])))
        in_turn = (card for cards in zip_longest(*dealt) for card in cards if card)
        return State.deal(rules, dealer=self.dealer, scores=self.scores, misdeals=self.misdeals,
                          pack=[*in_turn, *table, *stock, *others])


def seen_tags(tags: Mapping[str, tuple[str, Place]]) -> Mapping[str, str]:
    """The tags that say what was seen of the deal, as ``0`` … and ``Table``, to their names.

    There are none where the cards are given whole: then they are tags as any others.
    """
    if any(is_given(tags, name) for name in DEALING):
        return {}
    found = {}
    for name in tags:
        if (match := SEEN.fullmatch(name)) and is_given(tags, name):
            found[match[1] or "Table"] = name
    return found


def _dealt(
    tags: Mapping[str, tuple[str, Place]], seen: Mapping[str, str], deal: Dealing,
    viewer: int | None,
) -> State:
    """The start as it was seen: by one seat, or whole where that leaves no cards unknown."""
    hands = {int(seat): _read(tags, name, read_cards) or ()
             for seat, name in seen.items() if seat != "Table"}
    table = _read(tags, seen["Table"], read_cards) or () if "Table" in seen else ()
    name = next(iter(seen.values()))
    if viewer is None and len(hands) == 1:
        viewer = next(iter(hands))
    if viewer is not None and list(hands) != [viewer]:
        wrong = f"Viewer {viewer}: Hand{viewer} is needed, and no other hand is known"
        raise RecordError(wrong, *tags.get("Viewer", tags[name])[1])
    if viewer is None and len(table) + sum(map(len, hands.values())) < 40:
        raise RecordError(
            "all cards of the deal have to be known, or the hand of one seat and the Table; "
            "where the stock is known write a Pack", *tags[name][1])
    try:
        truth = deal.state(hands, table)
    except ValueError as error:
        raise RecordError(str(error), *tags[name][1]) from None
    return truth if viewer is None else truth.view(viewer)


# --- what a tag says ------------------------------------------------------------------

def _rules(text: str) -> Rules:
    return Rules.parse(text if text.lower().startswith("rules=") else f"rules={text}")


def _scores(text: str) -> tuple[int, ...]:
    parts = SCORES_APART.split(text.strip())
    return tuple(whole_number(part) for part in parts)


def _seat(tags: Mapping[str, tuple[str, Place]], text: str) -> int:
    """A seat by its number, or by who sits there."""
    named = [name for name, (value, _) in tags.items()
             if SEAT_TAG.fullmatch(name) and value.casefold() == text.casefold()]
    return whole_number(named[0][4:] if len(named) == 1 and not text.isdigit() else text)


def _pack(text: str) -> str:
    """Forty cards in the notation, where they are written in it or as people write cards."""
    try:
        read_pack(text)
    except StateError:
        try:
            return "".join(read_cards(text))
        except ValueError:
            # What the notation says of it.
            pass
    return text


def is_given(tags: Mapping[str, tuple[str, Place]], name: str) -> bool:
    """Whether a tag says something: it is neither left out nor ``?`` nor ``-``."""
    return tags.get(name, ("",))[0] not in ("", "?", "-")


def _read(tags: Mapping[str, tuple[str, Place]], name: str, read: Callable[[str], T]) -> T | None:
    """The value of a tag, None where it is left out or written ``?`` or ``-``."""
    if not is_given(tags, name):
        return None
    text, place = tags[name]
    try:
        return read(text)
    except ValueError as error:
        message = str(error)[:500]
        # The game's own errors may name the same thing, in lower case.
        if message.lower().startswith(f"{name.lower()}: "):
            message = message[len(name) + 2:]
        raise RecordError(f"{name}: {message}", *place) from None
