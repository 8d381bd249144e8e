"""Solved rounds: exact values, equilibria against linear programming, and what is believed."""

from __future__ import annotations

import sys
from itertools import combinations
from random import Random
from typing import Any

import pytest
from support.dialect import check_object
from support.minimax import minimax
from support.sequence_form import Lines, dealt_value, subsets, unseen
from support.vectors import rows

from cirulla_ai import Engine, History, Knowledge, State
from cirulla_ai._core.cards import indices, set_of
from cirulla_ai._core.ciapano_endgame import solve as solve_tricks
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.stop import Stop
from cirulla_ai.analysis import Solution, solve
from cirulla_ai.analysis.beliefs import likely_hands, possible_hands
from cirulla_ai.engine.evaluation_file import EvaluationFile

# Two cards each, then two: small enough for linear programming over all hands.
TWOS = "cirulla rounds=14,2,2"
# What stands in the rows for a match won outright.
WON = 1000


def played(rules: str, seed: int, round: int, cards: int) -> History:
    """A smazzata after random play: in a round, with so many cards in the hands."""
    random = Random(seed)
    while True:
        game = History(State.deal(rules, seed=random.getrandbits(60), dealer=seed % 2))
        while not game.state.is_over and (
                game.state.round < round or sum(map(len, game.state.hands)) > cards):
            game = game.play(random.choice(game.state.legal_actions()))
        if not game.state.is_over and game.state.round == round:
            return game


def is_sound(solution: Solution) -> None:
    """What holds of every solution."""
    plays = solution.actions
    assert [play.action for play in sorted(plays, key=lambda play: str(play.action))] == \
        solution.view.legal_actions()
    assert sum(play.frequency for play in plays) == pytest.approx(1)
    assert all(0 <= play.frequency <= 1 and play.loss >= 0 for play in plays)
    assert min(play.loss for play in plays) == 0
    best = max(play.points for play in plays)
    assert solution.points == best
    for play in plays:
        assert solution.of(play.action) is play
        assert play.loss == pytest.approx(best - play.points)
        # What is played, now and then, loses nothing that the gap does not allow.
        assert play.frequency * play.loss <= max(solution.regret, 0) + 1e-9
    check_object(solution.as_dict())


# --- all cards known --------------------------------------------------------------------

@pytest.mark.parametrize("row", rows("endgame"))
def test_rows_with_answers(row: dict[str, Any]) -> None:
    """As a truth, and as the seat to move sees it."""
    state = State.parse(row["state"])
    solution = solve(state)
    assert solution == solve(state.view(state.turn or 0))
    assert solution.is_exact
    target = state.rules.target
    assert solution.points == {WON: target, -WON: -target}.get(row["value"], row["value"])
    shared = [play for play in solution.actions if play.frequency]
    assert sorted(str(play.action) for play in shared) == row["actions"]
    assert {play.frequency for play in shared} == {1 / len(shared)}
    assert sum(play.frequency for play in solution.actions) == pytest.approx(1)
    assert {play.loss for play in shared} == {0}
    assert (solution.gap, solution.regret, solution.beliefs) == (0, 0, None)
    check_object(solution.as_dict())


@pytest.mark.parametrize("rules", ["cirulla", "scopa", "cirulla-spezia"])
@pytest.mark.parametrize("seed", range(4))
def test_every_loss_is_that_of_trying_everything(rules: str, seed: int) -> None:
    state = played(rules, seed, 6, 5).state
    solution = solve(state)
    sign = 1 if state.turn == 0 else -1
    is_sound(solution)
    for play in solution.actions:
        worth = sign * minimax(state.apply(play.action), WON)
        if abs(worth) < WON:
            assert play.points == worth
        end = state
        for action in play.pv:
            end = end.apply(action)
        assert end.is_over


