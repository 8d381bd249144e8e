"""Who plays: an engine or a player, as the command line describes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cirulla_ai.basics.encoding import argument_text
from cirulla_ai.basics.numbers import real_number
from cirulla_ai.client.program import command_words
from cirulla_ai.engine.options import OptionError, Options
from cirulla_ai.players import PLAYERS
from cirulla_ai.tournament.referee import Clock

__all__ = ["Contender", "ContenderError", "parse_contender"]

CLOCK_KEYS = ("movetime", "nodes", "time", "inc")
# A comma, or a text in quotes: they open after = or a blank, or else, as in O'Brien, or where
# they are never closed, are letters like others.
COMMA = re.compile(r"""(?<![^=\s,])(?:"[^"]*"|'[^']*')|(,)""")


class ContenderError(ValueError):
    """An ``--engine`` that can't be read."""


@dataclass(frozen=True)
class Contender:
    """A participant: ``cmd`` starts an engine process, or ``player`` names one of ours
    or a class, as ``module:Class``.

    ``player`` ``engine`` is this package's engine without a process.  ``options`` are the
    engine's; ``clock`` its time control.
    """

    name: str
    cmd: tuple[str, ...] = ()
    player: str = ""
    options: tuple[tuple[str, str], ...] = ()
    clock: Clock = field(default_factory=Clock)

    def to_json(self) -> dict[str, Any]:
        """As plain values; all that decides how it plays."""
        return {
            "name": self.name, "cmd": list(self.cmd), "player": self.player,
            "options": dict(self.options), "clock": asdict(self.clock),
        }


def split_pairs(text: str) -> list[str]:
    """Split at commas that stand outside quotes; the quotes stay.

    >>> split_pairs("name=O'Brien,cmd='/a, b/engine' --level 3")
    ["name=O'Brien", "cmd='/a, b/engine' --level 3"]
    """
    parts, began = [], 0
    for match in COMMA.finditer(text):
        if match[1]:
            parts.append(text[began:match.start()])
            began = match.end()
    return [*parts, text[began:]]


def unquote(text: str) -> str:
    """A value without the quotes around the whole of it.

    >>> unquote("'/a b/engine'"), unquote("'/a b/engine' '--level 3'")
    ('/a b/engine', "'/a b/engine' '--level 3'")
    """
    quote, inner = text[:1], text[1:-1]
    whole = quote in ("'", '"') and text[1:].endswith(quote) and quote not in inner
    return inner if whole else text


def parse_contender(text: str, defaults: Mapping[str, float]) -> Contender:
    """Read ``name=A,cmd=COMMAND,option.Hash=16`` or ``name=B,player=greedy``.

    ``defaults`` are the clock's for all; ``movetime``, ``nodes``, ``time`` and ``inc`` may
    be given for one.  Values with commas go in quotes; COMMAND is a program's path, or words as
    for ``command_words``.  Raises ContenderError.
    """
    pairs: dict[str, str] = {}
    for part in split_pairs(text):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ContenderError(f"--engine {text}: {part!r} is not KEY=VALUE, as player=greedy or "
                                 "cmd=PROGRAM")
        if key in pairs:
            raise ContenderError(f"--engine {text}: {key} stands twice")
        pairs[key] = unquote(value.strip())
    options = {k.removeprefix("option."): pairs.pop(k) for k in list(pairs)
               if k.startswith("option.")}
    if len({" ".join(option.lower().split()) for option in options}) < len(options):
        raise ContenderError(f"--engine {text}: an option stands twice")
    clock: dict[str, Any] = dict(defaults)
    for key in CLOCK_KEYS:
        if key in pairs:
            clock.update(_clock_value(text, key, pairs.pop(key)))
    cmd, player = pairs.pop("cmd", ""), pairs.pop("player", "")
    if bool(cmd) == bool(player):
        unknown = [key for key in pairs if key != "name"]
        raise ContenderError(f"--engine {text}: give either cmd=COMMAND or player=NAME "
                             f"(engine, {', '.join(PLAYERS)})"
                             + (f"; {', '.join(unknown)} means nothing here" if unknown else ""))
    if player and player != "engine" and player not in PLAYERS and ":" not in player:
        raise ContenderError(f"--engine {text}: there is no player {player!r}; there are "
                             f"engine, {', '.join(PLAYERS)} and module:Class")
    try:
        words = tuple(command_words(cmd))
    except ValueError as error:
        raise ContenderError(f"--engine {text}: cmd={cmd}: {error}; a path with a quote in it "
                             "stands in the other quotes") from None
    if cmd and not words:
        raise ContenderError(f"--engine {text}: cmd is empty")
    name = argument_text(pairs.pop("name", "") or player or words[0], "replace")
    if pairs:
        raise ContenderError(f"--engine {text}: {', '.join(pairs)} means nothing here; there are "
                             f"name, cmd, player, option.NAME, {', '.join(CLOCK_KEYS)}")
    if options and player == "engine":
        check = Options()
        try:
            for option, value in options.items():
                check.set(option, value)
        except OptionError as error:
            raise ContenderError(f"--engine {text}: {error}") from None
    elif options and player:
        raise ContenderError(f"--engine {text}: the player {player} has no options")
    if words and not any(key in clock for key in ("movetime", "nodes", "time")):
        raise ContenderError(f"--engine {text}: its searches would never end; give it movetime, "
                             "nodes or time, or all engines --movetime, --nodes or --time")
    return Contender(
        name=name, cmd=words, player=player,
        options=tuple(sorted(options.items())), clock=Clock(**clock))


def _clock_value(text: str, key: str, value: str) -> dict[str, float]:
    try:
        number = real_number(value, 0, 1e12)
    except ValueError:
        number = 0.0
    if not number:
        raise ContenderError(f"--engine {text}: {key}={value} is not a number above 0")
    if key == "nodes" and not number.is_integer():
        raise ContenderError(f"--engine {text}: {key}={value} is not a whole number")
    return {key: int(number) if key == "nodes" else number}
