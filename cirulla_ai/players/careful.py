"""The player that minds what it leaves behind."""

from __future__ import annotations

from cirulla_ai._core.actions import decode
from cirulla_ai._core.search import now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.exact import fishing_exact
from cirulla_ai.players.base import Turn
from cirulla_ai.players.greedy import RulePlayer, Scene

__all__ = ["CarefulPlayer", "ExactPlayer"]

# Long enough for any last round of two players; where it is not, it plays by rule.
SOLVING_NS = 10**9


class CarefulPlayer(RulePlayer):
    """Counts the unseen cards: what it takes, less what the next seat can then take.

    Each unseen card may be with the next seat by chance; the best reply to the table that
    is left is worth what the card can take, a scopa included.  So it keeps away from
    leaving equals, sums, fifteens and tables for an ace where the cards for them are out,
    and does not give diamonds and sevens away; a high card that it may need later is held
    before a low one of no use.
    """

    name = "careful"

    def value(self, scene: Scene, code: int) -> tuple[float, ...]:
        points, taken, table, won = scene.outcome(code)
        if won:
            return (1000.0,)
        kind, card, _, _ = decode(code)
        if kind != "play":
            # A claim scores at once; of several the one of the most points.
            return (500.0 + points,) if kind == "claim" else (0.0,)
        gain = points + scene.worth.gain(taken, scene.mine, scene.theirs) if taken else 0.0
        mine = scene.mine | taken
        value = gain - self.expected_reply(scene, table, mine)
        if not taken and card is not None:
            # A card laid is a card that can't take later, most of all an ace.
            value -= 0.3 if card < 4 else 0.0
        return (value,)

    def expected_reply(self, scene: Scene, table: int, mine: int) -> float:
        """Points that the next seat can be expected to take from this table."""
        fields = scene.position.fields()
        players = scene.rules.players
        opponent = (scene.seat + 1) % players
        known, n_unknown = fields["hands"][opponent]
        n_unseen = bin(scene.unseen).count("1")
        hand = bin(known).count("1") + n_unknown
        if hand == 0:
            # The round is over: the seat after the dealer has new cards from the stock.
            n_unknown = scene.rules.rounds[fields["round"]] if fields["stock_count"] else 0
        if not table or (n_unknown == 0 and not known):
            return 0.0
        chance = min(1.0, n_unknown / n_unseen) if n_unseen else 0.0
        replies = []
        for card in range(40):
            if known >> card & 1:
                replies.append((self.best_reply(scene, table, card, mine), 1.0))
            elif scene.unseen >> card & 1 and chance:
                replies.append((self.best_reply(scene, table, card, mine), chance))
        replies.sort(reverse=True)
        total, none_better = 0.0, 1.0
        for value, p in replies:
            if value <= 0.0:
                break
            total += none_better * p * value
            none_better *= 1.0 - p
        return total

    @staticmethod
    def best_reply(scene: Scene, table: int, card: int, mine: int) -> float:
        """What the next seat gains by its best capture with this card."""
        best = 0.0
        for captured in scene.position.rules.captures(table, card):
            gain = scene.worth.gain(captured | 1 << card, scene.theirs, mine)
            best = max(best, gain + (captured == table))
        return best


class ExactPlayer(CarefulPlayer):
    """The careful player, but best play in a last round in which it knows all cards."""

    name = "exact"

    def choose(self, turn: Turn) -> Action:
        if turn.view.stock_count == 0:
            solved = fishing_exact(turn.knowledge.core, turn.codes, now_ns() + SOLVING_NS, Stop())
            if solved:
                return Action.from_code(solved[0].code)
        return super().choose(turn)
