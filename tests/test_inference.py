"""What the plays of other seats tell of their hands."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import exp
from statistics import correlation

import pytest

from cirulla_ai import Action, Engine, Knowledge, Limit, State
from cirulla_ai._core.actions import decode
from cirulla_ai._core.cards import set_of
from cirulla_ai._core.fishing_heuristic import heuristic_values
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_value import Value
from cirulla_ai._core.fishing_worlds import FishingInformationSet
from cirulla_ai.engine.evaluation_file import EvaluationFile
from cirulla_ai.history import History
from cirulla_ai.players import make_player
from cirulla_ai.players.base import Turn
from cirulla_ai.rules import Rules


def learned() -> Value:
    """The networks that come with the package."""
    value = EvaluationFile().value(Rules("cirulla"))
    assert value is not None
    return value


VALUE = learned()


def late(seed: int = 5) -> State:
    """The beginning of the last round but one, where 84 hands are possible."""
    state = State.deal("cirulla", dealer=0, seed=seed)
    number = 0
    while state.round < 5:
        actions = state.legal_actions()
        state = state.apply(actions[number % len(actions)])
        number += 1
    return state


def knowledge_after(state: State, action: str) -> FishingInformationSet:
    other = Knowledge(state, 1 - (state.turn or 0))
    other.play(action)
    core = other.core
    assert isinstance(core, FishingInformationSet)
    return core.posterior(VALUE)


def test_nothing_seen_tells_nothing() -> None:
    known = Knowledge(late())
    assert known.core.posterior(VALUE).likelihood(late().position) == 1


def test_every_possible_hand_keeps_a_chance_and_not_all_the_same() -> None:
    state = late()
    action = state.legal_actions()[0]
    weighed = knowledge_after(state, str(action))
    likely: dict[tuple[str, ...], float] = {}
    for seed in range(400):
        world, agrees = weighed.draw(seed)
        assert agrees
        likely[State(state.rules, world).hands[state.turn or 0]] = weighed.likelihood(world)
    assert len(likely) > 20
    assert min(likely.values()) > 0
    assert max(likely.values()) > 1.2 * min(likely.values())


def share_of(
    code: int, values: list[tuple[int, float]], floor: float, temperature: float = 1.0
) -> float:
    """How likely one of the plays is taken: by a softmax of their values, or without a thought."""
    plays = {play: value for play, value in values if decode(play)[0] == "play"}
    best = max(plays.values())
    weights = {play: exp((value - best) / temperature) for play, value in plays.items()}
    return (1 - floor) * weights[code] / sum(weights.values()) + floor / len(plays)


def with_hand_of(state: State, world: FishingPosition, action: Action) -> FishingPosition:
    """The position before an action, in which the seat has what it has in this world."""
    seat = state.turn or 0
    hand = State(state.rules, world).hands[seat]
    before = state.position.fields()
    before["hands"][seat] = (set_of("".join(hand)) | set_of(str(action)[:2]), 0)
    before["hands"][1 - seat] = (0, 3)
    return FishingPosition(state.rules.table, before)


@pytest.mark.parametrize(("value", "style", "values"), [
    (VALUE, {"heuristic_prior": 0.0, "uniform_prior": 0.0},
     lambda position: VALUE.actions(position)),
    (VALUE, {"heuristic_prior": 0.0, "uniform_prior": 1.0},
     lambda position: [(a, 0) for a in position.legal()]),
    (None, {"uniform_prior": 1.0}, lambda position: [(a, 0) for a in position.legal()]),
])
@pytest.mark.parametrize("seed", range(5, 9))
def test_the_likelihood_is_that_of_the_model(
    value: Value | None, style: dict[str, float],
    values: Callable[[FishingPosition], list[tuple[int, float]]], seed: int,
) -> None:
    state = late(seed)
    action = state.legal_actions()[0]
    other = Knowledge(state, 1 - (state.turn or 0))
    other.play(str(action))
    weighed = other.core.posterior(value, temperature=1.0, lapse=0.1, declining=1.0, **style)
    world, _ = weighed.draw(1)
    share = share_of(action.code, values(with_hand_of(state, world, action)), 0.1)
    assert weighed.likelihood(world) == pytest.approx(share, rel=1e-3)


@pytest.mark.parametrize("seed", range(5, 15))
def test_the_likelihood_by_the_rule_of_thumb_is_nearly_that_of_the_model(seed: int) -> None:
    """It takes the cards that other plays would keep for average ones."""
    state = late(seed)
    action = state.legal_actions()[0]
    other = Knowledge(state, 1 - (state.turn or 0))
    other.play(str(action))
    weighed = other.core.posterior(
        None, heuristic_temperature=1.0, lapse=0.1, declining=1.0, uniform_prior=0.0)
    found, right = [], []
    for draw in range(60):
        world, _ = weighed.draw(draw)
        found.append(weighed.likelihood(world))
        right.append(
            share_of(action.code, heuristic_values(with_hand_of(state, world, action)), 0.1))
    ratios = [a / b for a, b in zip(found, right, strict=True)]
    assert min(ratios) > 0.8 and max(ratios) < 1.7
    assert 0.9 < sum(ratios) / len(ratios) < 1.2
    assert correlation(found, right) > 0.85


@pytest.mark.parametrize("seed", range(4))
def test_known_hands_are_judged_exactly(seed: int) -> None:
    """A round that is over tells a seat's style, by Bayes' rule over all that it did."""
    state = State.deal("cirulla", dealer=0, seed=seed)
    known = Knowledge(state, 0)
    by_rule, anything = 0.9, 0.1
    while state.round == 1:
        legal = state.legal_actions()
        action = legal[-1]
        if state.turn == 1 and decode(action.code)[0] == "play":
            values = heuristic_values(state.view(1).position)
            by_rule *= share_of(action.code, values, 0.02, 0.5)
            anything /= sum(decode(code)[0] == "play" for code, _ in values)
        state = state.apply(action)
        known.watch(str(action), state)
    styles = known.core.posterior(None, heuristic_temperature=0.5, uniform_prior=0.1).styles(1)
    assert styles[0] == 0
    assert styles == pytest.approx(
        (0, by_rule / (by_rule + anything), anything / (by_rule + anything)), rel=1e-6)


@pytest.mark.parametrize(("player", "style"), [("careful", 1), ("random", 2)])
def test_past_rounds_tell_how_a_seat_plays(player: str, style: int) -> None:
    """After three rounds or so it is clear in most smazzate; at first only a guess."""
    before, after = [], []
    for seed in range(12):
        start = state = State.deal("cirulla", dealer=seed % 2, seed=seed)
        known = Knowledge(start, 0)
        other = make_player(player, seed)
        words: list[str] = []
        before.append(known.core.posterior(VALUE).styles(1)[style])
        while state.round < 5:
            actor = other if state.turn == 1 else make_player("greedy", seed)
            word = str(actor.choose(Turn(History(start, *words), Limit())))
            words.append(word)
            state = state.play(word)
            known.watch(word, state)
        styles = known.core.posterior(VALUE).styles(1)
        assert sum(styles) == pytest.approx(1)
        after.append(styles[style])
    assert set(before) == {before[0]} and before[0] < 0.25
    assert sum(after) / len(after) > before[0] + 0.2


def test_who_declines_a_claim_probably_had_none() -> None:
    state = State.deal("cirulla", dealer=0, seed=5)
    action = next(a for a in state.legal_actions() if not str(a).startswith("!"))
    known = Knowledge(state, 0)
    known.play(str(action))
    likely, unlikely = (
        known.core.posterior(VALUE, declining=declining) for declining in (1.0, 0.05))
    ratios = set()
    for seed in range(300):
        world, _ = likely.draw(seed)
        ratios.add(round(unlikely.likelihood(world) / likely.likelihood(world), 6))
    assert ratios == {1.0, 0.05}


def test_only_the_present_round_tells() -> None:
    state = State.deal("cirulla", dealer=0, seed=5)
    known = Knowledge(state, 1)
    while state.round == 1:
        action = state.legal_actions()[0]
        before, state = state, state.apply(action)
        known.watch(str(action), state)
        assert before.round == 1
    assert known.core.posterior(VALUE).likelihood(state.position) == 1


def test_a_seat_that_left_the_sette_bello_probably_has_no_seven() -> None:
    """Scopone, of which no values are learnt: the rule of thumb knows what a card is worth."""
    state = State.deal("scopone", dealer=3, seed=1)
    assert "7D" in state.table and not any("7" in card for card in state.hands[2])
    known = Knowledge(state, 2)
    for word in ("KH", "QD"):
        known.play(word)
    weighed = known.core.posterior(None)
    likely: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(400):
        world, _ = weighed.draw(seed)
        hand = State(state.rules, world).hands[1]
        likely[any("7" in card for card in hand)].append(weighed.likelihood(world))
    have, have_not = (sum(numbers) / len(numbers) for numbers in likely.values())
    assert have < 0.8 * have_not


def test_off_by_option_and_the_hidden_cards_never_matter() -> None:
    """The same view gives the same search, whatever the others hold."""
    state = late()
    action = state.legal_actions()[0]
    known = Knowledge(state, 1 - (state.turn or 0))
    known.play(str(action))
    worlds = [known.draw(seed) for seed in range(3)]
    assert len({str(world) for world in worlds}) == 3
    for inference in (True, False):
        engine = Engine()
        engine.set("Seed", 1)
        engine.set("Inference", inference)
        seen = set()
        for world in worlds:
            again = Knowledge(state, known.seat)
            again.play(str(action))
            *_, info = engine.search(again, Limit(nodes=300))
            seen.add(info.lines)
            *_, info = engine.search(world, Limit(nodes=300))
            seen.add(info.lines)
        # A bare view has no history, so it may differ from the knowledge: two at most.
        assert len(seen) <= 2


def test_all_hands_that_can_be_are_drawn() -> None:
    """Between two and three cards left to guess the draws reach every hand."""
    state = late()
    for _ in range(3):
        state = state.apply(state.legal_actions()[0])
    known = Knowledge(state)
    unseen = known.core.position().unseen()
    hidden = len(state.hands[1 - known.seat])
    cards = [card for card in range(40) if unseen >> card & 1]
    possible = set(combinations(cards, hidden))
    weighed = known.core.posterior(VALUE)
    drawn = set()
    for seed in range(60 * len(possible)):
        world, _ = weighed.draw(seed)
        hand = world.fields()["hands"][1 - known.seat][0]
        drawn.add(tuple(card for card in range(40) if hand >> card & 1))
    assert drawn == possible
