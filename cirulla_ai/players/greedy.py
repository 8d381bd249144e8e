"""The player that takes what it sees."""

from __future__ import annotations

from cirulla_ai._core.actions import decode
from cirulla_ai._core.fishing_heuristic import worth_gain
from cirulla_ai._core.fishing_position import ITEMS, FishingPosition
from cirulla_ai.action import Action
from cirulla_ai.games.registry import FISHING
from cirulla_ai.players.base import Player, Turn
from cirulla_ai.state import State

__all__ = ["GreedyPlayer", "HeuristicPlayer"]

SCOPA = ITEMS.index("scopa")


class HeuristicPlayer(Player):
    """A player that gives each action a value by rule and plays the best.

    Of equal ones it plays the first in the order of their texts, so it needs no luck.
    """

    families = (FISHING,)

    def choose(self, turn: Turn) -> Action:
        actions = sorted(map(Action.from_code, turn.codes))
        if len(actions) == 1:
            return actions[0]
        values = self.values(turn)
        return max(actions, key=lambda action: values[action.code])

    def values(self, turn: Turn) -> dict[int, tuple[float, ...]]:
        """The value of each action, by its code: larger is better, compared part by part."""
        raise NotImplementedError


class Prospect:
    """A decision as a rule player looks at it: the view's parts as sets of cards."""

    def __init__(self, view: State, seat: int) -> None:
        self.rules = view.rules
        self.position: FishingPosition = view.position
        self.seat = seat
        self.side = view.rules.side(seat)
        fields = self.position.fields()
        self.table = fields["table"]
        self.mine = fields["taken"][self.side]
        self.theirs = 0
        for side, cards in enumerate(fields["taken"]):
            if side != self.side:
                self.theirs |= cards
        self.scopas = fields["scopa"][self.side]
        self.unseen = self.position.unseen()

    def gain(self, cards: int) -> float:
        """What taking cards is worth here, in points, beyond a scopa."""
        return worth_gain(self.rules.table, cards, self.mine, self.theirs)

    def outcome(self, code: int) -> tuple[int, int, int, bool]:
        """After an action: (points scored at once, cards taken, table left, match won)."""
        kind, card, cards, _ = decode(code)
        after = self.position.after(code)
        points = after.items()[self.side][SCOPA] - self.scopas
        if kind != "play" or card is None:
            return points, 0, self.table, False
        if cards:
            return points, cards | 1 << card, self.table & ~cards, after.won == self.side
        return 0, 0, self.table | 1 << card, False


class GreedyPlayer(HeuristicPlayer):
    """Best immediate points, then the most valuable capture, then the safest discard.

    The safest discard is the one that leaves the fewest unseen cards able to take.
    """

    name = "greedy"

    def values(self, turn: Turn) -> dict[int, tuple[float, ...]]:
        prospect = Prospect(turn.view, turn.seat)
        return {code: self.value(prospect, code) for code in turn.codes}

    @staticmethod
    def value(prospect: Prospect, code: int) -> tuple[float, ...]:
        """The value of one action."""
        points, taken, table, won = prospect.outcome(code)
        if won:
            return (1000.0, 0.0, 0.0)
        if taken:
            return (points, prospect.gain(taken), 0.0)
        risk = threats(prospect, table) if table != prospect.table else 0
        return (points, 0.0, -risk)


def threats(prospect: Prospect, table: int) -> int:
    """How many of the unseen cards could take something from this table."""
    captures = prospect.position.rules.captures
    return sum(
        bool(captures(table, card))
        for card in range(40) if prospect.unseen >> card & 1
    )
