"""Rules as data: the options of the fishing family, their values, and the presets.

Every option is declared once, in ``OPTIONS``, with the values that it takes and what it
means; parsing, printing, validation, help and the core's form all come from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

from cirulla_ai._core.cards import card_name, parse_card
from cirulla_ai._core.fishing import RuleTable

__all__ = ["OPTIONS", "PRESETS", "Option", "Rules", "RulesError"]

Value = bool | int | str | tuple[int, ...]


class RulesError(ValueError):
    """Rules that do not exist or can't be played; ``names`` are the options at fault."""

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names = names


def whole_number(text: str) -> int:
    """A plain decimal number; ValueError for signs, blanks, underscores and the like."""
    if not (text.isascii() and text.isdigit()) or len(text) > 20:
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


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
            sizes = tuple(self._number(part, 1, 20) for part in text.split(","))
            return sizes if len(sizes) <= 40 else self._no()
        if self.kind == "ten":
            parts = [self._number(part, self.low, self.high) for part in text.split(",")]
            if len(parts) not in (1, 10):
                self._no()
            return tuple(parts * 10 if len(parts) == 1 else parts)
        number = self._number(text, self.low, self.high)
        return self._no() if self.kind == "piccola" and number in (1, 2) else number

    @staticmethod
    def _number(text: str, low: int, high: int) -> int:
        number = whole_number(text)
        if not low <= number <= high:
            raise ValueError
        return number

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


def _flag(name: str, help: str) -> Option:
    return Option(name, "flag", help)


def _choice(name: str, choices: str, help: str) -> Option:
    return Option(name, "choice", help, tuple(choices.split()))


def _number(name: str, low: int, high: int, help: str, kind: str = "number") -> Option:
    return Option(name, kind, help, low=low, high=high)


# In the order in which a state string lists them.
OPTIONS: Mapping[str, Option] = MappingProxyType({
    option.name: option
    for option in (
        _number("players", 2, 4, "seats at the table; four play in pairs"),
        Option("rounds", "rounds", "cards handed to each seat, round by round"),
        _number("table_size", 0, 10, "cards laid face up at the start"),
        _flag("capture_equal", "a card takes one of equal value"),
        _flag("capture_sum", "a card takes two or more that add up to its value"),
        _flag("capture_15", "a card takes those that make fifteen with it"),
        _choice("ace_sweep", "no no_ace always", "an ace takes the whole table: never, where "
                "no ace lies on it, always"),
        _choice("ace_choice", "free sweep", "whether an ace that can sweep may take less"),
        _choice("capture_choice", "free single fewest", "equals and sums: any, no sum where "
                "there is an equal, only those of the fewest cards"),
        _flag("must_capture", "a card that can capture may not just be laid"),
        _flag("last_scopa", "clearing the table with the very last card is a scopa"),
        Option("matta", "matta", "the card that is wild in claims"),
        _flag("matta_table", "the matta is wild for the dealer's bonus"),
        _choice("matta_memory", "captured round no", "how long the matta keeps the value "
                "declared in a claim: until captured, for the round, only in the claim"),
        _number("bonus_15", 0, 30, "dealer's points for a first table of 15"),
        _number("bonus_30", 0, 30, "dealer's points for a first table of 30"),
        _number("bonus_9", 0, 30, "dealer's points for a first table of 9 or less"),
        _number("misdeal_aces", 0, 4, "aces on the first table that make a misdeal, 0 never"),
        _flag("misdeal_three", "three of one rank on the first table are a misdeal"),
        _flag("misdeal_first", "a misdeal goes before a dealer's bonus"),
        _number("misdeal_loss", 0, 9, "misdeals in a row that lose the match, 0 never"),
        _choice("table_four", "no natural win", "four of a rank on the first table win the "
                "match: no, four as printed, also three and the matta"),
        _choice("claim", "no optional mandatory", "whether hands are claimed"),
        _number("claim_three", 0, 30, "points for three of equal value", "ten"),
        _number("claim_low", 0, 30, "points for three that add up to nine or less"),
        _number("claim_royal", 0, 30, "points for J, Q and K of diamonds"),
        _choice("claim_time", "turn round", "claims are made on one's turn, or by all before "
                "the first card of a round"),
        _flag("claim_best", "of all claims in a round only the best scores"),
        _choice("claim_play", "first free", "rounds of more than three cards: shown cards are "
                "played first, or any number of claims and any order"),
        _number("points_cards", 0, 10, "points for the most cards"),
        _number("points_diamonds", 0, 10, "points for the most diamonds"),
        _number("points_settebello", 0, 10, "points for the seven of diamonds"),
        _number("points_primiera", 0, 10, "points for the highest prime"),
        _number("piccola_max", 0, 10, "rank up to which the low run of diamonds scores, 0 off",
                "piccola"),
        _number("grande", 0, 30, "points for J, Q and K of diamonds, 0 off"),
        _flag("grande_extend", "one more with the 7 of diamonds, and one more with the 6"),
        _number("cappotto", 1, 50, "all ten diamonds: win the match, nothing, or points",
                "cappotto"),
        _number("target", 1, 1000, "match points to reach"),
    )
})

