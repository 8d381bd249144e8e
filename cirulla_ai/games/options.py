"""The options of rules: the values that each takes, as text and back."""

from __future__ import annotations

from dataclasses import dataclass

from cirulla_ai._core.cards import card_name, parse_card
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import whole_number

__all__ = ["Option", "RulesError", "Value", "choice", "flag", "number"]


Value = bool | int | str | tuple[int, ...]


class RulesError(PortableError, ValueError):
    """Rules that do not exist or can't be played; ``names`` are the options at fault."""

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names = names


@dataclass(frozen=True)
class Option:
    """One option of the rules: its name, the texts that it takes, and its meaning."""

    name: str
    kind: str
    help: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    @property
    def takes(self) -> str:
        """The values it takes, in words."""
        number = f"{self.low} … {self.high}"
        return {
            "flag": "yes, no",
            "choice": ", ".join(self.choices),
            "number": number,
            "piccola": f"0, 3 … {self.high}",
            "cappotto": f"win, no, {number}",
            "matta": "a card, or no",
            "ten": f"{number}, or ten such numbers for A … K separated by commas",
            "rounds": "hand sizes separated by commas, as 3,3,3,3,3,3",
        }[self.kind]

    def parse(self, text: str) -> Value:
        """The value that ``text`` stands for; raises RulesError."""
        try:
            return self._parse(text)
        except ValueError:
            raise RulesError(
                f"{self.name}={text}: {self.name} takes {self.takes}", self.name
            ) from None

    def _parse(self, text: str) -> Value:
        if self.kind == "flag":
            return {"yes": True, "no": False}[text] if text in ("yes", "no") else self._no()
        if self.kind == "choice":
            return text if text in self.choices else self._no()
        if self.kind == "cappotto" and text in ("win", "no"):
            return text
        if self.kind == "matta":
            return "no" if text == "no" else card_name(parse_card(text))
        if self.kind == "rounds":
            sizes = tuple(whole_number(part, 1, 20) for part in text.split(","))
            return sizes if len(sizes) <= 40 else self._no()
        if self.kind == "ten":
            parts = [whole_number(part, self.low, self.high) for part in text.split(",")]
            if len(parts) not in (1, 10):
                self._no()
            return tuple(parts * 10 if len(parts) == 1 else parts)
        number = whole_number(text, self.low, self.high)
        return self._no() if self.kind == "piccola" and number in (1, 2) else number

    @staticmethod
    def _no() -> Value:
        raise ValueError

    def format(self, value: Value) -> str:
        """The canonical text of a value."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, tuple):
            if self.kind == "ten" and len(set(value)) == 1:
                value = value[:1]
            return ",".join(map(str, value))
        return str(value)


def flag(name: str, help: str) -> Option:
    return Option(name, "flag", help)


def choice(name: str, choices: str, help: str) -> Option:
    return Option(name, "choice", help, tuple(choices.split()))


def number(name: str, low: int, high: int, help: str, kind: str = "number") -> Option:
    return Option(name, kind, help, low=low, high=high)
