"""The options that an engine announces, as a mapping that finds them in either letter case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cirulla_ai.numbers import whole_number
from cirulla_ai.options import EngineOption, OptionError, Value, value_text
from cirulla_ai.protocol.errors import EngineOptionError

__all__ = ["AnnouncedOptions", "parse_option"]

WORDS = ("name", "type", "default", "min", "max", "var")
KINDS = ("spin", "check", "combo", "string", "button")
# For a spin that announces no bounds.
LOW, HIGH = -(1 << 63), (1 << 63) - 1


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
    cirulla_ai.protocol.errors.EngineOptionError: there is no option 'Skil Level'; \
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
            if text is not None and not text.isprintable():
                raise OptionError(f"{option.name}: {text!r} does not fit in one line of text")
            option.parse(text)
        except OptionError as error:
            raise EngineOptionError(str(error)) from None
        return text or "<empty>"


def _key(name: str) -> str:
    return " ".join(name.lower().split())


def parse_option(line: str) -> EngineOption:
    """The option that an ``option name …`` line announces; ValueError where it is none.

    Text that goes against the type (a default out of range, a bound that is no number) is
    read as well as it goes: what the engine takes is for it to say.
    """
    found: dict[str, list[str]] = {}
    word = ""
    for token in line.split()[1:]:
        # A name or value may hold such words too, but only before what follows it in order.
        if token in WORDS and (token == "var" or token not in found) and \
                not (word == "" and token != "name"):
            word = token
            found.setdefault(word, [])
            if word == "var":
                found[word].append("")
        elif word == "var":
            found[word][-1] = f"{found[word][-1]} {token}".strip()
        elif word:
            found[word].append(token)
    texts = {word: " ".join(tokens) for word, tokens in found.items()}
    name, kind = texts.get("name", ""), texts.get("type", "")
    if not name or not kind:
        raise ValueError(f"no option: {line[:200]!r}; an option has a name and a type")
    default = texts.get("default", "")
    value: Value = "" if default == "<empty>" else default
    low, high = _number(texts.get("min"), LOW), _number(texts.get("max"), HIGH)
    if kind == "spin":
        value = _number(default, low)
    elif kind == "check":
        value = default.lower() == "true"
    elif kind == "button":
        value = False
    return EngineOption(
        # An unknown type takes any text.
        name=name, kind=kind if kind in KINDS else "string", default=value, help="",
        low=low, high=high, choices=tuple(found.get("var", ())),
    )


def _number(text: str | None, default: int) -> int:
    try:
        return whole_number(text or "", LOW, HIGH, signed=True)
    except ValueError:
        return default
