"""The players by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from cirulla_ai.basics.numbers import given
from cirulla_ai.players.base import Player, PlayerError
from cirulla_ai.players.careful import CarefulPlayer, ExactPlayer
from cirulla_ai.players.ducking import DuckingPlayer
from cirulla_ai.players.greedy import GreedyPlayer
from cirulla_ai.players.loading import load_player
from cirulla_ai.players.sampling import CheatPlayer, FlatPlayer
from cirulla_ai.players.uniform import RandomPlayer

__all__ = ["PLAYERS", "PlayerError", "make_player"]

PLAYERS: Mapping[str, Callable[[int | None], Player]] = MappingProxyType({
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "careful": CarefulPlayer,
    "exact": ExactPlayer,
    "rule": DuckingPlayer,
    "flat": FlatPlayer,
    "cheat": CheatPlayer,
})


def make_player(name: str, seed: int | None = None) -> Player:
    """The player of this name, or of a class given as ``module:Class``; raises PlayerError
    where there is none.

    >>> make_player("greedy").name
    'greedy'
    """
    if isinstance(name, str) and ":" in name:
        return load_player(name, seed)
    if not isinstance(name, str) or name not in PLAYERS:
        raise PlayerError(f"there is no player {given(name)}; there are {', '.join(PLAYERS)} and "
                          "module:Class")
    return PLAYERS[name](seed)
