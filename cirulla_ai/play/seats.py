"""Who sits at a seat: a person, or a bot by its description."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cirulla_ai.basics.numbers import given, whole
from cirulla_ai.engine.levels import FULL
from cirulla_ai.players import PlayerError, make_player
from cirulla_ai.records.text import clean
from cirulla_ai.rules import Rules
from cirulla_ai.tournament.contender import Contender, parse_contender

__all__ = ["Seat", "level_seat"]

# Iterations of a decision at the full level: a tenth of a second, and always the same play.
FULL_NODES = 50_000
# Milliseconds that an engine has where its description says nothing.
MOVETIME = 1000
MOST_LETTERS = 60


@dataclass(frozen=True)
class Seat:
    """A person, or where ``bot`` is given what ``cirulla match --engine`` takes:
    ``player=greedy``, ``cmd=./engine,movetime=500``.

    Raises ContenderError (a ValueError) where that can't be read, ValueError for a name that
    is no text or longer than sixty letters.

    >>> Seat("A").is_person, Seat(bot="player=greedy").name, level_seat(3).level
    (True, 'greedy', 3)
    """

    name: str = ""
    bot: str = ""

    def __post_init__(self) -> None:
        for key in ("name", "bot"):
            if not isinstance(getattr(self, key), str):
                raise TypeError(f"{key} {given(getattr(self, key))}: a text is needed")
        name = clean(self.name)
        if len(name) > MOST_LETTERS:
            raise ValueError(f"name {given(name)}: {len(name)} letters; at most {MOST_LETTERS}")
        if self.bot and not name:
            name = self.contender.name
        object.__setattr__(self, "name", name)

    @property
    def is_person(self) -> bool:
        """Whether its actions come from outside."""
        return not self.bot

    @cached_property
    def contender(self) -> Contender:
        """The bot as a tournament knows it."""
        defaults = {"movetime": MOVETIME} if "cmd=" in self.bot else {}
        if any(f"{key}=" in self.bot for key in ("movetime", "nodes", "time")):
            defaults = {}
        return parse_contender(self.bot, defaults)

    @property
    def kind(self) -> str:
        """``person``, ``engine`` (ours), ``player`` (by name) or ``cmd`` (a program)."""
        if self.is_person:
            return "person"
        who = self.contender
        return "cmd" if who.cmd else "engine" if who.player == "engine" else "player"

    @property
    def level(self) -> int | None:
        """The level of our engine, None where it is not ours."""
        if self.kind != "engine":
            return None
        options = {name.lower(): value for name, value in self.contender.options}
        return int(options.get("skill level", FULL))

    def check(self, rules: Rules) -> None:
        """Raise PlayerError where who sits here can't play by these rules, or would see the
        others' cards."""
        if self.is_person:
            return
        who = self.contender
        sees_all = any(name.lower() == "cheat" and value.lower() == "true"
                       for name, value in who.options)
        if self.kind == "player":
            player = make_player(who.player)
            player.check(rules)
            sees_all = player.sees_all
        if sees_all:
            raise PlayerError(f"{self.name} sees all cards: it can't sit at a table with others")


def level_seat(level: int, name: str = "") -> Seat:
    """Our engine at a level, 0 … 20; raises ValueError for another."""
    level = whole(level, 0, FULL, "level")
    return Seat(name or f"level {level}",
                f"player=engine,nodes={FULL_NODES},option.Skill Level={level}")
