"""A player of Ciapa No by rule: it ducks, and gets rid of what will take tricks."""

from __future__ import annotations

from cirulla_ai._core.ciapano_model import costs
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai.action import Action
from cirulla_ai.games.registry import CIAPANO
from cirulla_ai.players.base import Player, Turn

__all__ = ["DuckingPlayer", "choose"]


class DuckingPlayer(Player):
    """Takes as little as it can, by what it sees; it needs no luck."""

    name = "rule"
    families = (CIAPANO,)

    def choose(self, turn: Turn) -> Action:
        return Action.from_code(choose(turn.view.position))


def choose(position: CiapanoPosition) -> int:
    """The code of the action for the seat to move, from what that seat sees.

    Of actions that cost the same the lowest card's is chosen: the same view gives the same
    action.  Raises ValueError where the smazzata is over or another seat moves.
    """
    return min(costs(position), key=lambda found: found[1])[0]
