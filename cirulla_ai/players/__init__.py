"""Reference opponents: simple players to measure an engine against.

``make_player(name, seed)`` makes one by its name in ``PLAYERS``.
"""

from cirulla_ai.players.base import Player, Turn
from cirulla_ai.players.registry import PLAYERS, PlayerError, make_player

__all__ = ["PLAYERS", "Player", "PlayerError", "Turn", "make_player"]