def test_last_tricks_that_a_seat_can_work_out() -> None:
    solved = 0
    for seed in range(120):
        random = Random(seed)
        game = History(State.deal("ciapano", seed=seed))
        while not game.state.is_over:
            state = game.state
            if state.phase == "play" and 1 < len(state.legal_actions()) <= len(
                    state.hands[state.turn or 0]) <= 3:
                known = game.knowledge().core.truth()
                if known is None:
                    with pytest.raises(ValueError, match="only the last tricks can be solved"):
                        solve(game)
                else:
                    solution = solve(game)
                    is_sound(solution)
                    rows = solve_tricks(state.position)
                    assert rows is not None
                    assert {play.action.code: play.points for play in solution.actions} == \
                        pytest.approx({code: points for code, points, _ in rows})
                    solved += 1
            game = game.play(random.choice(state.legal_actions()))
    assert solved >= 10


# --- equilibria ---------------------------------------------------------------------------

@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold_the_value_of_the_linear_program(seed: int) -> None:
    state = played(TWOS, seed, 2, 4).state
    solution = solve(state, gap=0.002)
    is_sound(solution)
    hands = subsets(unseen(state), 2)
    value = Lines(state, [hands, hands]).value() * (1 if state.turn == 0 else -1)
    low, high = solution.bounds
    assert low - 1e-4 <= value <= high + 1e-4
    assert solution.gap == high - low <= 0.002
    assert solution.regret <= 0.002
    assert solution.possible == (28, 28)
    assert solution.beliefs == "rules" and not solution.is_exact


MIXED = [
    "hands=5HKH/?2 table=2HJD scopa=10/6 last=1 taken=AHADACAS2D2S3H3D3C3S4D4S5C5S6H7H7C7SJHJSQHKD"
    "KCKS/4H4C6C6SQDQS",
    "hands=6DJC/?2 table=- scopa=7/9 last=1 taken=ADACAS2H3D3C4H4S5S6C7CJHJDJSQCQSKD/2D2C2S3S4D4C5C"
    "6H6S7H7D7SQHKHKS",
]


@pytest.mark.parametrize("fields", MIXED)
def test_mixes_where_always_the_same_play_would_lose(fields: str) -> None:
    """By linear programming: who never makes the one play, or never the other, gets less than
    who mixes them, as an opponent that knows it answers accordingly."""
    view = State.parse(f"rules={TWOS} dealer=1 turn=0 round=2 {fields} stock=?4 viewer=0")
    solution = solve(view, gap=0.0005)
    is_sound(solution)
    first, second = solution.actions
    assert 0.3 < second.frequency <= first.frequency < 0.7
    assert second.loss < 0.01
    state = Knowledge(view).draw(1)
    hand = set_of("".join(view.hands[0]))
    hands = subsets(unseen(state), 2)
    lines = Lines(state, [hands, hands])
    value = lines.value()
    for play in solution.actions:
        assert lines.value([(hand, str(play.action))]) < value - 0.002


@pytest.mark.parametrize(("rules", "cards"), [
    ("cirulla", 4), ("cirulla", 5), ("scopa", 4), ("cirulla-spezia", 4), ("cirulla-wikipedia", 5),
    ("cirulla claim=mandatory", 5), ("scopa-15", 3), ("cirulla must_capture=no", 2)])
@pytest.mark.parametrize("inference", [False, True])
def test_goes_on_from_within_the_round(rules: str, cards: int, inference: bool) -> None:
    for seed in range(2):
        game = played(rules, 7 * cards + seed, 5, cards)
        solution = solve(game, inference=inference)
        is_sound(solution)
        assert solution.gap <= 0.01 and solution.regret <= 0.01
        assert 100 <= solution.iterations <= 2000
        assert (solution.evaluation is not None) == (
            inference and EvaluationFile().value(game.state.rules) is not None)
        assert solution == solve(game, inference=inference)


