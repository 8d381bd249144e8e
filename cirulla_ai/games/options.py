"""The options of rules: the values that each takes, as text and back."""

from __future__ import annotations

from abc import ABC, abstractmethod

from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import whole_number

__all__ = ["Choice", "Flag", "Number", "Option", "RulesError", "Value"]

Value = bool | int | str | tuple[int, ...]


class RulesError(PortableError, ValueError):
    """Rules that do not exist or can't be played; ``names`` are the options at fault."""

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names = names


class Option(ABC):
    """One option of the rules: its name, its meaning, and the texts that it takes.

    A kind of option says in ``takes`` what those are, and reads them in ``read``; a game may
    have kinds of its own.
    """

    def __init__(self, name: str, help: str) -> None:
        self.name = name
        self.help = help

    @property
    @abstractmethod
    def takes(self) -> str:
        """The values it takes, in words."""

    @abstractmethod
    def read(self, text: str) -> Value:
        """The value that ``text`` stands for; raises ValueError where it stands for none."""

    def parse(self, text: str) -> Value:
        """The value that ``text`` stands for; raises RulesError with what would be right."""
        try:
            return self.read(text)
        except ValueError:
            raise RulesError(
                f"{self.name}={text}: {self.name} takes {self.takes}", self.name
            ) from None

    def format(self, value: Value) -> str:
        """The canonical text of a value."""
        return str(value)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.takes}>"


class Flag(Option):
    """Yes or no."""

    takes = "yes, no"

    def read(self, text: str) -> Value:
        if text not in ("yes", "no"):
            raise ValueError
        return text == "yes"

    def format(self, value: Value) -> str:
        return "yes" if value else "no"


class Choice(Option):
    """One of a few words."""

    def __init__(self, name: str, choices: str, help: str) -> None:
        super().__init__(name, help)
        self.choices = tuple(choices.split())

    @property
    def takes(self) -> str:
        return ", ".join(self.choices)

    def read(self, text: str) -> Value:
        if text not in self.choices:
            raise ValueError
        return text


class Number(Option):
    """A whole number in a range."""

    def __init__(self, name: str, low: int, high: int, help: str) -> None:
        super().__init__(name, help)
        self.low, self.high = low, high

    @property
    def takes(self) -> str:
        return f"{self.low} … {self.high}"

    def read(self, text: str) -> Value:
        return whole_number(text, self.low, self.high)
