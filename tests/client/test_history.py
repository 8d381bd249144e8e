"""A smazzata as each seat has seen it."""

from __future__ import annotations

from random import Random

import pytest
from support.engines import STATE

from cirulla_ai import PRESETS, ActionError, Knowledge, State
from cirulla_ai.history import History
from cirulla_ai.protocol.position import parse_position

TRUTH = State.deal("cirulla", seed=7)


def random_game(preset: str) -> History:
    random = Random(5)
    game = History.of(State.deal(preset, seed=9))
    while not game.state.is_over:
        game = game.play(random.choice(game.state.legal_actions()))
    return game


@pytest.mark.parametrize("preset", PRESETS)
def test_every_seat_sees_its_view(preset: str) -> None:
    game = random_game(preset)
    rules = game.start.rules
    for seat in range(rules.players):
        seen = game.view(seat)
        assert seen.start == game.start.view(seat)
        assert seen.state == game.state.view(seat)
        # Its actions are the same, as it saw them, and it is told of each new hand.
        state, words = game.start, []
        for word in game.words:
            words.append(str(state.seen(word, seat)))
            state = state.play(word)
        assert [word for word in seen.words if word[0] != "@"] == words
        dealt = [word for word in seen.words if word[0] == "@"]
        assert len(dealt) == game.state.round - 1
        assert seen.view(seat) == seen


def test_the_line_sets_it_up() -> None:
    game = random_game("cirulla").view(1)
    position = parse_position(game.line.split()[1:], None)
    assert (position.start, position.words, position.state) == (game.start, game.words, game.state)
    assert History.of(STATE).line == f"position state {STATE}"


def test_new_hands_told_in_a_whole_truth_are_left_out_of_views() -> None:
    game = random_game("cirulla")
    told = History.of(game.start)
    while told.state.round == 1:
        told = told.play(game.words[len(told.words)])
    hand = "".join(told.state.hands[0])
    again = told.play(f"@{hand}", *game.words[len(told.words):])
    assert again.state == game.state
    assert again.view(1).words == game.view(1).words


def test_a_history_goes_on_from_another() -> None:
    game = History.of(STATE, "7HxAS6C")
    assert History.of(game, "2S").words == ("7HxAS6C", "2S")
    assert game.words == ("7HxAS6C",)
    assert History.of(game) == game


def test_what_can_not_be() -> None:
    with pytest.raises(ActionError):
        History.of(STATE, "KS")
    with pytest.raises(ValueError, match="view of seat 0"):
        History.of(STATE).view(1)
    with pytest.raises(ValueError, match="over"):
        random_game("cirulla").choices()


@pytest.mark.parametrize("preset", ["cirulla", "cirulla-torneo", "scopone", "ciapano"])
def test_what_is_followed_step_by_step_is_what_is_told_at_once(preset: str) -> None:
    start = State.deal(preset, seed=4)
    random = Random(4)
    game = History(start)
    while not game.state.is_over:
        for seat in range(start.rules.players):
            # Looked at now and then, so that views and knowledge go on from where they were.
            if random.random() < 0.3:
                game.view(seat)
            if random.random() < 0.3 and not game.state.is_over:
                game.knowledge(seat)
        before = game
        game = game.play(random.choice(game.state.legal_actions()))
        assert game.states[:-1] == before.states
        mover = game.state.turn
        if mover is not None:
            whole = History(start, *game.words)
            assert game.view(mover) == whole.view(mover)
            known, other = game.knowledge(), Knowledge.replay(start, game.words, mover)
            assert known.state == other.state == game.state.view(mover)
            assert known.draw(1) == other.draw(1)
    assert game == History(start, *game.steps)


def test_what_its_owner_sees_later_is_not_of_the_history() -> None:
    game = History(TRUTH).play(TRUTH.legal_actions()[0])
    known = game.knowledge()
    known.play(str(known.state.legal_actions()[0]))
    assert game.knowledge().state == game.state.view(game.state.turn or 0) != known.state


def test_a_game_that_branches() -> None:
    game = History(TRUTH)
    game.knowledge(0)
    first, second = (game.play(action) for action in TRUTH.legal_actions()[:2])
    assert first.view(0).words != second.view(0).words
    assert first.knowledge().state != second.knowledge().state
    assert game.words == ()
