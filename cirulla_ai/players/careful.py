"""The player that minds what it leaves behind."""

from __future__ import annotations

from cirulla_ai._core.fishing_heuristic import heuristic_values
from cirulla_ai._core.search import now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.games.registry import game_of
from cirulla_ai.players.base import Turn
from cirulla_ai.players.greedy import HeuristicPlayer

__all__ = ["CarefulPlayer", "ExactPlayer"]

# Long enough for any last round of two players; where it is not, it plays by rule.
SOLVING_NS = 10**9


class CarefulPlayer(HeuristicPlayer):
    """Counts the unseen cards: what it takes, less what the next seat can then take.

    The rule is that of ``cirulla_ai._core.fishing_heuristic``: it keeps away from leaving equals,
    sums, fifteens and tables for an ace where the cards for them are out, and does not give
    diamonds and sevens away.
    """

    name = "careful"

    def values(self, turn: Turn) -> dict[int, tuple[float, ...]]:
        return {code: (value,) for code, value in heuristic_values(turn.view.position)}


class ExactPlayer(CarefulPlayer):
    """The careful player, but best play in a last round in which it knows all cards."""

    name = "exact"

    def choose(self, turn: Turn) -> Action:
        exact = game_of(turn.view.rules).exact
        if exact and turn.view.stock_count == 0:
            solved = exact(turn.knowledge.core, turn.codes, now_ns() + SOLVING_NS, Stop())
            if solved:
                return Action.from_code(solved[0].code)
        return super().choose(turn)
