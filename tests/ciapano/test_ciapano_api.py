"""Ciapa No through the public API, the protocol and the referee: what only this game has."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from support import ciapano_reference as reference
from support.ciapano_games import game_of
from support.client import LocalEngine, error_of, infos_of

from cirulla_ai import (
    Action,
    ActionError,
    Engine,
    Knowledge,
    Limit,
    Match,
    Rules,
    RulesError,
    State,
    StateError,
    TrickPoints,
)
from cirulla_ai.history import History
from cirulla_ai.players import PlayerError, make_player
from cirulla_ai.tournament.referee import Clock, play_smazzata, result_points
from cirulla_ai.tournament.schedule import seatings


def truths(seed: int) -> list[State]:
    """Every state of a random smazzata, whole truths."""
    return [State.parse(game_of(seed).text(moment)) for moment in range(43)]


def before_the_last_card(totals: list[int], mover: int) -> State:
    """One card before the end, with scores so that the match will come to ``totals``."""
    for seed in range(1000):
        states = truths(seed)
        points = [p.total for p in states[-1].points()]
        scores = [total - p for total, p in zip(totals, points, strict=True)]
        if states[-2].turn == mover and min(scores) >= 0 and max(scores) < 31:
            tokens = [f"scores={'/'.join(map(str, scores))}" if t.startswith("scores=") else t
                      for t in str(states[-2]).split()]
            return State.parse(" ".join(tokens))
    raise AssertionError("no smazzata found")


# --- actions and states ---------------------------------------------------------------

@pytest.mark.parametrize(("text", "canonical", "card"), [
    (">7h", ">7H", "7H"), (">?", ">?", None), (">AS", ">AS", "AS"),
])
def test_giving(text: str, canonical: str, card: str | None) -> None:
    action = Action(text)
    assert (str(action), action.kind, action.card) == (canonical, "give", card)
    assert (action.cards, action.value) == ((), None)
    assert Action.from_code(action.code) == action == pickle.loads(pickle.dumps(action))
    assert action != Action("7H")


def test_cards_are_given_in_no_other_game() -> None:
    truth = State.deal("cirulla", seed=1)
    for state in (truth, truth.view(1 - (truth.turn or 0))):
        with pytest.raises(ActionError, match=">7H"):
            state.apply(">7H")


def test_what_a_state_has() -> None:
    for state in truths(1):
        assert state.lead is None if state.phase == "pass" else state.lead in range(3)
        assert len(state.trick) < 3
        assert state.passed[state.dealer] is None
        assert (state.discard is None) == (state.phase != "play")
        assert (state.round, state.misdeals, state.stock_count, state.won) == (1, 0, 0, None)
        for points in state.points():
            assert isinstance(points, TrickPoints)
            assert points.total == points.thirds // 3
        for name in ("table", "shown", "claimed", "declared", "scopa", "last", "stock"):
            assert not hasattr(state, name)
    assert not hasattr(State.deal("cirulla", seed=1), "trick")


def test_the_picture_says_what_the_state_says() -> None:
    for truth in truths(2):
        for state in (truth, truth.view(0), truth.view(truth.dealer)):
            picture = state.pretty()
            assert picture.startswith(f"ciapano, {state.progress}, match ")
            assert ("to hand a card on" in picture or "to discard" in picture) == (
                state.phase == "pass")
            assert ("over    " in picture) == state.is_over
            assert all(card in picture for hand in state.hands for card in hand)


def test_a_view_plays_what_its_seat_saw() -> None:
    states = truths(3)
    words = game_of(3).words
    for seat in range(3):
        view = states[0].view(seat)
        for state, after, word in zip(states, states[1:], words, strict=False):
            view = view.apply(state.seen(word, seat))
            assert view == after.view(seat)
    hidden = states[0].view(states[0].dealer)
    with pytest.raises(ActionError, match=r">\?"):
        hidden.apply(words[0])
    with pytest.raises(ActionError, match="legal are"):
        states[0].apply(">?")


def test_knowledge_takes_of_a_truth_what_its_seat_saw() -> None:
    states = truths(4)
    for seat in range(3):
        known = Knowledge(states[0], seat)
        for word, after in zip(game_of(4).words, states[1:], strict=True):
            known.watch(word, after)
            assert known.state == after.view(seat)
            assert known.draw(seed=1).view(seat) == known.state


# --- rules and matches ----------------------------------------------------------------

def test_rules_of_the_game() -> None:
    assert Rules("ciapano", cappotto=True)["cappotto"] is True
    assert (Rules("ciapano").rounds, Rules("ciapano").matta) == ((), -1)
    with pytest.raises(RulesError, match="players"):
        Rules("ciapano", players=4)
    with pytest.raises(StateError, match="misdeals"):
        State.parse("rules=ciapano dealer=0 misdeals=1 hands=?13/?14/?13")


def test_a_match_that_is_shared() -> None:
    state = before_the_last_card([31, 12, 12], mover=0)
    final = state.apply(state.legal_actions()[0])
    assert final.match_scores() == (31, 12, 12)
    assert final.match_winners() == (1, 2)
    assert final.match_winner() is None
    assert "sides 1 and 2 share the match" in final.pretty()
    match = Match(state.rules, dealer=state.dealer, scores=state.scores)
    match.record(final)
    assert match.is_over
    assert (match.winners, match.winner, match.scores) == ((1, 2), None, (31, 12, 12))
    assert "won by sides 1 and 2" in str(match)
    with pytest.raises(ValueError, match="sides 1 and 2 have won"):
        match.deal()
    with pytest.raises(ValueError, match="sides 1 and 2 have won"):
        Match("ciapano", scores=(31, 4, 4))


def test_a_match_to_its_end() -> None:
    match = Match("ciapano", seed=3)
    random = Random(3)
    while not match.is_over:
        assert max(match.scores) < 31
        state = match.deal()
        while not state.is_over:
            state = state.apply(random.choice(state.legal_actions()))
        match.record(state)
    assert max(match.scores) >= 31
    assert all(match.scores[side] == min(match.scores) for side in match.winners)


# --- the search -----------------------------------------------------------------------

@pytest.mark.parametrize(("totals", "mover", "wdl"), [
    ([31, 12, 12], 0, (0, 0, 1000)),
    ([31, 12, 12], 1, (0, 1000, 0)),
    ([31, 31, 31], 2, (0, 1000, 0)),
    ([12, 31, 13], 0, (1000, 0, 0)),
    ([12, 31, 13], 2, (0, 0, 1000)),
])
@pytest.mark.parametrize("objective", ["match", "points"])
def test_who_wins_who_shares(
    totals: list[int], mover: int, wdl: tuple[int, int, int], objective: str
) -> None:
    state = before_the_last_card(totals, mover)
    engine = Engine()
    engine.set("Objective", objective)
    *_, info = engine.search(state, Limit(nodes=50))
    assert info.lines[0].wdl == wdl
    assert sum(info.lines[0].wdl) == 1000


def test_a_match_that_goes_on_is_won_by_few_points() -> None:
    wins = []
    for scores in ((0, 20, 20), (10, 10, 10), (20, 0, 0)):
        engine = Engine()
        engine.set("Seed", 1)
        state = State.deal("ciapano", dealer=2, seed=5, scores=scores)
        *_, info = engine.search(state, Limit(nodes=500))
        assert info.wdl is not None
        wins.append(info.wdl.win)
    assert wins[0] > wins[1] > wins[2]
    assert wins[0] > 600
    assert wins[2] < 200


def test_what_is_done_unseen_has_one_edge() -> None:
    engine = Engine()
    engine.set("Seed", 1)
    start = State.deal("ciapano", dealer=2, seed=7)
    *_, info = engine.search(start, Limit(nodes=5000))
    assert [str(action) for action in info.lines[0].pv[1:3]] == [">?", ">?"]
    start.view(0).play(*map(str, info.lines[0].pv))
    engine.set("Cheat", True)
    *_, info = engine.search(start, Limit(nodes=5000))
    assert ">?" not in map(str, info.lines[0].pv)
    start.play(*map(str, info.lines[0].pv))


# --- the protocol ---------------------------------------------------------------------

def test_a_viewer_tells_its_engine_what_it_saw() -> None:
    engine = LocalEngine()
    start = State.deal("ciapano", dealer=2, seed=7)
    words: list[str] = []
    state = start
    while len(words) < 20:
        words.append(str(state.legal_actions()[-(len(words) % 2)]))
        state = state.apply(words[-1])
    history = History.of(start, *words)
    for seat in range(3):
        seen = history.view(seat)
        assert engine.ask(seen.line) == []
        assert engine.state() == str(state.view(seat))
        # Of three cards the first seat sees one, the others two.
        assert seen.words.count(">?") == (2, 1, 1)[seat]
    assert engine.ask(f"position state {start} moves {' '.join(words)}") == []
    assert engine.state() == str(state)
    told = error_of(engine.ask(f"position state {start.view(2)} moves {words[0]}"))
    assert words[0] in told


def test_what_the_protocol_says_of_points() -> None:
    engine = LocalEngine()
    for state in truths(5)[::6]:
        assert engine.ask(f"position state {state}") == []
        points = TrickPoints.of(state.position)
        assert engine.ask("score") == [
            f"score {seat} total {p.total} thirds {p.thirds}" for seat, p in enumerate(points)]
        seat = state.turn or 0
        value = round(100 * reference.margins([p.total for p in points])[seat])
        assert f"static value {value} cp for seat {seat}" in "\n".join(engine.ask("eval"))


def test_score_cp_counts_few_points_as_good() -> None:
    engine = LocalEngine()
    state = truths(6)[-2]
    points = [p.total for p in truths(6)[-1].points()]
    mover = state.turn
    assert mover is not None
    engine.ask(f"position state {state}")
    last = infos_of(engine.ask("go nodes 10"))[-1]
    assert last["cp"] == round(100 * reference.margins(points)[mover])


# --- the referee ----------------------------------------------------------------------

def test_points_in_a_tournament_are_minus_points() -> None:
    final = truths(7)[-1]
    assert result_points(final) == tuple(-float(p.total) for p in final.points())


def test_three_seats_in_all_rotations() -> None:
    assert len(seatings(3, (0, 1))) == 6
    assert len(set(seatings(3, (0, 1, 2)))) == 3


def test_the_player_by_rule_against_random_play() -> None:
    total = 0.0
    for seed in range(30):
        start = State.deal("ciapano", seed=seed, dealer=seed % 3)
        players = [make_player("rule", 1), make_player("random", 2), make_player("random", 3)]
        game = play_smazzata(start, players, [Clock()] * 3)
        assert game.forfeit is None
        total += game.points[0] - (game.points[1] + game.points[2]) / 2
    assert total / 30 > 2


@pytest.mark.parametrize(("name", "rules"), [
    ("rule", "scopa players=3"), ("greedy", "ciapano"), ("careful", "ciapano"),
])
def test_a_player_of_another_game_says_so(name: str, rules: str) -> None:
    players = [make_player(name) for _ in range(3)]
    with pytest.raises(PlayerError, match=f"{name} does not play {rules.split()[0]}; it plays"):
        play_smazzata(State.deal(rules, seed=1), players, [Clock()] * 3)
