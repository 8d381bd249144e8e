"""Who plays: an engine or a player, as the command line describes it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cirulla_ai.match.referee import Clock
from cirulla_ai.options import OptionError, Options
from cirulla_ai.players import PLAYERS

__all__ = ["Contender", "ContenderError", "parse_contender"]

CLOCK_KEYS = ("movetime", "nodes", "time", "inc")


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
    """Split at commas that stand outside quotes; the quotes stay."""
    parts, quote = [""], ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == ",":
            parts.append("")
            continue
        parts[-1] += letter
    return parts


def unquote(text: str) -> str:
    """A value without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def parse_contender(text: str, defaults: Mapping[str, float]) -> Contender:
    """Read ``name=A,cmd=COMMAND,option.Hash=16`` or ``name=B,player=greedy``.

    ``defaults`` are the clock's for all; ``movetime``, ``nodes``, ``time`` and ``inc`` may
    be given for one.  Values with commas go in quotes.  Raises ContenderError.
    """
    pairs: dict[str, str] = {}
    for part in split_pairs(text):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ContenderError(f"--engine {text}: {part!r} is not KEY=VALUE")
        if key in pairs:
            raise ContenderError(f"--engine {text}: {key} stands twice")
        pairs[key] = unquote(value.strip())
    options = {k.removeprefix("option."): pairs.pop(k) for k in list(pairs)
               if k.startswith("option.")}
    clock: dict[str, Any] = dict(defaults)
    for key in CLOCK_KEYS:
        if key in pairs:
            clock.update(_clock_value(text, key, pairs.pop(key)))
    cmd, player = pairs.pop("cmd", ""), pairs.pop("player", "")
    if bool(cmd) == bool(player):
        raise ContenderError(f"--engine {text}: give either cmd=COMMAND or player=NAME "
                             f"(engine, {', '.join(PLAYERS)})")
    if player and player != "engine" and player not in PLAYERS and ":" not in player:
        raise ContenderError(f"--engine {text}: there is no player {player!r}; there are "
                             f"engine, {', '.join(PLAYERS)} and module:Class")
    try:
        words = tuple(shlex.split(cmd))
    except ValueError as error:
        raise ContenderError(f"--engine {text}: cmd={cmd}: {error}") from None
    if cmd and not words:
        raise ContenderError(f"--engine {text}: cmd is empty")
    name = pairs.pop("name", "") or player or words[0]
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
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 < number < 1e12:
        raise ContenderError(f"--engine {text}: {key}={value} is not a number above 0")
    if key == "nodes" and not number.is_integer():
        raise ContenderError(f"--engine {text}: {key}={value} is not a whole number")
    return {key: int(number) if key == "nodes" else number}
