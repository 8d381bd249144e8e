"""The player that plays anything."""

from __future__ import annotations

from cirulla_ai.action import Action
from cirulla_ai.players.base import Player, Turn

__all__ = ["RandomPlayer"]


class RandomPlayer(Player):
    """Plays each legal action with the same chance."""

    name = "random"

    def choose(self, turn: Turn) -> Action:
        codes = turn.codes
        return Action.from_code(codes[int(self.random.random() * len(codes))])