@pytest.mark.parametrize("seed", range(5))
def test_the_last_card_of_the_round(seed: int) -> None:
    """Nothing is hidden that matters but the next deal: the mean over all of them."""
    state = played("cirulla capture_equal=no", seed, 5, 1).state
    solution = solve(state)
    is_sound(solution)
    sign = 1 if state.turn == 0 else -1
    for play in solution.actions:
        after = state.apply(play.action)
        cards = sorted(card for held, _ in after.position.fields()["hands"] for card in
                       indices(held))
        fields = after.position.fields()
        fields["hands"] = [(sum(1 << card for card in half), 0) for half in (cards[:3], cards[3:])]
        mean = dealt_value(State(state.rules, FishingPosition(state.rules.table, fields)))
        assert play.points == pytest.approx(sign * mean, abs=1e-5)


def test_a_shown_hand_is_known_to_both() -> None:
    for seed in range(1000):
        state = played("cirulla", seed, 5, 6).state
        claims = [action for action in state.legal_actions() if action.kind == "claim"]
        if claims:
            break
    game = History(state, claims[0])
    claimer = state.turn or 0
    view = game.state.view(1 - claimer)
    assert len(possible_hands(History(view), claimer)) == 1
    solution = solve(game, iterations=25)
    assert solution.possible[claimer] == 1
    # Any three of the six in hand and stock, and of the own three.
    assert solution.possible[1 - claimer] == 84
    is_sound(solution)


@pytest.mark.parametrize("inference", [False, True])
def test_what_a_seat_can_not_tell_apart_is_solved_the_same(inference: bool) -> None:
    game = played("cirulla", 3, 5, 4)
    seat = game.state.turn or 0
    view = game.view(seat)
    wanted = solve(game, inference=inference)
    assert solve(view, inference=inference) == wanted
    worlds = {str(view.knowledge().draw(seed)): view.knowledge().draw(seed) for seed in range(4)}
    assert len(worlds) > 1
    for world in worlds.values():
        assert solve(world) == solve(game.state)


@pytest.mark.long
def test_a_whole_round() -> None:
    game = played("cirulla", 1, 5, 6)
    solution = solve(game)
    is_sound(solution)
    assert solution.possible == (220, 220)
    assert solution.gap <= 0.01 and solution.iterations <= 400


# --- beliefs -------------------------------------------------------------------------------

def test_hands_are_all_that_lie_nowhere_else() -> None:
    game = played("cirulla", 2, 5, 4)
    truth = game.state
    seat = truth.turn or 0
    cards = [*truth.hands[0], *truth.hands[1], *(truth.stock or ())]
    every = {set_of("".join(hand)) for hand in combinations(cards, 2)}
    for one in range(2):
        assert set(possible_hands(game.view(seat), one)) == every


