"""The equilibrium of a round against linear programming and plain minimax."""

from __future__ import annotations

from random import Random

import pytest
from support.sequence_form import Lines, dealt, end_value, subsets, unseen

from cirulla_ai import Rules, State
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


def minimax(state: State, round: int, learned: Value | None = None) -> float:
    """The value for side 0 with the hands of this round known to both."""
    value = end_value(state, round, learned)
    if value is not None:
        return value
    values = [minimax(state.apply(action), round, learned) for action in state.legal_actions()]
    return max(values) if state.turn == 0 else min(values)


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
