"""The options of the fishing family (Cirulla, Scopa and their relatives) and its presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from cirulla_ai._core.cards import card_name, parse_card
from cirulla_ai._core.fishing_position import FishingTable, table_of
from cirulla_ai.basics.numbers import whole_number
from cirulla_ai.games.contract import RuleFamily
from cirulla_ai.games.options import (
    Choice,
    Flag,
    Number,
    Option,
    RulesError,
    Value,
)

if TYPE_CHECKING:
    from cirulla_ai.rules import Rules

__all__ = ["OPTIONS", "FishingFamily"]


class Rounds(Option):
    """Hand sizes, round by round."""

    takes = "hand sizes separated by commas, as 3,3,3,3,3,3"

    def read(self, text: str) -> Value:
        sizes = tuple(whole_number(part, 1, 20) for part in text.split(","))
        if len(sizes) > 40:
            raise ValueError
        return sizes

    def format(self, value: Value) -> str:
        assert isinstance(value, tuple)
        return ",".join(map(str, value))


class Matta(Option):
    """The wild card, or none."""

    takes = "a card, or no"

    def read(self, text: str) -> Value:
        return text if text == "no" else card_name(parse_card(text))


class PerRank(Number):
    """One number for all ranks, or one for each."""

    @property
    def takes(self) -> str:
        return f"{super().takes}, or ten such numbers for A … K separated by commas"

    def read(self, text: str) -> Value:
        numbers = tuple(whole_number(part, self.low, self.high) for part in text.split(","))
        if len(numbers) not in (1, 10):
            raise ValueError
        return numbers * 10 if len(numbers) == 1 else numbers

    def format(self, value: Value) -> str:
        assert isinstance(value, tuple)
        return ",".join(map(str, value[:1] if len(set(value)) == 1 else value))


class Piccola(Number):
    """The rank up to which a run of diamonds counts; none is shorter than three cards."""

    @property
    def takes(self) -> str:
        return f"0, 3 … {self.high}"

    def read(self, text: str) -> Value:
        number = super().read(text)
        if number in (1, 2):
            raise ValueError
        return number


class Cappotto(Number):
    """What all ten diamonds bring: the match, nothing, or points."""

    @property
    def takes(self) -> str:
        return f"win, no, {super().takes}"

    def read(self, text: str) -> Value:
        return text if text in ("win", "no") else super().read(text)


# In the order in which a state string lists them.
OPTIONS: Mapping[str, Option] = MappingProxyType({
    option.name: option
    for option in (
        Number("players", 2, 4, "seats at the table; four play in pairs"),
        Rounds("rounds", "cards handed to each seat, round by round"),
        Number("table_size", 0, 10, "cards laid face up at the start"),
        Flag("capture_equal", "a card takes one of equal value"),
        Flag("capture_sum", "a card takes two or more that add up to its value"),
        Flag("capture_15", "a card takes those that make fifteen with it"),
        Choice("ace_sweep", "no no_ace always", "an ace takes the whole table: never, where "
                "no ace lies on it, always"),
        Choice("ace_choice", "free sweep", "whether an ace that can sweep may take less"),
        Choice("capture_choice", "free single fewest", "equals and sums: any, no sum where "
                "there is an equal, only those of the fewest cards"),
        Flag("must_capture", "a card that can capture may not just be laid"),
        Flag("last_scopa", "clearing the table with the very last card is a scopa"),
        Matta("matta", "the card that is wild in claims"),
        Flag("matta_table", "the matta is wild for the dealer's bonus"),
        Choice("matta_memory", "captured round no", "how long the matta keeps the value "
                "declared in a claim: until captured, for the round, only in the claim"),
        Number("bonus_15", 0, 30, "dealer's points for a first table of 15"),
        Number("bonus_30", 0, 30, "dealer's points for a first table of 30"),
        Number("bonus_9", 0, 30, "dealer's points for a first table of 9 or less"),
        Number("misdeal_aces", 0, 4, "aces on the first table that make a misdeal, 0 never"),
        Flag("misdeal_three", "three of one rank on the first table are a misdeal"),
        Flag("misdeal_first", "a misdeal goes before a dealer's bonus"),
        Number("misdeal_loss", 0, 9, "misdeals in a row that lose the match, 0 never"),
        Choice("table_four", "no natural win", "four of a rank on the first table win the "
                "match: no, four as printed, also three and the matta"),
        Choice("claim", "no optional mandatory", "whether hands are claimed"),
        PerRank("claim_three", 0, 30, "points for three of equal value"),
        Number("claim_low", 0, 30, "points for three that add up to nine or less"),
        Number("claim_royal", 0, 30, "points for J, Q and K of diamonds"),
        Choice("claim_time", "turn round", "claims are made on one's turn, or by all before "
                "the first card of a round"),
        Flag("claim_best", "of all claims in a round only the best scores"),
        Choice("claim_play", "first free", "rounds of more than three cards: shown cards are "
                "played first, or any number of claims and any order"),
        Number("points_cards", 0, 10, "points for the most cards"),
        Number("points_diamonds", 0, 10, "points for the most diamonds"),
        Number("points_settebello", 0, 10, "points for the seven of diamonds"),
        Number("points_primiera", 0, 10, "points for the highest prime"),
        Piccola("piccola_max", 0, 10,
                "rank up to which the low run of diamonds scores, 0 off"),
        Number("grande", 0, 30, "points for J, Q and K of diamonds, 0 off"),
        Flag("grande_extend", "one more with the 7 of diamonds, and one more with the 6"),
        Cappotto("cappotto", 1, 50, "all ten diamonds: win the match, nothing, or points"),
        Number("target", 1, 1000, "match points to reach"),
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

# Where the core wants a number for a word.
_CORE_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    name: option.choices for name, option in OPTIONS.items() if isinstance(option, Choice)
})


@lru_cache(maxsize=64)
def _table(values: tuple[tuple[str, Value], ...]) -> FishingTable:
    options: dict[str, object] = dict(values)
    for name, words in _CORE_WORDS.items():
        options[name] = words.index(str(options[name]))
    matta, cappotto = str(options["matta"]), options["cappotto"]
    options["matta"] = -1 if matta == "no" else parse_card(matta)
    options["cappotto"] = {"no": 0, "win": -1}.get(str(cappotto), cappotto)
    return table_of(tuple(options.items()))


# The preset that keys are told from.
BASE = "cirulla"
# Options that matter to the first deal alone, or to the match.
FIRST_DEAL = frozenset((
    "matta_table", "bonus_15", "bonus_30", "bonus_9", "misdeal_aces", "misdeal_three",
    "misdeal_first", "misdeal_loss", "table_four", "target",
))


class FishingFamily(RuleFamily):
    """Cards are taken from the table by value."""

    options = OPTIONS
    presets = _PRESETS
    defaults = _CIRULLA

    def settle(
        self, values: dict[str, Value], base: dict[str, Value], given: Mapping[str, str]
    ) -> None:
        # What the rounds are where nothing says otherwise: the preset's own, or threes.
        implied = base["rounds"] or self._threes(values)
        if "rounds" not in given:
            values["rounds"] = implied
        base["rounds"] = implied

    @staticmethod
    def _threes(values: Mapping[str, Value]) -> Value:
        """Rounds of three cards until the pack is out."""
        players, table = values["players"], values["table_size"]
        assert isinstance(players, int) and isinstance(table, int)
        return (3,) * ((40 - table) // (3 * players))

    def check(self, rules: Rules) -> None:
        players, table, rounds = rules.players, rules.table_size, rules.rounds
        cards = players * sum(rounds) + table
        if cards != 40:
            raise RulesError(
                f"players={players} rounds={','.join(map(str, rounds))} table_size={table}: "
                f"players * sum(rounds) + table_size is {cards}; it must be the 40 cards",
                "rounds", "players", "table_size")
        timed = rules["claim_time"] == "round"
        if rules["claim_best"] and not timed:
            raise RulesError("claim_best=yes needs claim_time=round", "claim_best", "claim_time")
        if timed and set(rounds) != {3}:
            raise RulesError(
                f"claim_time=round needs rounds of three cards, all of them, not "
                f"rounds={','.join(map(str, rounds))}", "claim_time", "claim_best", "rounds")
        if rules["misdeal_loss"] and players == 3:
            raise RulesError(
                "misdeal_loss: not with players=3, where no single side wins by it; it takes 0",
                "misdeal_loss", "players")
        if rules["table_four"] != "no" and table < 4:
            raise RulesError(
                f"table_four={rules['table_four']} needs a table of four cards or more, "
                f"table_size is {table}", "table_four", "table_size")

    def can_score(self, values: Mapping[str, Value]) -> bool:
        # Who can capture can make a scopa.
        captures = (values["capture_equal"], values["capture_sum"], values["capture_15"],
                    values["ace_sweep"] != "no")
        # The first table of nothing is neither good nor a misdeal.
        table = values["table_size"]
        bonuses = table and (values["bonus_15"] or values["bonus_30"] or values["bonus_9"])
        outright = table and (values["table_four"] != "no" or (values["misdeal_loss"] and (
            values["misdeal_aces"] or values["misdeal_three"])))
        claims: tuple[Value, ...] = ()
        if values["claim"] != "no":
            three = values["claim_three"]
            assert isinstance(three, tuple)
            claims = (*three, values["claim_low"], values["claim_royal"])
        return any((*captures, *claims, bonuses, outright))

    def players(self, values: Mapping[str, Value]) -> int:
        players = values["players"]
        assert isinstance(players, int)
        return players

    def sides(self, values: Mapping[str, Value]) -> int:
        return 3 if values["players"] == 3 else 2

    def table(self, values: tuple[tuple[str, Value], ...]) -> FishingTable:
        return _table(values)

    def winners(self, target: int, scores: Sequence[int]) -> tuple[int, ...]:
        best = max(scores)
        # After a tie at or above the target the match goes on.
        return (scores.index(best),) if best >= target and scores.count(best) == 1 else ()

    def key(self, rules: Rules) -> str:
        """The options that differ from ``cirulla``, without the target and those that matter to
        the first deal alone: presets that are played alike from there on share their key."""
        base = type(rules)(BASE)
        words = [BASE]
        for name, option in self.options.items():
            if name not in FIRST_DEAL and rules[name] != base[name]:
                words.append(f"{name}={option.format(rules[name])}")
        return " ".join(words)

    def has_values(self, rules: Rules) -> bool:
        """Where all cards are dealt at once no state in between is public."""
        return len(rules.rounds) > 1
