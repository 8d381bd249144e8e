"""Actions: what a seat does on its turn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import total_ordering
from operator import index
from typing import TypeVar

from cirulla_ai._core.actions import (
    UNSEEN,
    action_text,
    decode,
    encode_claim,
    encode_give,
    encode_pass,
    encode_play,
)
from cirulla_ai._core.cards import card_name, indices, parse_card, set_of, text_of
from cirulla_ai.basics.numbers import given, whole_number

__all__ = ["Action", "ActionError", "Deal", "Step", "parse_action", "several", "step_of"]


class ActionError(ValueError):
    """An action that can't be read or played."""


def parse_action(text: str) -> int:
    """The code of an action in the rules' notation, in any order and letter case.

    Raises ActionError where it is no action at all; whether it is legal is another matter.
    """
    if not isinstance(text, str):
        raise TypeError(f"action {given(text)}: an Action or its text is needed, as '7Hx3S5C'")
    try:
        return _parse_action(text)
    except ValueError as error:
        raise ActionError(f"action {text!r}: {error}") from None


def _parse_action(text: str) -> int:
    if text.lower() == "pass":
        return encode_pass()
    if text.startswith(">"):
        return encode_give(UNSEEN if text == ">?" else parse_card(text[1:]))
    if text.startswith("!"):
        shown, equals, declared = text[1:].partition("=")
        cards = set_of(shown)
        if cards.bit_count() != 3:
            raise ValueError("a claim shows three cards, as !3C4D7H=2")
        value = 0
        if equals:
            try:
                value = whole_number(declared, 1, 10)
            except ValueError as error:
                raise ValueError(f"the declared value {error}") from None
        return encode_claim(cards, value)
    card, x, captured = text.replace("X", "x").partition("x")
    if len(card) != 2:
        raise ValueError("not an action: a card as 7H, a capture as 7Hx3S5C, a claim as "
                         "!3C4D7H=2, pass, or a card handed on as >7H")
    if x and captured in ("", "-"):
        raise ValueError("no captured cards after x")
    taken = set_of(captured)
    index = parse_card(card)
    if taken >> index & 1:
        raise ValueError(f"{card} can't capture itself")
    return encode_play(index, taken)


T = TypeVar("T")


@total_ordering
class Action:
    """One action: playing a card, a capture, a claim, declining to claim, handing a card on.

    Made from its text, or from another Action.  Immutable; equal whatever spelling it was
    read from; sorts in the ASCII order of its text.  Raises ActionError for text that is no
    action, TypeError for what is no text.

    >>> action = Action("7hx5C3S")
    >>> str(action), action.kind, action.card, action.cards
    ('7Hx3S5C', 'play', '7H', ('3S', '5C'))
    >>> Action("!3C4D7H=2").value
    2
    """

    __slots__ = ("code",)

    code: int

    def __init__(self, text: str | Action) -> None:
        code = text.code if isinstance(text, Action) else parse_action(text)
        object.__setattr__(self, "code", code)

    @classmethod
    def from_code(cls, code: int) -> Action:
        """The action with the core's 64-bit code."""
        action = cls.__new__(cls)
        object.__setattr__(action, "code", index(code))
        return action

    @property
    def kind(self) -> str:
        """``play``, ``claim``, ``pass`` (no claim), or ``give``: handed on or discarded."""
        return decode(self.code)[0]

    @property
    def card(self) -> str | None:
        """The card played or given, None where there is none or it was not seen."""
        card = decode(self.code)[1]
        return None if card is None else card_name(card)

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards captured, or those shown by a claim, in canonical order."""
        return tuple(map(card_name, indices(decode(self.code)[2])))

    @property
    def value(self) -> int | None:
        """The value declared for the matta in a claim, None where there is none."""
        return decode(self.code)[3] or None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Action can't be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an Action can't be changed")

    def __str__(self) -> str:
        return action_text(self.code)

    def __repr__(self) -> str:
        return f"Action({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.code == other.code

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Action):
            return NotImplemented
        return str(self) < str(other)

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[object, ...]:
        return (Action, (str(self),))


def several(name: str, actions: Iterable[T]) -> list[T]:
    """A list of actions, or of what stands for them; raises TypeError for one alone.

    A text is no list of actions, though it can be gone through letter by letter.
    """
    if isinstance(actions, (str, bytes)) or not isinstance(actions, Iterable):
        raise TypeError(f"{name} {given(actions)}: a list of actions is needed, as ['7Hx3S5C']")
    return list(actions)


class Deal:
    """A new hand that a viewer is dealt, among the actions that it sees.

    ``cards`` are those of the hand as a set, ``given`` is the text that it was read from.
    Immutable; raises ActionError for text that is none.

    >>> str(Deal("@7h3c"))
    '@3C7H'
    """

    __slots__ = ("cards", "given")

    cards: int
    given: str

    def __init__(self, text: str) -> None:
        given = "@" + text.removeprefix("@")
        object.__setattr__(self, "given", given)
        try:
            object.__setattr__(self, "cards", set_of(given[1:]))
        except ValueError as error:
            raise ActionError(f"{given}: {error}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Deal can't be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Deal can't be changed")

    def __str__(self) -> str:
        return f"@{text_of(self.cards)}"

    def __repr__(self) -> str:
        return f"Deal({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(("@", self.cards))

    def __reduce__(self) -> tuple[object, ...]:
        return (Deal, (str(self),))


# What a history consists of.
Step = Action | Deal


def step_of(word: str | Step) -> Step:
    """A word of a history as what it means; raises ActionError where it is none."""
    if isinstance(word, Deal):
        return word
    return Deal(word) if isinstance(word, str) and word.startswith("@") else Action(word)