def test_who_had_to_claim_and_did_not_holds_no_claim() -> None:
    """By the rules' text: three cards of nine points or less, or of one value."""
    checked = 0
    for seed in range(40):
        game = played("cirulla claim=mandatory matta=no", seed, 5, 5)
        state = game.state
        steps = [step for step, before in zip(game.steps, game.states, strict=False)
                 if before.round == 5]
        if len(steps) != 1:
            continue
        laid = set_of(str(steps[0])[:2])
        who = 1 - (state.turn or 0)
        left = possible_hands(game.view(state.turn or 0), who)
        all_cards = [*state.hands[0], *state.hands[1], *(state.stock or ())]
        for two in combinations(all_cards, 2):
            hand = set_of("".join(two))
            values = [card // 4 + 1 for card in indices(hand | laid)]
            has_claim = sum(values) <= 9 or len(set(values)) == 1
            assert (hand in left) == (not has_claim), (two, str(steps[0]))
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize("seed", range(4))
def test_likely_hands_are_those_that_the_search_infers(seed: int) -> None:
    """As the searcher takes them to be, as far as its own cards let them be."""
    game = played("cirulla", seed, 5, 4)
    state = game.state
    seat = state.turn or 0
    other = 1 - seat
    value = EvaluationFile().value(state.rules)
    likely = likely_hands(game.view(seat), other, value)
    assert max(likely.values()) == 1 and min(likely.values()) > 0
    posterior = game.knowledge(seat).core.posterior(value)
    fields = state.position.fields()
    own = fields["hands"][seat][0]
    cards = set_of("".join([*state.hands[other], *(state.stock or ())]))
    ours, theirs = [], []
    for hand in likely:
        if hand & own:
            continue
        hands = [(own, 0), (own, 0)]
        hands[other] = (hand, 0)
        ours.append(likely[hand])
        theirs.append(posterior.likelihood(FishingPosition(state.rules.table, fields | {
            "hands": hands, "stock": indices(cards & ~hand)})))
    # Each up to a factor; and what was seen tells something.
    assert [one / max(ours) for one in ours] == pytest.approx([one / max(theirs) for one in theirs])
    assert min(theirs) < 0.99 * max(theirs)


def test_nothing_seen_is_nothing_inferred() -> None:
    state = played("cirulla", 4, 5, 4).state
    view = History(state.view(state.turn or 0))
    value = EvaluationFile().value(state.rules)
    for seat in range(2):
        assert set(likely_hands(view, seat, value).values()) == {1.0}


# --- what is refused, and when it ends -----------------------------------------------------

@pytest.mark.parametrize(("state", "reason"), [
    (State.deal("cirulla", seed=1), "round 1 of 6: only the last round"),
    (played("cirulla", 1, 4, 3).state, "round 4 of 6: only the last round"),
    (State.deal("cirulla players=3", seed=1), "3 players: only rounds of two"),
    (State.deal("scopone", seed=1), "4 players: only rounds of two"),
    (State.deal("ciapano", seed=1), "ciapano, passing: only the last tricks"),
    (State.deal("cirulla rounds=9,9", seed=1), "may hold 94,143,280 hands, more than 20,000"),
    (State.deal("cirulla rounds=12,6", seed=1), "hands, more than 20,000"),
])
def test_what_is_not_solved(state: State, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        solve(state)


def test_wrong_questions() -> None:
    state = played("cirulla", 1, 5, 4).state
    for words in ({"gap": -1}, {"gap": float("nan")}, {"iterations": 0}, {"iterations": 1.5},
                  {"movetime": -1}):
        with pytest.raises(ValueError, match=next(iter(words))):
            solve(state, **words)
    with pytest.raises(TypeError, match="an Engine is needed"):
        solve(state, engine="cirulla")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a State or a History is needed"):
        solve("state")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"seat . is to move"):
        solve(state.view(1 - (state.turn or 0)))
    while not state.is_over:
        state = state.apply(state.legal_actions()[0])
    with pytest.raises(ValueError, match="nothing to decide"):
        solve(state)
    with pytest.raises(ValueError, match="is not legal here"):
        solve(played("cirulla", 1, 5, 4)).of("AHxKS")


def test_ends_after_so_many_iterations() -> None:
    state = played("cirulla", 8, 5, 4).state
    counts = [solve(state, gap=0, iterations=n).iterations for n in (1, 30, 60)]
    assert counts == [1, 30, 60]
    gaps = [solve(state, gap=0, iterations=n).gap for n in (5, 50, 500)]
    assert gaps[0] > gaps[1] > gaps[2] >= 0


def test_time_and_a_stop_end_it() -> None:
    state = played("cirulla", 1, 5, 6).state
    with pytest.raises(ValueError, match="10 ms were over, or it was stopped"):
        solve(state, movetime=10)
    stop = Stop()
    stop.set()
    with pytest.raises(ValueError, match="it was stopped"):
        solve(state, stop=stop)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["cirulla_ai.analysis.solve"], "MOST_BYTES", 1 << 20)
    with pytest.raises(ValueError, match="more than 1 MiB"):
        solve(played("cirulla", 1, 5, 6).state)


def test_an_engine_lends_its_evaluation() -> None:
    game = played("cirulla", 5, 5, 4)
    assert solve(game, inference=True, engine=Engine()) == solve(game, inference=True)
