"""A round of two players in sequence form, solved by linear programming through the public API:
what an equilibrium is worth, worked out in another way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

from cirulla_ai import State
from cirulla_ai._core.cards import indices
from cirulla_ai._core.fishing_endgame import solve
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_value import Value

__all__ = ["Lines", "dealt", "end_value", "subsets", "unseen"]


def unseen(state: State) -> list[int]:
    """The cards in hands and stock."""
    fields = state.position.fields()
    return sorted([*fields["stock"], *(c for hand, _ in fields["hands"] for c in indices(hand))])


def dealt(state: State, hands: Sequence[int]) -> State:
    """The position with these hands, the other unseen cards in the stock."""
    fields = state.position.fields()
    left = [card for card in unseen(state) if not (hands[0] | hands[1]) >> card & 1]
    fields.update(hands=[(hand, 0) for hand in hands], stock=left)
    return State(state.rules, FishingPosition(state.rules.table, fields))


def subsets(cards: Sequence[int], size: int) -> list[int]:
    return [sum(1 << card for card in chosen) for chosen in combinations(cards, size)]


@cache
def dealt_value(state: State) -> float:
    """Side 0's points minus side 1's in the mean of all deals of the last round."""
    fields = state.position.fields()
    cards = [card for hand, _ in fields["hands"] for card in indices(hand)]
    total, n = 0.0, 0
    for first in subsets(cards, len(cards) // 2):
        second = sum(1 << card for card in cards) & ~first
        fields.update(hands=[(first, 0), (second, 0)])
        values = solve(FishingPosition(state.rules.table, fields), 1000)
        assert values is not None
        best = max(value for _, value, _ in values)
        # Who wins outright gets the target.
        best = max(-state.rules.target, min(state.rules.target, best))
        total += best if state.turn == 0 else -best
        n += 1
    return total / n


def end_value(state: State, round: int, learned: Value | None = None) -> float | None:
    """What it has come to, None while the round lasts."""
    if state.is_over:
        if state.won is not None:
            return state.rules.target * (1 if state.won == 0 else -1)
        a, b = (points.total for points in state.points())
        return float(a - b)
    if state.round == round:
        return None
    if learned is not None:
        points = learned.points(state.position)
        return points[0] - points[1]
    return dealt_value(sorted_hands(state))


def sorted_hands(state: State) -> State:
    """The cards just dealt in one fixed way: equal ends are then equal states."""
    fields = state.position.fields()
    cards = sorted(card for hand, _ in fields["hands"] for card in indices(hand))
    half = len(cards) // 2
    fields.update(hands=[(sum(1 << c for c in part), 0) for part in (cards[:half], cards[half:])])
    return State(state.rules, FishingPosition(state.rules.table, fields))


class Lines:
    """All lines of a round as sequences of two players, for the sequence form of the game
    (Koller, Megiddo and von Stengel, 1996)."""

    def __init__(
        self, state: State, hands: Sequence[Sequence[int]],
        weights: Sequence[Sequence[float]] | None = None,
    ) -> None:
        self.round = state.round
        self.sequences: list[dict[object, int]] = [{(): 0}, {(): 0}]
        self.sets: list[dict[object, tuple[int, list[int]]]] = [{}, {}]
        self.payoffs: dict[tuple[int, int], float] = defaultdict(float)
        likely = [dict(zip(of_seat, weights[seat] if weights else [1.0] * len(of_seat),
                           strict=True)) for seat, of_seat in enumerate(hands)]
        pairs = [(a, b) for a in hands[0] for b in hands[1] if not a & b]
        total = sum(likely[0][a] * likely[1][b] for a, b in pairs)
        for a, b in pairs:
            self.walk(dealt(state, (a, b)), (a, b), (), [0, 0],
                      likely[0][a] * likely[1][b] / total)

    def walk(
        self, state: State, pair: Sequence[int], words: tuple[str, ...], at: list[int],
        chance: float,
    ) -> None:
        value = end_value(state, self.round)
        if value is not None:
            self.payoffs[at[0], at[1]] += chance * value
            return
        seat = state.turn
        assert seat is not None
        known = (pair[seat], words)
        for action in state.legal_actions():
            sequence = (known, str(action))
            number = self.sequences[seat].setdefault(sequence, len(self.sequences[seat]))
            _, after = self.sets[seat].setdefault(known, (at[seat], []))
            if number not in after:
                after.append(number)
            there = list(at)
            there[seat] = number
            self.walk(state.apply(action), pair, (*words, str(action)), there, chance)

    def constraints(self, seat: int) -> Any:
        """What the chances of a seat's sequences have to add up to: the first is 1."""
        out = lil_matrix((1 + len(self.sets[seat]), len(self.sequences[seat])))
        out[0, 0] = 1
        for row, (before, after) in enumerate(self.sets[seat].values(), 1):
            out[row, before] = -1
            for number in after:
                out[row, number] = 1
        return out

    def value(self, never: Iterable[tuple[int, str]] = ()) -> float:
        """The value of the game for side 0, where it must not begin so: with these hands, by
        these actions."""
        mine, theirs = self.constraints(0), self.constraints(1)
        n, m = mine.shape[1], theirs.shape[0]
        # Variables: side 0's chances x, then the prices q of side 1's constraints; the most
        # of q[0] with theirs' q <= payoffs' x.
        bounds = lil_matrix((theirs.shape[1], n + m))
        bounds[:, n:] = theirs.T
        for (a, b), payoff in self.payoffs.items():
            bounds[b, a] = -payoff
        equal = lil_matrix((mine.shape[0], n + m))
        equal[:, :n] = mine
        right = np.zeros(mine.shape[0])
        right[0] = 1
        cost = np.zeros(n + m)
        cost[n] = -1
        most: list[float | None] = [None] * n
        for hand, action in never:
            most[self.sequences[0][(hand, ()), action]] = 0
        found = linprog(
            cost, A_ub=bounds.tocsr(), b_ub=np.zeros(theirs.shape[1]), A_eq=equal.tocsr(),
            b_eq=right, bounds=[(0, one) for one in most] + [(None, None)] * m)
        assert found.status == 0
        return -float(found.fun)
