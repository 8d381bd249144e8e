"""The options that an engine announces, as a mapping that finds them in either letter case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from cirulla_ai.basics.numbers import whole_number
from cirulla_ai.client.errors import EngineOptionError
from cirulla_ai.engine.options import EngineOption, OptionError, Value, value_text

__all__ = ["AnnouncedOptions", "fits_line", "parse_option"]

WORDS = ("name", "type", "default", "min", "max", "var")
KINDS = ("spin", "check", "combo", "string", "button")
# For a spin that announces no bounds, or none that are numbers: wider than any that does.
LOW, HIGH = -(1 << 70), 1 << 70
TOKEN = re.compile(r"\S+")


class AnnouncedOptions(Mapping[str, EngineOption]):
    """An engine's options by name; names are found in either letter case.

    >>> options = AnnouncedOptions([parse_option("option name Skill Level type spin "
    ...                                          "default 20 min 0 max 20")])
    >>> options["skill level"].high
    20
    >>> options.text("Skill Level", 7)
    '7'
    >>> options.text("Skil Level", 7)
    Traceback (most recent call last):
        ...
    cirulla_ai.client.errors.EngineOptionError: there is no option 'Skil Level'; \
there are Skill Level
    """

    def __init__(self, options: Iterable[EngineOption] = ()) -> None:
        self._options = {_key(option.name): option for option in options}

    def __getitem__(self, name: str) -> EngineOption:
        return self._options[_key(name)]

    def __iter__(self) -> Iterator[str]:
        return (option.name for option in self._options.values())

    def __len__(self) -> int:
        return len(self._options)

    def text(self, name: str, value: Value | None) -> str | None:
        """``value`` as ``setoption`` writes it, None for a button.

        Raises EngineOptionError where there is no such option, or it does not take the value.
        """
        if name not in self:
            raise EngineOptionError(f"there is no option {name!r}; there are {', '.join(self)}")
        option = self[name]
        if option.kind == "button":
            return None
        try:
            text = value_text(option.name, value)
            if text is not None and not fits_line(text):
                raise OptionError(f"{option.name}: {text!r} does not fit in one line of text")
            option.parse(text)
        except OptionError as error:
            raise EngineOptionError(str(error)) from None
        if text is not None and option.kind != "string":
            text = text.strip()
        return text or "<empty>"

    def spin(self, name: str, number: int) -> int | None:
        """A value for a spin that nobody asked for: one of those that it announced, picked by
        ``number`` (0 or more); not 0, which often means none, where there are others.

        None where there is no such spin, or its range is not known or empty.
        """
        option = self.get(name)
        if option is None or option.kind != "spin" or option.low == LOW or option.high == HIGH:
            return None
        low = max(option.low, 1) if option.high >= 1 else option.low
        return low + number % (option.high - low + 1) if low <= option.high else None


def fits_line(text: str) -> bool:
    """Whether a text can be sent within a line: it has no end of a line in it, and UTF-8."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return not any(letter in text for letter in "\n\r\0")


def _key(name: str) -> str:
    return " ".join(name.lower().split())


def parse_option(line: str) -> EngineOption:
    """The option that an ``option name …`` line announces; ValueError where it is none.

    Text that goes against the type (a default out of range, a bound that is no number) is
    read as well as it goes: what the engine takes is for it to say.  Blanks within a name or
    value are kept.
    """
    # Where each word stands that begins a part, and where what comes after it does.
    parts: list[tuple[str, int, int]] = []
    for match in [*TOKEN.finditer(line)][1:]:
        word, seen = match[0], {part for part, _, _ in parts}
        # A name or value may hold such words too, but only before what follows it in order.
        if word in WORDS and (word == "var" or word not in seen) and (seen or word == "name"):
            parts.append((word, match.start(), match.end()))
    ends = [start for _, start, _ in parts[1:]] + [len(line) + 1]
    texts: dict[str, str] = {}
    choices: list[str] = []
    for (word, _, begin), end in zip(parts, ends, strict=False):
        # One blank on either side belongs to the words around.
        text = line[begin + 1:max(begin + 1, end - 1)]
        if word == "var":
            choices.append(text.strip())
        texts[word] = text if word == "default" else text.strip()
    name, kind = texts.get("name", ""), texts.get("type", "")
    if not name or not kind:
        raise ValueError(f"no option: {line[:200]!r}; an option has a name and a type")
    default = texts.get("default", "")
    if kind == "combo" or default.strip() == "<empty>":
        default = default.strip()
    value: Value = "" if default == "<empty>" else default
    low, high = _number(texts.get("min"), LOW), _number(texts.get("max"), HIGH)
    if kind == "spin":
        value = _number(default, low)
    elif kind == "check":
        value = default.strip().lower() == "true"
    elif kind == "button":
        value = False
    return EngineOption(
        # An unknown type takes any text.
        name=name, kind=kind if kind in KINDS else "string", default=value, help="",
        low=low, high=high, choices=tuple(choices),
    )


def _number(text: str | None, default: int) -> int:
    try:
        number = whole_number(text or "", LOW, HIGH, signed=True)
    except ValueError:
        return default
    return number if LOW < number < HIGH else default
