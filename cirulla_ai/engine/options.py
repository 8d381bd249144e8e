"""The engine's options: every parameter once, with its name, range and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType

from cirulla_ai.basics.numbers import as_index, given, whole_number

__all__ = ["OPTIONS", "EngineOption", "OptionError", "Options", "value_text"]

Value = int | bool | str


class OptionError(ValueError):
    """An option that does not exist, or a value that it does not take."""


@dataclass(frozen=True)
class EngineOption:
    """One option, in UCI's terms (``kind`` is spin, check, combo, string or button)."""

    name: str
    kind: str
    default: Value
    help: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def uci(self) -> str:
        """The line by which UCI announces it."""
        line = f"option name {self.name} type {self.kind}"
        if self.kind == "button":
            return line
        default = str(self.default)
        if self.kind == "check":
            default = default.lower()
        line += f" default {default or '<empty>'}"
        if self.kind == "spin":
            line += f" min {self.low} max {self.high}"
        return line + "".join(f" var {choice}" for choice in self.choices)

    @property
    def takes(self) -> str:
        """The values it takes, in words."""
        return {
            "spin": f"{self.low} … {self.high}", "check": "true, false",
            "combo": ", ".join(self.choices), "string": "a text", "button": "no value",
        }[self.kind]

    def parse(self, text: str | None) -> Value:
        """The value that a ``setoption`` means; raises OptionError."""
        if self.kind == "button":
            if text and not text.isspace():
                raise OptionError(f"{self.name} takes {self.takes}, not {text!r}")
            return True
        if text is None:
            raise OptionError(f"{self.name} takes {self.takes}, and no value was given")
        if self.kind == "string":
            # As it was sent: a file's name may have any blanks.
            return "" if text.strip() == "<empty>" else text
        text = " ".join(text.split())
        if self.kind == "check" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if self.kind == "combo":
            for choice in self.choices:
                if text.lower() == " ".join(choice.lower().split()):
                    return choice
        if self.kind == "spin":
            with suppress(ValueError):
                return whole_number(text, self.low, self.high, signed=True)
        raise OptionError(f"{self.name} takes {self.takes}, not {text!r}")


def value_text(name: str, value: object) -> str | None:
    """The value of an option as ``setoption`` writes it; None for a button's.

    Raises OptionError for what is no text, path, bool or whole number.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, PurePath):
        return str(value)
    number = as_index(value)
    if number is None:
        raise OptionError(f"{name}: {given(value)} is no value of an option; those are texts, "
                          "paths, whole numbers, True and False")
    return given(number)


# In the order in which ``uci`` lists them.
OPTIONS: Mapping[str, EngineOption] = MappingProxyType({
    option.name.lower(): option
    for option in (
        EngineOption("Hash", "spin", 64, "MiB, a hard bound on the memory of the search's trees",
                     1, 1 << 20),
        EngineOption("Clear Hash", "button", False, "forget what was learnt from earlier "
                     "positions"),
        EngineOption("Threads", "spin", 1, "trees searched side by side and added up", 1, 256),
        EngineOption("MultiPV", "spin", 1, "how many of the best actions to report", 1, 500),
        EngineOption("Seed", "spin", 0, "of the search's and startpos's randomness; 0: a new one "
                     "each time", 0, (1 << 63) - 1),
        EngineOption("Objective", "combo", "points", "what to maximise: points in the smazzata, or "
                     "the chance to win the match", choices=("points", "match")),
        EngineOption("Skill Level", "spin", 20, "below 20 it searches a little and misjudges each "
                     "action, the more the lower the level", 0, 20),
        EngineOption("UCI_LimitStrength", "check", False, "play at the strength of UCI_Elo"),
        EngineOption("UCI_Elo", "spin", 2000, "a rating in single smazzate, from 1700 (Skill Level "
                     "0) to 2000 (20)", 1700, 2000),
        EngineOption("Move Overhead", "spin", 2, "ms of each decision kept for the way to the "
                     "front end, at most half of it", 0, 5000),
        EngineOption("Debug Log File", "string", "", "a file that gets a copy of all lines, "
                     "both ways"),
        EngineOption("Cheat", "check", False, "search the whole truth, all cards known: for upper "
                     "bounds and post-mortems, never fair"),
        EngineOption("Search", "combo", "tree", "a tree of information sets, or flat: every "
                     "action played out equally often, no tree", choices=("tree", "flat")),
        EngineOption("EvalFile", "string", "", "an evaluation file made by cirulla train; empty: "
                     "the one that comes with the engine"),
        EngineOption("Evaluation", "check", True, "end search lines at the end of a round with its "
                     "learned value, where there is one; else play out at random"),
        EngineOption("Exact", "check", True, "solve the last round where all cards are known"),
        EngineOption("Inference", "check", True, "draw the hidden cards by what the others' plays "
                     "tell; else all alike"),
        EngineOption("Exploration", "spin", 0, "UCT's exploration constant in per cent of the "
                     "payoff's standard deviation; 0: what is best for the rules", 0, 10000),
    )
})


class Options:
    """The values of one engine's options.

    >>> options = Options()
    >>> options.set("multipv", "3")
    >>> options["MultiPV"]
    3
    >>> options.set("Threads", "0")
    Traceback (most recent call last):
        ...
    cirulla_ai.engine.options.OptionError: Threads takes 1 … 256, not '0'
    """

    def __init__(self) -> None:
        self._values: dict[str, Value] = {name: opt.default for name, opt in OPTIONS.items()}

    @staticmethod
    def find(name: str) -> EngineOption:
        """The option of this name, in either letter case; raises OptionError."""
        try:
            return OPTIONS[" ".join(name.lower().split())]
        except (KeyError, AttributeError):
            names = ", ".join(option.name for option in OPTIONS.values())
            raise OptionError(f"there is no option {given(name)}; there are {names}") from None

    def set(self, name: str, text: str | None) -> None:
        """Set an option from text; raises OptionError and keeps the old value."""
        option = self.find(name)
        value = option.parse(text)
        if option.kind != "button":
            self._values[option.name.lower()] = value

    def __getitem__(self, name: str) -> Value:
        return self._values[name.lower()]

    def number(self, name: str) -> int:
        """The value of a spin."""
        return int(self._values[name.lower()])

    def copy(self) -> Options:
        """Other options with the same values."""
        other = Options()
        other._values = dict(self._values)
        return other

    __copy__ = copy
