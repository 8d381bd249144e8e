"""Players that play games out: flat Monte Carlo, and the one that sees all cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cirulla_ai.action import Action
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.players.base import Player, Thought, Turn

__all__ = ["CheatPlayer", "EnginePlayer", "FlatPlayer"]

# Where the clock says nothing.
UNLIMITED = Limit(nodes=2000)


class EnginePlayer(Player):
    """This package's engine, in the process, with these options set.

    ``settings`` are options that make the player what it is, set before those given.  A
    ``Seed`` among those given stays; else each choice is seeded by the player's own seed.
    """

    name = "engine"
    settings: tuple[tuple[str, str], ...] = ()

    def __init__(self, seed: int | None = None, options: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(seed)
        options = list(options.items() if isinstance(options, Mapping) else options)
        self.engine = Engine()
        for name, value in (*self.settings, *options):
            self.engine.set(name, value)
        self.fixed_seed = any(name.lower() == "seed" for name, _ in options)
        self.sees_all = bool(self.engine.options["Cheat"])

    def prepare(self, turn: Turn | None = None) -> None:
        if turn is not None:
            self.engine.prepare_for(turn.view)

    def choose(self, turn: Turn) -> Action:
        if not self.fixed_seed:
            self.engine.set("Seed", self.random.getrandbits(62) | 1)
        state = turn.truth(self) if self.sees_all else turn.knowledge
        *_, info = self.engine.search(state, UNLIMITED if turn.limit.is_infinite else turn.limit)
        self.thought = Thought(info.centipoints, info.nodes)
        return info.pv[0]


class FlatPlayer(EnginePlayer):
    """Determinized flat Monte Carlo: every action equally often, no tree."""

    name = "flat"
    settings = (("Search", "flat"),)


class CheatPlayer(EnginePlayer):
    """Searches with all cards known, the stock's order too: an upper bound, not a player."""

    name = "cheat"
    settings = (("Cheat", "true"),)
