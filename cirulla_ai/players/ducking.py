"""A player of Ciapa No by rule: it ducks, and gets rid of what will take tricks.

The points of a smazzata are always the same, so a seat's whole interest is to take as
little as it can.  Every card is judged by what it costs: what the open trick brings if it
takes it, and how dangerous the hand is that is left.  A hand's danger is that of its
suits: the card that has to be played when a suit comes round for the first time, the
second, and so on, taken from below, and how likely the others can stay under it.
"""

from __future__ import annotations

from cirulla_ai._core.actions import decode
from cirulla_ai._core.cards import indices
from cirulla_ai._core.ciapano_position import CiapanoPosition, trick_taker
from cirulla_ai.action import Action
from cirulla_ai.games.registry import CIAPANO
from cirulla_ai.players.base import Player, Turn

__all__ = ["DuckingPlayer", "choose"]

SUIT = 0x1111111111
# How likely both others stay under a card, by the number of lower cards that are out.
STAY_UNDER = (0.0, 0.35, 0.65, 0.85, 0.95, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
# Thirds that the others' two cards bring to a trick that one takes against one's will.
BROUGHT = 3.0
# What being without a suit is worth in thirds: its tricks take a bad card away.
VOID = 1.2
# The longest runs of a suit worth looking at: seldom does one come round more often.
ROUNDS = 5


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
    if position.turn < 0:
        raise ValueError("the smazzata is over: there is nothing to decide")
    view = position if position.viewer >= 0 else position.view(position.turn)
    if view.viewer != view.turn:
        raise ValueError(f"seat {view.turn} is to move, not seat {view.viewer}, whose view this is")
    codes = view.legal()
    if len(codes) == 1:
        return codes[0]
    scene = _Scene(view)
    return min(codes, key=scene.cost)


def strength(card: int) -> int:
    """A card's place in the order 4 5 6 7 J Q K A 2 3, from 0."""
    return (card // 4 + 7) % 10


def thirds(card: int) -> int:
    """What a card counts: ace 3, two, three, J, Q and K 1."""
    rank = card // 4
    return 3 if rank == 0 else int(rank <= 2 or rank >= 7)


class _Scene:
    """A decision as the player looks at it."""

    def __init__(self, view: CiapanoPosition) -> None:
        fields = view.fields()
        hands = fields["hands"]
        self.hand, _ = hands[view.turn]
        self.trick = fields["trick"]
        # Cards that others may have; the discard is counted in, unless it is one's own.
        others = view.unseen()
        for seat, (known, _) in enumerate(hands):
            if seat != view.turn:
                others |= known
        self.out = [
            sorted(map(strength, indices(others & (SUIT << suit)))) for suit in range(4)
        ]

    def cost(self, code: int) -> float:
        """Thirds that an action is likely to cost; smaller is better."""
        kind, card, _, _ = decode(code)
        assert card is not None
        left = self.hand & ~(1 << card)
        cost = self.danger(left)
        if kind == "play":
            cost += self.taking(card) * self.worth(card)
        return cost

    # --- the open trick ---------------------------------------------------------------

    def worth(self, card: int) -> float:
        """Thirds that the trick brings to who takes it."""
        coming = 2 - len(self.trick)
        return thirds(card) + sum(map(thirds, self.trick)) + coming * BROUGHT / 2

    def taking(self, card: int) -> float:
        """How likely a card takes the trick."""
        lower = sum(s < strength(card) for s in self.out[card % 4])
        if not self.trick:
            # Where nobody else has the suit, it is taken for certain.
            return STAY_UNDER[lower] if self.out[card % 4] else 1.0
        if len(self.trick) == 2:
            return float(trick_taker([*self.trick, card]) == 2)
        led = self.trick[0]
        if card % 4 != led % 4 or strength(card) < strength(led):
            return 0.0
        higher = len(self.out[card % 4]) - lower
        # The third seat stays under wherever it can.
        return 1.0 if not higher else 0.9 if lower > 2 else 0.75 if lower else 0.5

    # --- the hand that is left --------------------------------------------------------

    def danger(self, hand: int) -> float:
        """Thirds that a hand is likely to cost in the tricks to come."""
        return sum(
            self.suit_danger([card for card in indices(hand) if card % 4 == suit], self.out[suit])
            for suit in range(4)
        )

    def suit_danger(self, cards: list[int], out: list[int]) -> float:
        if not cards:
            return -VOID if out else 0.0
        total = 0.0
        for turn, card in enumerate(sorted(cards, key=strength)[:ROUNDS]):
            # Two cards of the others go each time round.
            comes_round = min(1.0, max(0.1, len(out) / 2 - turn + 0.5))
            lower = sum(s < strength(card) for s in out)
            stays = STAY_UNDER[max(0, lower - 2 * turn)]
            total += comes_round * stays * (thirds(card) + BROUGHT)
        # Cards above those will hardly be asked for, but an ace must still go somewhere.
        return total + sum(
            0.2 * thirds(card) for card in sorted(cards, key=strength)[ROUNDS:])
