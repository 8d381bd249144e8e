"""Actions: what a seat does on its turn."""

from __future__ import annotations

from functools import total_ordering

from cirulla_ai._core.actions import action_text, decode
from cirulla_ai._core.cards import card_name, indices
from cirulla_ai.notation import parse_action

__all__ = ["Action"]


@total_ordering
class Action:
    """One action: playing a card, a capture, a claim, declining to claim, handing a card on.

    Immutable; equal whatever spelling it was read from; sorts in the ASCII order of its
    text.  Raises ActionError for text that is no action.

    >>> action = Action("7hx5C3S")
    >>> str(action), action.kind, action.card, action.cards
    ('7Hx3S5C', 'play', '7H', ('3S', '5C'))
    >>> Action("!3C4D7H=2").value
    2
    """

    __slots__ = ("code",)

    code: int

    def __init__(self, text: str) -> None:
        object.__setattr__(self, "code", parse_action(text))

    @classmethod
    def from_code(cls, code: int) -> Action:
        """The action with the core's 64-bit code."""
        action = cls.__new__(cls)
        object.__setattr__(action, "code", code)
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
