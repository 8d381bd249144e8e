"""Rules as data: the options of each family of games, their values, and the presets.

Every option is declared once, in its family, with the values that it takes and what it
means; parsing, printing, validation, help and the core's form all come from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from cirulla_ai._core.cards import parse_card
from cirulla_ai._core.contract import Table
from cirulla_ai.basics.numbers import as_index, given, whole
from cirulla_ai.games.contract import RuleFamily
from cirulla_ai.games.options import RulesError, Value
from cirulla_ai.games.reader import MAX_POINTS, StateError
from cirulla_ai.games.registry import NEEDED, PRESETS, family_of

__all__ = ["Rules", "read_rules"]


def read_rules(state: Mapping[str, str], options: Mapping[str, str]) -> Rules:
    """The rules named among a state's tokens."""
    if "rules" not in state:
        raise StateError("rules", NEEDED)
    return Rules.from_options(state["rules"].lower(),
                              {name: value.lower() for name, value in options.items()})


def _text(value: object) -> str:
    """The value of an option as its text; a list or the like is one of numbers."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    number = as_index(value)
    if number is None and isinstance(value, Iterable) and not isinstance(value, bytes):
        return ",".join(given(one if (n := as_index(one)) is None else n) for one in value)
    return given(value if number is None else number)


@lru_cache(maxsize=64)
def _pace(table: Table) -> tuple[float, float]:
    n = 1000
    _, points, squares, difference = table.random_games(n, 0)
    variance = squares / n - (difference / n) ** 2
    return max(points / n, 1.0), max(float(variance) ** 0.5, 1.0)


class Rules:
    """The rules of one game: a preset and the options that differ from it.

    Immutable; equal rules compare and hash equal.  Raises RulesError where the preset or an
    option does not exist, a value is out of its range, or the whole can't be played.

    >>> rules = Rules("cirulla", target=31)
    >>> str(rules)
    'rules=cirulla target=31'
    >>> rules.target, rules.rounds
    (31, (3, 3, 3, 3, 3, 3))
    >>> Rules("cirulla", players=5)
    Traceback (most recent call last):
        ...
    cirulla_ai.games.options.RulesError: players=5: players takes 2 … 4
    """

    preset: str
    family: RuleFamily
    _values: Mapping[str, Value]
    _changed: tuple[tuple[str, Value], ...]

    def __init__(self, preset: str = "cirulla", **options: object) -> None:
        texts = {}
        for name, value in options.items():
            texts[name] = _text(value)
        self._build(preset, texts)

    @classmethod
    def parse(cls, text: str | Rules) -> Rules:
        """Rules from the tokens of a state string: the preset, with ``rules=`` or without,
        then options, in either letter case.  Rules are given back as they are.

        >>> Rules.parse("rules=scopa players=3") == Rules.parse("scopa players=3")
        True
        """
        if isinstance(text, Rules):
            return text
        if not isinstance(text, str):
            raise TypeError(f"rules {given(text)}: Rules or their text is needed, as "
                            "'scopa players=3'")
        pairs = [token.partition("=") for token in text.lower().split()]
        if pairs and not pairs[0][1]:
            pairs[0] = ("rules", "=", pairs[0][0])
        if not pairs or pairs[0][0] != "rules":
            raise RulesError(f"rules: {text!r} does not begin with a preset; there are "
                             f"{', '.join(PRESETS)}", "rules")
        options: dict[str, str] = {}
        for name, equals, value in pairs[1:]:
            if not equals:
                raise RulesError(f"{name!r} is not OPTION=VALUE", name)
            if name in options:
                raise RulesError(f"{name} stands twice", name)
            options[name] = value
        return cls.from_options(pairs[0][2], options)

    @classmethod
    def from_options(cls, preset: str, options: Mapping[str, str]) -> Rules:
        """Rules from a preset's name and option texts."""
        rules = cls.__new__(cls)
        rules._build(preset, options)
        return rules

    def _build(self, preset: str, texts: Mapping[str, str]) -> None:
        family = family_of(preset)
        self._set(preset=preset, family=family)
        base = dict(family.defaults)
        for token in family.presets[preset][1].split():
            name, _, value = token.partition("=")
            base[name] = family.options[name].parse(value)
        values = dict(base)
        for name, text in texts.items():
            if name not in family.options:
                raise RulesError(f"{name}={text}: {preset} has no option {name}", name)
            values[name] = family.options[name].parse(text)
        family.settle(values, base, texts)
        self._set(_values=MappingProxyType(values))
        family.check(self)
        self._set(_changed=tuple(
            (name, value) for name, value in values.items() if value != base[name]))

    def _set(self, **attributes: object) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Rules can't be changed; make others from them")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("Rules can't be changed; make others from them")

    def __getitem__(self, name: str) -> Value:
        """The value of an option; KeyError where there is none of this name."""
        return self._values[name]

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.family.players(self._values)

    @property
    def sides(self) -> int:
        """The number of sides: pairs for four players, else each seat is one."""
        return self.family.sides(self._values)

    @property
    def rounds(self) -> tuple[int, ...]:
        """Cards handed to each seat, round by round; none where all are dealt at once."""
        value = self._values.get("rounds", ())
        assert isinstance(value, tuple)
        return value

    @property
    def table_size(self) -> int:
        """Cards laid face up at the start."""
        return self._int("table_size") if "table_size" in self._values else 0

    @property
    def target(self) -> int:
        """Match points to reach."""
        return self._int("target")

    @property
    def can_score(self) -> bool:
        """Whether a match by these rules can end at all: there are points to be made."""
        return self.family.can_score(self._values)

    @property
    def matta(self) -> int:
        """Index of the matta, -1 where there is none."""
        value = str(self._values.get("matta", "no"))
        return -1 if value == "no" else parse_card(value)

    def _int(self, name: str) -> int:
        value = self._values[name]
        assert isinstance(value, int)
        return value

    def side(self, seat: int) -> int:
        """The side that a seat plays for; raises ValueError where there is no such seat."""
        return whole(seat, 0, self.players - 1, "seat") % self.sides

    def winners(self, scores: Sequence[int]) -> tuple[int, ...]:
        """The sides that have won with these match scores after a smazzata; () none yet.

        Raises ValueError where they are not one for each side.

        >>> Rules("cirulla").winners([51, 60]), Rules("ciapano").winners([31, 7, 7])
        ((1,), (1, 2))
        """
        # With the points of the smazzata they may be more than those before one.
        return self.family.winners(self.target, self.check_scores(scores, 2 * MAX_POINTS))

    def check_scores(self, scores: Iterable[int], most: int = MAX_POINTS) -> tuple[int, ...]:
        """Match scores: a whole number up to ``most`` for each side; raises ValueError."""
        if isinstance(scores, (str, bytes)) or not isinstance(scores, Iterable):
            raise ValueError(f"{given(scores)} is no list of numbers, one for each of "
                             f"{self.sides} sides")
        numbers = tuple(scores)
        if len(numbers) != self.sides:
            raise ValueError(f"{len(numbers)} of them; there are {self.sides} sides")
        return tuple(whole(number, 0, most) for number in numbers)

    @cached_property
    def table(self) -> Any:
        """The rules in the core's form, of which each game has its own; the same object for
        equal options."""
        return self.family.table(tuple(self._values.items()))

    @cached_property
    def pace(self) -> tuple[float, float]:
        """Points of a smazzata under random play: the mean a side, and the standard
        deviation of the difference of two sides (at least 1 and 1)."""
        return _pace(self.table)

    def __str__(self) -> str:
        return " ".join(self.tokens())

    def tokens(self) -> Iterable[str]:
        """``rules=PRESET``, then the options that differ from it, in their order."""
        changed = dict(self._changed)
        yield f"rules={self.preset}"
        for name, option in self.family.options.items():
            if name in changed:
                yield f"{name}={option.format(changed[name])}"

    def lines(self) -> Iterable[str]:
        """Every option with its value and meaning, for people."""
        for name, option in self.family.options.items():
            yield f"{name}={option.format(self[name])}  {option.help} ({option.takes})"

    @staticmethod
    def tradition(preset: str) -> str:
        """Where a preset comes from, in a few words."""
        return family_of(preset).presets[preset][0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (self.preset, self._changed)

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Rules.parse, (str(self),))
