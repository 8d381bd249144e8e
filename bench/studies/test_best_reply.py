"""The best reply to a known opponent, against plain enumeration."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from best_reply import History, Opponent, Round, World

from cirulla_ai import State
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.cards import card_name
from cirulla_ai.engine.evaluation_file import EvaluationFile
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History as Played
from cirulla_ai.players import make_player
from cirulla_ai.players.base import Turn

CAREFUL = Opponent("careful", nodes=1, seeds=1)


def careful(state: State) -> int:
    """What the careful player does."""
    return make_player("careful").choose(Turn(Played(state), Limit())).code


def rounds(seed: int, actions: int, round: int = 4) -> tuple[Round, History]:
    """A round of seat 0 in which this much has been done, by the careful player on both sides."""
    state = State.deal("cirulla", seed=seed, dealer=seed % 2)
    while state.round < round:
        state = state.play(action_text(careful(state)))
    value = EvaluationFile().value(state.rules)
    assert value is not None
    start = state
    history: History = ()
    while len(history) < actions or state.turn != 0:
        history = (*history, careful(state))
        state = state.play(action_text(history[-1]))
    return Round(start, 0, CAREFUL, value, most=6000), history


def results(round: Round, world: World, plays: int) -> list[float]:
    """The margins of all that the seat can do, the opponent's hand being known."""
    if plays == 6 or world.now.turn < 0:
        points = round.value.points(world.now)
        return [points[0] - points[1]]
    state = State(round.start.rules, world.now)
    codes = world.now.legal() if world.now.turn == 0 else [careful(state)]
    return [
        result for code in codes
        for result in results(round, world.after(code), plays + (action_text(code)[0] not in "!-"))]


def plays(history: History) -> int:
    return sum(action_text(code)[0] not in "!-" for code in history)


@pytest.mark.parametrize("seed", range(1, 4))
def test_the_hands_are_those_with_which_it_would_have_done_the_same(seed: int) -> None:
    round, history = rounds(seed, actions=2)
    start = round.start
    assert start.stock is not None
    unseen = [*start.stock, *start.hands[1]]
    expected = set()
    for hand in combinations(unseen, 3):
        stock = [card for card in unseen if card not in hand]
        state = State.parse(str(start).replace(
            f"/{''.join(start.hands[1])} ", f"/{''.join(sorted(hand))} ").replace(
            f"stock={''.join(start.stock)}", f"stock={''.join(stock)}"))
        for code in history:
            if code not in state.position.legal() or (state.turn == 1 and careful(state) != code):
                break
            state = state.play(action_text(code))
        else:
            expected.add(frozenset(hand))
    found = {
        frozenset(card_name(card) for card in range(40) if world.hand >> card & 1)
        for world in round.worlds(history, Random(1))}
    assert found == expected
    assert frozenset(start.hands[1]) in found


@pytest.mark.parametrize("seed", range(1, 4))
def test_where_the_hand_is_known_the_best_reply_is_the_best_of_all_lines(seed: int) -> None:
    round, history = rounds(seed, actions=0)
    truth = round.truth(history)
    values = round.action_values([truth], history)
    for code, value in values.items():
        after = truth.after(code)
        done = plays((*history, code))
        assert value == pytest.approx(max(results(round, after, done)))


@pytest.mark.parametrize("seed", range(1, 4))
def test_not_to_know_the_hand_costs_and_a_plan_wins_no_more(seed: int) -> None:
    round, history = rounds(seed, actions=2)
    worlds = round.worlds(history, Random(1))
    best = max(round.action_values(worlds, history).values())
    done = plays(history)
    known = [max(results(round, world, done)) for world in worlds]
    assert best <= sum(known) / len(known) + 1e-9
    for code in worlds[0].now.legal():
        # Having done it, to go on by the rule of the careful player.
        total = 0.0
        for world in worlds:
            now, count = world.now.after(code), plays((*history, code))
            while count < 6 and now.turn >= 0:
                next = careful(State(round.start.rules, now))
                count += action_text(next)[0] not in "!-"
                now = now.after(next)
            points = round.value.points(now)
            total += points[0] - points[1]
        assert total / len(worlds) <= best + 1e-9


def test_the_command() -> None:
    script = Path(__file__).with_name("best_reply.py")
    done = subprocess.run(
        [sys.executable, str(script), "plain", "--player", "careful", "--games", "2", "--hands",
         "12", "--opponent-nodes", "20", "--seeds", "2"],
        capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    assert "the best reply to plain: points that careful loses" in done.stdout
    assert done.stdout.splitlines()[-2].split("│")[1].strip() == "all"
