"""The equilibrium of a round against linear programming and plain minimax."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

from cirulla_ai import Rules, State
from cirulla_ai._core.cards import indices
from cirulla_ai._core.fishing_endgame import solve
from cirulla_ai._core.fishing_equilibrium import Equilibrium
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_value import Value
from cirulla_ai._core.stop import Stop
from cirulla_ai.analysis.solve import converge
from cirulla_ai.engine.evaluation_file import EvaluationFile

# Two cards each, then two: small enough to be solved over all hands.
TWOS = "cirulla rounds=14,2,2"


def before_last(rules: str, seed: int) -> State:
    """The beginning of the last round but one, after random play."""
    random = Random(seed)
    state = State.deal(rules, seed=seed, dealer=seed % 2)
    while state.round < len(state.rules.rounds) - 1:
        state = state.apply(random.choice(state.legal_actions()))
    return state


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


def minimax(state: State, round: int, learned: Value | None = None) -> float:
    """The value for side 0 with the hands of this round known to both."""
    value = end_value(state, round, learned)
    if value is not None:
        return value
    values = [minimax(state.apply(action), round, learned) for action in state.legal_actions()]
    return max(values) if state.turn == 0 else min(values)


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

    def value(self) -> float:
        """The value of the game for side 0."""
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
        found = linprog(
            cost, A_ub=bounds.tocsr(), b_ub=np.zeros(theirs.shape[1]), A_eq=equal.tocsr(),
            b_eq=right, bounds=[(0, None)] * n + [(None, None)] * m)
        assert found.status == 0
        return -float(found.fun)


def some_hands(state: State, size: int, n: int, seed: int) -> list[list[int]]:
    """A few hands for each seat, the likeliest to be claimed among them."""
    random = Random(seed)
    low, every = subsets(unseen(state)[:size + 1], size), subsets(unseen(state), size)
    return [[random.choice(low), *random.sample([h for h in every if h not in low], n - 1)]
            for _ in range(2)]


GAMES = [("cirulla", seed, 3, 3) for seed in range(3)] + [
    (f"cirulla {option}", 3, 3, 3)
    for option in ("claim=mandatory", "claim_time=round", "must_capture=no")
] + [(TWOS, seed, 2, 6) for seed in range(2)]


@pytest.mark.parametrize(("rules", "seed", "size", "n"), GAMES)
def test_value_is_that_of_the_linear_program(rules: str, seed: int, size: int, n: int) -> None:
    state = before_last(rules, seed)
    hands = some_hands(state, size, n, seed)
    value = Lines(state, hands).value()
    equilibrium = Equilibrium(state.position, hands, tremble=0)
    gaps = []
    for iterations in (5, 50, 400):
        equilibrium.run(iterations)
        low, high = equilibrium.bounds()
        assert low - 1e-3 <= value <= high + 1e-3
        gaps.append(high - low)
    assert gaps[0] + 1e-4 >= gaps[1] and gaps[2] < 2e-3
    assert equilibrium.value == pytest.approx(value, abs=2e-3)


@pytest.mark.parametrize("seed", range(4))
def test_goes_on_within_a_round_with_hands_that_are_not_alike_likely(seed: int) -> None:
    random = Random(seed)
    state = before_last("cirulla", seed)
    plays = [action for action in state.legal_actions() if action.kind == "play"]
    state = state.apply(random.choice(plays))
    sizes = [len(hand) for hand in state.hands]
    hands = [random.sample(subsets(unseen(state), size), 4) for size in sizes]
    weights = [[random.choice((0.0, 0.5, 2.0, 7.0)) for _ in of_seat] for of_seat in hands]
    for of_seat in weights:
        of_seat[0] = 1.0
    equilibrium = Equilibrium(state.position, hands, tremble=0, weights=weights)
    equilibrium.run(600)
    value = Lines(state, hands, weights).value()
    assert equilibrium.value == pytest.approx(value, abs=3e-3)


def claimed(rules: str, seed: int) -> State:
    """The last round but one, just after a claim in it."""
    while True:
        state = before_last(rules, seed)
        for action in state.legal_actions():
            if action.kind == "claim":
                return state.apply(action)
        seed += 1


@pytest.mark.parametrize(("rules", "seed"), [("cirulla", 1), ("cirulla claim_time=round", 2)])
def test_a_hand_that_was_shown_is_known_to_both(rules: str, seed: int) -> None:
    state = claimed(rules, seed)
    claimer = next(seat for seat in range(2) if state.shown[seat])
    hand = state.position.fields()["hands"][claimer][0]
    other = Random(seed).sample(
        [held for held in subsets(unseen(state), 3) if not held & hand], 5)
    hands = [[hand], other] if claimer == 0 else [other, [hand]]
    equilibrium = Equilibrium(state.position, hands, tremble=0)
    equilibrium.run(400)
    assert equilibrium.value == pytest.approx(Lines(state, hands).value(), abs=2e-3)
    # By default all that can be, and nothing else.
    every = Equilibrium(state.position)
    every.run(1)
    right, wrong = (hand, other[0]) if every.actor() == claimer else (other[0], hand)
    assert every.strategy(right)
    with pytest.raises(ValueError, match="can't hold"):
        every.strategy(wrong)
    with pytest.raises(ValueError, match=f"hand of seat {claimer} is not of 0 unseen cards and"):
        Equilibrium(state.position, [other, other])


@pytest.mark.parametrize("round", range(1, 6))
def test_learned_values_tell_what_a_round_comes_to(round: int) -> None:
    random = Random(round)
    state = State.deal("cirulla", seed=round, dealer=round % 2)
    learned = EvaluationFile().value(state.rules)
    while state.round < round:
        state = state.apply(random.choice(state.legal_actions()))
    state = state.apply(random.choice(
        [action for action in state.legal_actions() if action.kind == "play"]))
    pair = [state.position.fields()["hands"][seat][0] for seat in range(2)]
    equilibrium = Equilibrium(state.position, [[hand] for hand in pair], value=learned)
    equilibrium.run(300)
    expected = minimax(dealt(state, pair), round, learned)
    assert equilibrium.value == pytest.approx(expected, abs=0.02)


def mirrored(state: State) -> State:
    """The same position with the seats exchanged."""
    fields = state.position.fields()
    for key in ("hands", "shown", "claimed", "taken", "scopa", "scores"):
        fields[key] = fields[key][::-1]
    for key in ("dealer", "turn"):
        fields[key] = 1 - fields[key]
    if fields["last"] >= 0:
        fields["last"] = 1 - fields["last"]
    return State(state.rules, FishingPosition(state.rules.table, fields))


def test_seats_exchanged_change_the_sign() -> None:
    state = before_last(TWOS, 5)
    values = []
    for one in (state, mirrored(state)):
        equilibrium = Equilibrium(one.position)
        list(converge(equilibrium, 1e-3))
        values.append(equilibrium.value)
    assert values[0] == pytest.approx(-values[1], abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_known_hands_are_minimax(seed: int) -> None:
    state = before_last("cirulla", seed)
    pair = [state.position.fields()["hands"][seat][0] for seat in range(2)]
    equilibrium = Equilibrium(state.position, [[hand] for hand in pair])
    equilibrium.run(300)
    truth = dealt(state, pair)
    assert equilibrium.value == pytest.approx(minimax(truth, state.round), abs=0.02)
    first = state.turn
    assert first is not None
    for action in truth.legal_actions():
        after = truth.apply(action)
        value = minimax(after, state.round)
        history = [action.code]
        seat = equilibrium.actor(history)
        assert seat == after.turn
        held = after.position.fields()["hands"][seat][0]
        values = equilibrium.action_values(held, history)
        assert {code for code, _ in values} == set(after.position.legal())
        best = max(v for _, v in values)
        # Against play that is next to perfect even after a mistake.
        assert best == pytest.approx(value if seat == 0 else -value, abs=0.1)


def test_action_values_add_up_to_the_best_response() -> None:
    state = before_last(TWOS, 7)
    equilibrium = Equilibrium(state.position)
    equilibrium.run(30)
    low, high = equilibrium.bounds()
    seat = state.turn
    hands = subsets(unseen(state), 2)
    mean = sum(max(v for _, v in equilibrium.action_values(h)) for h in hands) / len(hands)
    assert mean == pytest.approx(high if seat == 0 else -low, abs=1e-4)
    for hand in hands:
        chances = dict(equilibrium.strategy(hand))
        assert sum(chances.values()) == pytest.approx(1)
        assert set(chances) == {code for code, _ in equilibrium.action_values(hand)}


def test_same_every_time() -> None:
    state = before_last(TWOS, 8)
    bounds = []
    for _ in range(2):
        equilibrium = Equilibrium(state.position)
        equilibrium.run(20)
        bounds.append(equilibrium.bounds())
    assert bounds[0] == bounds[1]


def test_what_it_is_not_for_is_refused() -> None:
    state = before_last(TWOS, 9)
    for wrong, reason in [
        (State.deal("cirulla players=3", seed=1), "3 players"),
        (State.deal("cirulla", seed=1), "round 1 of 6"),
        (finished(state), "nobody is to play"),
    ]:
        with pytest.raises(ValueError, match=reason):
            Equilibrium(wrong.position)
    with pytest.raises(ValueError, match="of other rules"):
        Equilibrium(state.position, value=EvaluationFile().value(Rules("cirulla")))


def finished(state: State) -> State:
    while not state.is_over:
        state = state.apply(state.legal_actions()[0])
    return state


def test_wrong_questions_are_refused() -> None:
    state = before_last(TWOS, 9)
    cards = unseen(state)
    with pytest.raises(ValueError, match="not of 2 unseen cards"):
        Equilibrium(state.position, [[1 << cards[0]], subsets(cards, 2)])
    hand = subsets(cards, 2)[0]
    with pytest.raises(ValueError, match="no two hands"):
        Equilibrium(state.position, [[hand], [hand]])
    both = [subsets(cards, 2)] * 2
    for weights in ([[1.0], [1.0]], [[-1.0] * len(of_seat) for of_seat in both],
                    [[float("nan")] * len(of_seat) for of_seat in both]):
        with pytest.raises(ValueError, match="weights of seat 0 are not"):
            Equilibrium(state.position, both, weights=weights)
    with pytest.raises(ValueError, match="likely at all"):
        Equilibrium(state.position, both, weights=[[0.0] * len(of_seat) for of_seat in both])
    equilibrium = Equilibrium(state.position)
    with pytest.raises(ValueError, match="can't hold"):
        equilibrium.action_values(1)
    with pytest.raises(ValueError, match="has no"):
        equilibrium.action_values(hand, [0])
    stop = Stop()
    stop.set()
    with pytest.raises(InterruptedError):
        Equilibrium(state.position, stop=stop)
    with pytest.raises(MemoryError, match="does not fit"):
        Equilibrium(state.position, most_bytes=100_000)
    assert Equilibrium(state.position, most_bytes=50_000_000).size == equilibrium.size


@pytest.mark.long
def test_a_whole_round() -> None:
    state = before_last("cirulla", 1)
    equilibrium = Equilibrium(state.position)
    *_, (low, high) = converge(equilibrium, 0.01, 400)
    assert high - low <= 0.01
    assert equilibrium.iterations < 400
