"""The games that the package plays, each as one entry: all that differs between them.

Everything above the core (states, knowledge, the protocol, matches) asks ``game_of`` for
the entry of the rules that it has, and never which game it is.  docs/adding-a-game.md says
what an entry takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cirulla_ai.basics.numbers import given
from cirulla_ai.games import ciapano, fishing
from cirulla_ai.games.contract import AnyGame, RuleFamily
from cirulla_ai.games.options import RulesError
from cirulla_ai.games.reader import StateError

if TYPE_CHECKING:
    from cirulla_ai.rules import Rules

__all__ = ["CIAPANO", "FAMILIES", "FISHING", "GAMES", "PRESETS", "family_of", "game_of",
           "split_tokens"]

# A new game goes into this line; all else follows.
GAMES: tuple[AnyGame, ...] = (fishing.GAME, ciapano.GAME)

# For the players that play one of them only.
FISHING = fishing.FAMILY
CIAPANO = ciapano.FAMILY

FAMILIES: tuple[RuleFamily, ...] = tuple(game.family for game in GAMES)
PRESETS: tuple[str, ...] = tuple(preset for family in FAMILIES for preset in family.presets)

NEEDED = "is needed, as rules=cirulla"

_BY_FAMILY = {game.family: game for game in GAMES}


def family_of(preset: str) -> RuleFamily:
    """The family of a preset; raises RulesError where there is no such preset."""
    for family in FAMILIES:
        if isinstance(preset, str) and preset in family.presets:
            return family
    text = preset if isinstance(preset, str) else given(preset)
    raise RulesError(f"rules={text}: no such preset; there are {', '.join(PRESETS)}", "rules")


def game_of(rules: Rules) -> AnyGame:
    """The game that is played by these rules."""
    return _BY_FAMILY[rules.family]


def _game_named(tokens: Iterable[str]) -> AnyGame | None:
    """The game of a ``rules=`` token, None where there is none."""
    named: AnyGame | None = None
    for token in tokens:
        if token.lower().startswith("rules="):
            preset = token[6:].lower()
            if preset not in PRESETS:
                raise StateError("rules", f"{token[6:] or 'nothing'}: no such preset; there are "
                                 f"{', '.join(PRESETS)}")
            if named:
                raise StateError("rules", "stands twice")
            named = next(game for game in GAMES if preset in game.family.presets)
    return named


def split_tokens(
    tokens: Iterable[str], *, dealing: bool = False
) -> tuple[dict[str, str], dict[str, str]]:
    """``key=value`` tokens as (state keys, rule options); keys in either letter case.

    ``dealing``: only the keys that make sense before a deal.  Raises StateError.
    """
    tokens = list(tokens)
    # The rules first: what other keys there are depends on them.
    game = _game_named(tokens)
    if game is None:
        if not dealing:
            raise StateError("rules", NEEDED)
        game = GAMES[0]
    keys = game.deal_keys if dealing else game.keys
    state: dict[str, str] = {}
    options: dict[str, str] = {}
    for token in tokens:
        key, equals, value = token.partition("=")
        if not equals or not key:
            raise StateError(token, "not a token of the form key=value")
        key = key.lower()
        if dealing and key in game.keys and key not in keys:
            raise StateError(key, f"the deal makes it; startpos takes {', '.join(keys)}, "
                             "seed N, and options of the rules")
        into = state if key in keys else options if key in game.family.options else None
        if into is None:
            raise StateError(key, f"there is no such key or option ({token})")
        if key in into:
            raise StateError(key, "stands twice")
        if not value:
            raise StateError(key, "has no value; an empty one is written -")
        into[key] = value
    return state, options
