"""What each play of a position is worth: against exact answers, and against what it says of its
own errors."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import hypot, sqrt
from random import Random
from statistics import mean, stdev
from time import perf_counter
from typing import Any

import pytest
from support.dialect import check_object
from support.minimax import minimax
from support.vectors import rows

from cirulla_ai import PRESETS, Action, Engine, History, Knowledge, Limit, State
from cirulla_ai._core.stop import Stop
from cirulla_ai.analysis import Analysis, analyse
from cirulla_ai.analysis.dialect import written

# Two captures and a claim or two, none of them silly.
DECK = [rank + suit for rank in "A234567JQK" for suit in "HDCS"]
README = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")


def played(rules: str, actions: int, seed: int = 1) -> History:
    """A smazzata played so far, by whatever comes up."""
    random = Random(seed)
    game = History(State.deal(rules, seed=seed))
    for _ in range(actions):
        after = game.play(random.choice(game.state.legal_actions()))
        if after.state.is_over:
            break
        game = after
    return game


def told(analysis: Analysis) -> dict[str, Any]:
    """All but the time that it took."""
    words = analysis.as_dict()
    del words["seconds"]
    return words


# --- what can be proved ------------------------------------------------------------------

@pytest.mark.parametrize("row", rows("endgame"))
def test_exact_positions(row: dict[str, Any]) -> None:
    state = State.parse(row["state"])
    found = analyse(state, Limit(nodes=100))
    # In the rows a match won outright is worth 1000; to us, the target.
    value = row["value"]
    if abs(value) == 1000:
        value = state.rules.target * (1 if value > 0 else -1)
    assert found.best.points == value
    assert [str(one.action) for one in sorted(found.actions, key=lambda one: str(one.action))
            if one.loss == 0] == row["actions"]
    assert all(one.exact and one.error == one.loss_error == 0 for one in found.actions)
    assert {one.action for one in found.actions} == set(state.legal_actions())
    check_object(found.as_dict())


@pytest.mark.parametrize("seed", range(6))
def test_the_loss_of_every_play_is_exact(seed: int) -> None:
    state = State.deal("cirulla", seed=seed)
    random = Random(seed)
    while not state.is_over and (state.stock_count or sum(map(len, state.hands)) > 5):
        state = state.apply(random.choice(state.legal_actions()))
    won = state.rules.target
    sign = 1 if state.turn == 0 else -1
    values = {action: sign * minimax(state.apply(action), won) for action in state.legal_actions()}
    found = analyse(state, Limit(nodes=100))
    assert {one.action: one.points for one in found.actions} == values
    assert {one.action: one.loss for one in found.actions} == {
        action: max(values.values()) - value for action, value in values.items()}


def test_last_tricks_are_exact() -> None:
    # All has been seen but the dealer's discard, which the dealer knows.
    truth = State.deal("ciapano", dealer=0, seed=4)
    game = History(truth)
    random = Random(2)
    while game.state.phase == "pass" or sum(map(len, game.state.hands)) > 3 or (
            game.state.turn != 0):
        game = game.play(random.choice(game.state.legal_actions()))
        assert not game.state.is_over
    found = analyse(game, Limit(nodes=300), engine=engine(Cheat="true"))
    assert all(one.exact for one in found.actions)
    assert all(one.loss == found.best.points - one.points for one in found.actions)


def test_the_match_is_won_or_lost_where_it_is_over() -> None:
    """Seat 0 needs one point more than it has for its captures, or not: the last card decides."""
    state = State.parse(
        "rules=scopa dealer=1 turn=1 round=6 hands=-/7D table=7H7C "
        "taken=AHADACAS2H2D2C2S3H3D3C3S4H4D4C4S5H5D5C5S/6H6D6C6SJHJDJCJSQHQDQCQSKHKDKCKS7S "
        "scopa=0/0 last=0 stock=- scores=0/9 phase=play")
    found = analyse(state, Limit(nodes=10))
    # Settebello, and primiera by three sixes and a seven against three fives: 11 at the least.
    assert found.best.exact
    assert found.best.match in (0.0, 1.0)
    assert found.best.match == float(state.apply(found.best.action).match_winner() == 1)


# --- what is sampled ------------------------------------------------------------------------

@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("actions", [0, 9, 21])
def test_every_preset(preset: str, actions: int) -> None:
    game = played(preset, actions)
    found = analyse(game, Limit(nodes=400))
    state = game.state
    assert found.view == state.view(state.turn or 0)
    assert {one.action for one in found.actions} == set(state.legal_actions())
    assert [one.loss for one in found.actions] == sorted(one.loss for one in found.actions)
    assert found.best.loss == found.best.loss_error == 0
    for one in found.actions:
        assert one.pv[0] == one.action
        assert one.points == pytest.approx(found.best.points - one.loss)
        assert found.best.exact == one.exact
    if not found.best.exact:
        assert sum(one.visits for one in found.actions) == found.iterations
        # Each is tried twice at least.
        assert found.iterations <= max(400, 2 * len(found.actions))
        assert all(one.visits >= 2 for one in found.actions)
    check_object(found.as_dict())
    for seat, cards in found.hands.items():
        assert seat != found.seat
        assert sum(cards.values()) == pytest.approx(found.view.unknown[seat], abs=1e-9)
        assert max(cards.values()) <= 1


def test_the_best_is_what_a_long_search_plays() -> None:
    found = analyse(README, Limit(nodes=20_000))
    assert found.best.action == Action("!3C4D7H=1")
    *_, info = engine(Seed="7").search(README, Limit(nodes=100_000))
    assert info.action == found.best.action
    assert info.score is not None
    assert found.best.points == pytest.approx(info.score.points, abs=0.2)
    assert info.wdl is not None
    assert found.best.match == pytest.approx(info.wdl.expectation, abs=0.01)


def test_the_same_seed_gives_the_same_and_another_does_not() -> None:
    game = played("cirulla", 8)
    one, same, other = (analyse(game, Limit(nodes=700), seed=seed) for seed in (5, 5, 6))
    assert written(told(one)) == written(told(same))
    assert one == same
    assert [found.points for found in one.actions] != [found.points for found in other.actions]


@pytest.mark.parametrize(("rules", "actions"), [
    ("cirulla", 0), ("cirulla", 7), ("scopone", 10), ("cirulla-wikipedia", 9), ("ciapano", 14),
    ("cirulla players=3", 5)])
def test_two_deals_that_a_seat_can_not_tell_apart(rules: str, actions: int) -> None:
    known = played(rules, actions).knowledge()
    said = set()
    for seed in range(4):
        world = known.draw(seed)
        assert world.view(known.seat) == known.state
        said.add(written(told(analyse(world, Limit(nodes=300)))))
    assert len(said) == 1
    # What was seen of the steps may say more than the state alone.
    assert written(told(analyse(known, Limit(nodes=300)))) == written(
        told(analyse(played(rules, actions), Limit(nodes=300))))


def over_seeds(game: History, seeds: int) -> tuple[float, float, float]:
    """Of two plays, over seeds: the spread of their difference, what its errors say of it, and
    what it would be if they had nothing in common."""
    pair = game.choices()[:2]
    differences, errors = [], []
    values: dict[Action, list[float]] = {action: [] for action in pair}
    for seed in range(1, seeds + 1):
        found = analyse(game, Limit(nodes=1000), actions=pair, seed=seed, hands=False)
        one, other = map(found.of, pair)
        differences.append(one.points - other.points)
        errors.append(max(one.loss_error, other.loss_error))
        for action in pair:
            values[action].append(found.of(action).points)
    return (stdev(differences), sqrt(mean(error ** 2 for error in errors)),
            hypot(*map(stdev, values.values())))


@pytest.mark.parametrize(("rules", "actions"), [
    ("cirulla", 0), ("scopone", 8), ("ciapano", 20)])
def test_errors_are_honest(rules: str, actions: int) -> None:
    spread, claimed, _ = over_seeds(played(rules, actions, 3), 60)
    # They have in them what the trees may still learn, so they are rather too large.
    assert 0.4 < spread / claimed < 1.3


def test_pairing_helps() -> None:
    spread, _, apart = over_seeds(played("cirulla", 0), 60)
    assert spread < 0.8 * apart


def test_what_is_left_out_is_not_forgotten() -> None:
    found = analyse(README, Limit(nodes=6000))
    visits = [one.visits for one in found.actions]
    assert max(visits) > 4 * min(visits)
    long = analyse(README, Limit(nodes=100_000), seed=2)
    for one in found.actions:
        again = long.of(one.action)
        error = hypot(one.loss_error, again.loss_error)
        assert abs(one.loss - again.loss) < 4 * error + 0.5


# --- when it ends ---------------------------------------------------------------------------

def test_time_ends_it() -> None:
    began = perf_counter()
    found = analyse(README, Limit(movetime=100))
    assert 0.05 < perf_counter() - began < 1.0
    assert found.limit == {"movetime": 100}
    assert found.iterations > 500


def test_the_error_ends_it() -> None:
    rough, fine = (analyse(README, Limit(), until=until) for until in (0.5, 0.05))
    assert rough.actions[1].loss_error <= 0.5
    assert fine.actions[1].loss_error <= 0.05
    assert rough.iterations < fine.iterations < 1_000_000
    # Whichever comes first.
    assert analyse(README, Limit(nodes=600), until=1e-3).iterations <= 600


def test_a_stop_ends_it() -> None:
    stop = Stop()
    stop.set()
    found = analyse(README, Limit(), stop=stop)
    assert found.iterations == 2 * len(found.actions)
    check_object(found.as_dict())


def test_one_choice_is_answered_at_once() -> None:
    game = played("cirulla", 0)
    while len(game.state.legal_actions()) > 1 or game.state.round > 4:
        game = game.play(game.state.legal_actions()[-1])
    found = analyse(game, Limit(nodes=10**9))
    assert found.iterations <= 32
    assert not found.close
    assert len(found.actions) == 1


@pytest.mark.parametrize("nodes", [1, 2, 7, 11, 12, 13, 50])
def test_however_few(nodes: int) -> None:
    found = analyse(README, Limit(nodes=nodes))
    assert found.iterations == max(12, nodes // 6 * 6)
    check_object(found.as_dict())


# --- how it is asked ----------------------------------------------------------------------------

def engine(**options: str) -> Engine:
    made = Engine()
    for name, value in options.items():
        made.set(name, value)
    return made


def test_the_objective_says_what_is_best() -> None:
    for seed in range(8):
        state = State.deal("cirulla", seed=seed, scores=(48, 44))
        found = analyse(state, Limit(nodes=500), engine=engine(Objective="match"))
        assert found.best.match >= max(
            one.match for one in found.actions if one.visits == found.best.visits)
        assert [one.match_loss for one in found.actions] == sorted(
            one.match_loss for one in found.actions)
        assert all(one.loss >= 0 for one in found.actions)
        check_object(found.as_dict())


@pytest.mark.parametrize("option", [
    {"Inference": "false"}, {"Evaluation": "false"}, {"Exact": "false"}, {"Search": "flat"},
    {"Hash": "1"}, {"Skill Level": "0"}, {"Seed": "9"}])
def test_options_of_the_engine(option: dict[str, str]) -> None:
    found = analyse(played("cirulla", 5), Limit(nodes=400), engine=engine(**option))
    assert found.iterations <= 400
    assert (found.evaluation is None) == ("Evaluation" in option)
    check_object(found.as_dict())


def test_a_level_does_not_judge_worse() -> None:
    game = played("cirulla", 5)
    assert analyse(game, Limit(nodes=400)) == analyse(
        game, Limit(nodes=400), engine=engine(**{"Skill Level": "0", "Seed": "3"}))


def test_several_trees() -> None:
    found = analyse(README, Limit(nodes=3000), threads=3)
    assert found.best.action == Action("!3C4D7H=1")
    assert 2000 < found.iterations <= 3000
    assert sum(one.visits for one in found.actions) == found.iterations


def test_some_actions_only() -> None:
    found = analyse(README, Limit(nodes=500), actions=["4dxaskd", "7HxAS6C"])
    assert {str(one.action) for one in found.actions} == {"4DxASKD", "7HxAS6C"}
    assert found.of("7HxAS6C").visits > 200
    with pytest.raises(ValueError, match="!3C4D7H=1 was not analysed; there are"):
        found.of("!3C4D7H=1")


def test_close_is_said() -> None:
    # Three knaves, which take nothing and of which none is worth more than another.
    state = State.parse("rules=scopa dealer=1 hands=JHJCJS/?3 table=2H2C5DKS viewer=0")
    found = analyse(state, Limit(nodes=3000))
    assert found.close
    assert not analyse(README, Limit(nodes=3000)).close


@pytest.mark.parametrize(("call", "error", "says"), [
    (lambda: analyse(README, Limit()), ValueError, "nothing would end it"),
    (lambda: analyse(README, Limit(time=100)), ValueError, "no clock"),
    (lambda: analyse(README, Limit(nodes=0)), ValueError, "nodes 0 is not in 1"),
    (lambda: analyse(README, Limit(movetime=-1)), ValueError, "movetime -1.0 is not in 0"),
    (lambda: analyse(README, Limit(movetime=float("inf"))), ValueError, "movetime inf"),
    (lambda: analyse(README, Limit(nodes=5), seed=-1), ValueError, "seed -1 is not in 0"),
    (lambda: analyse(README, Limit(nodes=5), threads=0), ValueError, "threads 0 is not in 1"),
    (lambda: analyse(README, Limit(), until=-1), ValueError, "until -1.0 is not in 0"),
    (lambda: analyse(README, Limit(nodes=5), actions=["7H"]), ValueError, "7H is not legal"),
    (lambda: analyse(README.apply("3CxAS5D6C"), Limit(nodes=5)), ValueError, "seat 1 is to move"),
    (lambda: analyse(README, 5), TypeError, "limit 5: a Limit"),  # type: ignore[arg-type]
    (lambda: analyse("x", Limit(nodes=5)), TypeError, "can't be searched"),  # type: ignore[arg-type]
    (lambda: analyse(README, Limit(nodes=5), engine=3), TypeError, "engine 3"),  # type: ignore[arg-type]
])
def test_what_can_not_be_is_refused(
    call: Callable[[], Analysis], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        call()


# --- where the unseen cards are -----------------------------------------------------------------

def names(cards: tuple[str, ...]) -> str:
    return "".join(cards) or "-"


@pytest.mark.parametrize("inference", ["false", "true"])
def test_the_hands_of_two_players_are_exact(inference: str) -> None:
    """Every hand that the other can have, each as likely as what it did makes it."""
    game = played("cirulla", 0, 6)
    while game.state.round < 5 or len(game.state.hands[1 - (game.state.turn or 0)]) > 2:
        game = game.play(game.state.legal_actions()[0])
    known = game.knowledge()
    view, seat, other = known.state, known.seat, 1 - known.seat
    made = engine(Inference=inference)
    evaluation, _ = made.prepare_for(view)
    posterior = known.core.posterior(evaluation.value)
    hidden = [card for card in DECK if card not in {
        *view.hands[0], *view.hands[1], *view.table, *view.taken[0], *view.taken[1]}]
    chances = dict.fromkeys(hidden, 0.0)
    total = 0.0
    for hand in combinations(hidden, view.unknown[other]):
        hands = [names(view.hands[seat]), names((*hand, *view.hands[other]))]
        stock = "".join(card for card in hidden if card not in hand)
        text = dict(token.split("=") for token in str(view).split())
        text.update(hands="/".join(hands if seat == 0 else hands[::-1]), stock=stock, viewer="-")
        world = State.parse(" ".join(f"{key}={value}" for key, value in text.items()))
        likely = posterior.likelihood(world.position) if inference == "true" else 1.0
        total += likely
        for card in hand:
            chances[card] += likely
    found = analyse(game, Limit(nodes=50), engine=made).hands
    assert set(found) == {other}
    for card in hidden:
        assert found[other].get(card, 0.0) == pytest.approx(chances[card] / total, abs=1e-4)
    assert (len(set(chances.values())) > 1) == (inference == "true")


@pytest.mark.parametrize(("rules", "actions"), [
    ("scopone", 9), ("cirulla players=3", 4), ("ciapano", 0), ("ciapano", 12), ("cirullone", 5)])
def test_hands_are_those_of_the_worlds_that_are_drawn(rules: str, actions: int) -> None:
    game = played(rules, actions, 5)
    known = game.knowledge()
    found = analyse(game, Limit(nodes=50), engine=engine(Inference="false")).hands
    draws = 3000
    seen: dict[int, dict[str, int]] = {seat: {} for seat in found}
    for seed in range(draws):
        world = known.draw(seed)
        for seat in found:
            for card in set(world.hands[seat]) - set(known.state.hands[seat]):
                seen[seat][card] = seen[seat].get(card, 0) + 1
    for seat, cards in found.items():
        for card in {*cards, *seen[seat]}:
            chance = cards.get(card, 0.0)
            # Five errors of the draws here and the draws there.
            error = sqrt(max(chance * (1 - chance), 1e-3) * (1 / draws + 1 / 4096))
            assert seen[seat].get(card, 0) / draws == pytest.approx(chance, abs=5 * error)


def test_shown_cards_are_seen() -> None:
    cards = "3C4DAH", "2C2D7H", "AS5D6CKD"
    stock = "".join(card for card in DECK if not any(card in held for held in cards))
    game = History(State.parse(
        f"rules=cirulla dealer=1 turn=0 hands={cards[0]}/{cards[1]} table={cards[2]} "
        f"stock={stock}"), "!AH3C4D", "3CxAS5D6C")
    found = analyse(game, Limit(nodes=50))
    # Seat 1 sees all of seat 0's hand.
    assert found.seat == 1
    assert found.hands == {}


def test_a_suit_that_a_seat_lacks_is_not_in_its_hand() -> None:
    for seed in range(20):
        game = played("ciapano", 3 + 3 * 7, seed)
        known = game.knowledge()
        found = analyse(game, Limit(nodes=20))
        for seat, cards in found.hands.items():
            possible = set()
            for draw in range(200):
                possible |= set(known.draw(draw).hands[seat])
            assert {card for card, chance in cards.items() if chance > 0.05} <= possible


def test_hands_can_be_left_out() -> None:
    found = analyse(README, Limit(nodes=50), hands=False)
    assert found.hands == {}
    assert found.actions == analyse(README, Limit(nodes=50)).actions
    # With all cards known there are none.
    truth = State.deal(seed=1)
    assert analyse(truth, Limit(nodes=50), engine=engine(Cheat="true")).hands == {}


def test_knowledge_is_taken_as_it_is() -> None:
    known = Knowledge(README)
    assert told(analyse(known, Limit(nodes=100))) == told(analyse(README, Limit(nodes=100)))
