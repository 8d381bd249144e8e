"""Players that play games out: flat Monte Carlo, and the one that sees all cards."""

from __future__ import annotations

from cirulla_ai.action import Action
from cirulla_ai.engine import Engine, Limit
from cirulla_ai.players.base import Player, Turn

__all__ = ["CheatPlayer", "FlatPlayer"]


class SearchPlayer(Player):
    """A player that is an engine with its options set."""

    settings: tuple[tuple[str, str], ...] = ()
    limit = Limit(nodes=2000)

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self.engine = Engine()
        for name, value in self.settings:
            self.engine.set(name, value)

    def choose(self, turn: Turn) -> Action:
        self.engine.set("Seed", self.random.getrandbits(62) | 1)
        state = turn.truth(self) if self.sees_all else turn.knowledge
        return self.engine.play(state, turn.limit if not turn.limit.is_infinite else self.limit)


class FlatPlayer(SearchPlayer):
    """Determinized flat Monte Carlo: every action equally often, no tree."""

    name = "flat"
    settings = (("Search", "flat"),)


class CheatPlayer(SearchPlayer):
    """Searches with all cards known, the stock's order too: an upper bound, not a player."""

    name = "cheat"
    sees_all = True
    settings = (("Cheat", "true"),)