_CIRULLA: Mapping[str, Value] = MappingProxyType({
    "players": 2, "rounds": (), "table_size": 4, "capture_equal": True, "capture_sum": True,
    "capture_15": True, "ace_sweep": "no_ace", "ace_choice": "free", "capture_choice": "free",
    "must_capture": True, "last_scopa": False, "matta": "7H", "matta_table": True,
    "matta_memory": "captured", "bonus_15": 1, "bonus_30": 2, "bonus_9": 0, "misdeal_aces": 2,
    "misdeal_three": False, "misdeal_first": True, "misdeal_loss": 0, "table_four": "no",
    "claim": "optional", "claim_three": (10,) * 10, "claim_low": 3, "claim_royal": 0,
    "claim_time": "turn", "claim_best": False, "claim_play": "first", "points_cards": 1,
    "points_diamonds": 1, "points_settebello": 1, "points_primiera": 1, "piccola_max": 6,
    "grande": 5, "grande_extend": False, "cappotto": "win", "target": 51,
})

_SCOPA = (
    "capture_15=no ace_sweep=no capture_choice=single matta=no bonus_15=0 bonus_30=0 "
    "misdeal_aces=0 claim=no piccola_max=0 grande=0 cappotto=no target=11"
)

# Preset: (tradition, what differs from ``cirulla``).
_PRESETS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "cirulla": ("the common game", ""),
    "cirulla-wikipedia": (
        "the Italian encyclopedia's main text",
        "capture_choice=single ace_choice=sweep claim=mandatory "
        "claim_three=30,10,10,10,10,10,10,10,10,10 matta_table=no matta_memory=round"),
    "cirulla-coppie": (
        "pairs, with contested claims",
        "players=4 claim=mandatory claim_time=round claim_best=yes"),
    "cirulla-luzzati": (
        "the Giardini Luzzati tournaments",
        "players=4 table_four=win misdeal_three=yes misdeal_loss=3"),
    "cirulla-torneo": ("club tournaments without cappotto", "players=4 cappotto=no"),
    "cirulla-spezia": (
        "La Spezia, after Dossena",
        "bonus_15=0 bonus_9=1 claim_low=1 claim_three=3,3,3,2,2,2,2,2,2,2 piccola_max=5 "
        "grande_extend=yes"),
    "cirulla-pigliatutto": ("the ace always takes all", "ace_sweep=always"),
    "cirullone": ("six cards, then three", "players=4 rounds=6,3 target=101"),
    "cirullone-36": (
        "three, then six; claims all at once (Rivarolo)",
        "players=4 rounds=3,6 claim_play=free target=101"),
    "cirullone-9": ("nine cards at once", "players=4 rounds=9 target=101"),
    "scopa": ("the national game", _SCOPA),
    "scopone": ("four players, nine cards", f"{_SCOPA} players=4 rounds=9 target=21"),
    "scopone-scientifico": (
        "ten cards, empty table", f"{_SCOPA} players=4 rounds=10 table_size=0 target=21"),
    "asso-piglia-tutto": (
        "scopa in which an ace takes all", f"{_SCOPA} ace_sweep=no_ace ace_choice=sweep"),
    "scopa-15": (
        "only fifteens",
        f"{_SCOPA} capture_equal=no capture_sum=no capture_15=yes capture_choice=free"),
})

PRESETS: tuple[str, ...] = tuple(_PRESETS)

# Where the core wants a number for a word.
_CORE_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    name: OPTIONS[name].choices
    for name in ("ace_sweep", "ace_choice", "capture_choice", "matta_memory", "table_four",
                 "claim", "claim_time", "claim_play")
})


# Working out a table takes about a millisecond, and most states read have the rules of the
# one before.  Tables never change, so that sharing them shares nothing that could.
@lru_cache(maxsize=64)
def _table(values: tuple[tuple[str, Value], ...]) -> RuleTable:
    options: dict[str, object] = dict(values)
    for name, words in _CORE_WORDS.items():
        options[name] = words.index(str(options[name]))
    matta, cappotto = str(options["matta"]), options["cappotto"]
    options["matta"] = -1 if matta == "no" else parse_card(matta)
    options["cappotto"] = {"no": 0, "win": -1}.get(str(cappotto), cappotto)
    return RuleTable(options)


@lru_cache(maxsize=64)
def _pace(table: RuleTable) -> tuple[float, float]:
    n = 1000
    _, points, squares, difference = table.random_games(n, 0)
    variance = squares / n - (difference / n) ** 2
    return max(points / n, 1.0), max(float(variance) ** 0.5, 1.0)


