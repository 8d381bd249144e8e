"""What the readers and writers of all games' state strings share, and their error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from cirulla_ai._core.cards import card_name, indices, parse_sequence, set_of, text_of
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import whole_number

if TYPE_CHECKING:
    from cirulla_ai._core.contract import Fields
    from cirulla_ai.rules import Rules

__all__ = ["MAX_POINTS", "Reader", "StateError"]

# Larger than any real score, small enough for the core's 32-bit sums.
MAX_POINTS = 1_000_000

DECK = (1 << 40) - 1


class StateError(PortableError, ValueError):
    """A state string that can't be; ``key`` is the key at fault."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key


def count(cards: int) -> int:
    return bin(cards).count("1")


def cards_text(cards: int) -> str:
    return text_of(cards) or "-"


def seat_text(seat: int) -> str:
    return str(seat) if seat >= 0 else "-"


def listed(values: Iterable[object]) -> str:
    return "/".join(map(str, values))


class Reader:
    """Reads the keys of one state string; each game's reader says which there are."""

    def __init__(self, rules: Rules, texts: Mapping[str, str]) -> None:
        self.rules = rules
        self.texts = texts

    def number(self, key: str, text: str, low: int, high: int) -> int:
        try:
            return whole_number(text, low, high)
        except ValueError as error:
            raise StateError(key, str(error)) from None

    def one(self, key: str, default: int, low: int, high: int, empty: int | None = None) -> int:
        """A number; ``-`` is ``empty`` where that is allowed."""
        text = self.texts.get(key)
        if text is None:
            return default
        if text == "-" and empty is not None:
            return empty
        return self.number(key, text, low, high)

    def many(self, key: str, n: int, default: str) -> list[str]:
        parts = self.texts.get(key, "/".join([default] * n)).split("/")
        if len(parts) != n:
            raise StateError(key, f"{len(parts)} parts separated by / in {self.texts[key]}; "
                             f"{n} are needed")
        return parts

    def numbers(self, key: str, n: int, high: int) -> list[int]:
        return [self.number(key, part, 0, high) for part in self.many(key, n, "0")]

    def card_set(self, key: str, text: str) -> int:
        try:
            return set_of(text)
        except ValueError as error:
            raise StateError(key, str(error)) from None

    def sets(self, key: str, n: int) -> list[int]:
        return [self.card_set(key, part) for part in self.many(key, n, "-")]

    def hand(self, text: str) -> tuple[int, int]:
        """Known cards and the number of unknown ones."""
        known, mark, unknown = text.partition("?")
        n = self.number("hands", unknown, 1, 40) if mark else 0
        return self.card_set("hands", known), n

    def need(self, *keys: str) -> None:
        for key in keys:
            if key not in self.texts:
                raise StateError(key, "is needed")

    def sequence(self, key: str, text: str) -> list[int]:
        """Cards in an order that matters."""
        try:
            return [] if text == "-" else parse_sequence(text)
        except ValueError as error:
            raise StateError(key, str(error)) from None

    def check_turn(self, f: Fields, phase: str) -> None:
        """Somebody is to move, but at the end."""
        if phase == "done":
            if "turn" in self.texts and f["turn"] >= 0:
                raise StateError("turn", "must be - where phase=done")
            f["turn"] = -1
        elif f["turn"] < 0:
            raise StateError("turn", f"- stands only where phase=done, not where phase={phase}")

    @staticmethod
    def check_once(places: Iterable[tuple[str, int]]) -> int:
        """No card in two places; the number of cards."""
        seen: dict[int, str] = {}
        for key, cards in places:
            for index in indices(cards):
                if index in seen:
                    raise StateError(key, f"{card_name(index)} stands also in {seen[index]}")
                seen[index] = key
        return len(seen)

    @staticmethod
    def check_unknown(f: Fields) -> None:
        """Nothing is unknown in a whole truth, nor in the viewer's own hand."""
        for seat, (_, unknown) in enumerate(f["hands"]):
            if f["viewer"] < 0 and unknown:
                raise StateError("hands", f"?{unknown} in seat {seat}'s hand: unknown cards in "
                                 "a whole truth (viewer=-)")
            if seat == f["viewer"] and unknown:
                raise StateError("hands", f"?{unknown} in seat {seat}'s hand, which is the "
                                 "viewer's own: viewer knows it")