class Rules:
    """One game of the fishing family: a preset and the options that differ from it.

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
    cirulla_ai.rules.RulesError: players=5: players takes 2 … 4
    """

    preset: str
    _values: Mapping[str, Value]
    _changed: tuple[tuple[str, Value], ...]

    def __init__(self, preset: str = "cirulla", **options: object) -> None:
        texts = {}
        for name, value in options.items():
            if isinstance(value, (tuple, list)):
                texts[name] = ",".join(map(str, value))
            elif isinstance(value, bool):
                texts[name] = "yes" if value else "no"
            else:
                texts[name] = str(value)
        self._build(preset, texts)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Rules from the tokens of a state string: the preset, with ``rules=`` or without,
        then options, in either letter case.

        >>> Rules.parse("rules=scopa players=3") == Rules.parse("scopa players=3")
        True
        """
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
        if preset not in _PRESETS:
            raise RulesError(
                f"rules={preset}: no such preset; there are {', '.join(PRESETS)}", "rules")
        base = dict(_CIRULLA)
        for token in _PRESETS[preset][1].split():
            name, _, value = token.partition("=")
            base[name] = OPTIONS[name].parse(value)
        values = dict(base)
        for name, text in texts.items():
            if name not in OPTIONS:
                raise RulesError(f"{name}={text}: there is no option {name}", name)
            values[name] = OPTIONS[name].parse(text)
        self._set(preset=preset)
        # What the rounds are where nothing says otherwise: the preset's own, or threes.
        implied = base["rounds"] or self._threes(values)
        if "rounds" not in texts:
            values["rounds"] = implied
        base["rounds"] = implied
        self._set(_values=MappingProxyType(values))
        self._check()
        self._set(_changed=tuple(
            (name, value) for name, value in values.items() if value != base[name]))

    def _set(self, **attributes: object) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Rules can't be changed; make others from them")

    @staticmethod
    def _threes(values: Mapping[str, Value]) -> Value:
        """Rounds of three cards until the pack is out."""
        players, table = values["players"], values["table_size"]
        assert isinstance(players, int) and isinstance(table, int)
        return (3,) * ((40 - table) // (3 * players))

    def _check(self) -> None:
        players, table, rounds = self.players, self.table_size, self.rounds
        cards = players * sum(rounds) + table
        if cards != 40:
            raise RulesError(
                f"players={players} rounds={','.join(map(str, rounds))} table_size={table}: "
                f"players * sum(rounds) + table_size is {cards}; it must be the 40 cards",
                "rounds", "players", "table_size")
        timed = self["claim_time"] == "round"
        if self["claim_best"] and not timed:
            raise RulesError("claim_best=yes needs claim_time=round", "claim_best", "claim_time")
        if timed and set(rounds) != {3}:
            raise RulesError(
                f"claim_time=round needs rounds of three cards, all of them, not "
                f"rounds={','.join(map(str, rounds))}", "claim_time", "claim_best", "rounds")
        if self["misdeal_loss"] and players == 3:
            raise RulesError(
                "misdeal_loss: not with players=3, where no single side wins by it; it takes 0",
                "misdeal_loss", "players")
        if self["table_four"] != "no" and table < 4:
            raise RulesError(
                f"table_four={self['table_four']} needs a table of four cards or more, "
                f"table_size is {table}", "table_four", "table_size")

    def __getitem__(self, name: str) -> Value:
        """The value of an option; KeyError where there is none of this name."""
        return self._values[name]

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._int("players")

    @property
    def sides(self) -> int:
        """The number of sides: pairs for four players, else each seat is one."""
        return 3 if self.players == 3 else 2

    @property
    def rounds(self) -> tuple[int, ...]:
        """Cards handed to each seat, round by round."""
        value = self._values["rounds"]
        assert isinstance(value, tuple)
        return value

    @property
    def table_size(self) -> int:
        """Cards laid face up at the start."""
        return self._int("table_size")

    @property
    def target(self) -> int:
        """Match points to reach."""
        return self._int("target")

    @property
    def matta(self) -> int:
        """Index of the matta, -1 where there is none."""
        value = str(self._values["matta"])
        return -1 if value == "no" else parse_card(value)

    def _int(self, name: str) -> int:
        value = self._values[name]
        assert isinstance(value, int)
        return value

    def side(self, seat: int) -> int:
        """The side that a seat plays for."""
        return seat % 2 if self.players == 4 else seat

    @cached_property
    def table(self) -> RuleTable:
        """The rules in the core's form; the same object for equal options."""
        return _table(tuple(self._values.items()))

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
        for name, option in OPTIONS.items():
            if name in changed:
                yield f"{name}={option.format(changed[name])}"

    def lines(self) -> Iterable[str]:
        """Every option with its value and meaning, for people."""
        for name, option in OPTIONS.items():
            yield f"{name}={option.format(self[name])}  {option.help} ({option.takes})"

    @staticmethod
    def tradition(preset: str) -> str:
        """Where a preset comes from, in a few words."""
        return _PRESETS[preset][0]

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
