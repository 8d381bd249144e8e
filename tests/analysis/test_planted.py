"""Blunders of known cost are found, costed and classed right: the costs come from the rules
alone, by playing out everything that can follow."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from support.planted import Planted, minimax_costs, planted

from cirulla_ai import State
from cirulla_ai.analysis.annotate import Terms, annotate
from cirulla_ai.analysis.marking import marked
from cirulla_ai.records import Record

ENDGAMES = Path(__file__).parents[1] / "data" / "endgame.jsonl"


def named(cost: float) -> str:
    """The class of an error that costs so much."""
    return "blunder" if cost >= 1 else "mistake" if cost >= 0.5 else "doubtful"


def check(one: Planted) -> None:
    """The annotation of the seat's decisions has the cost within its error, and its class."""
    seat = one.record.states()[one.index].turn
    found = annotate(one.record, Terms(nodes=300, deep=1500, seat=seat))
    decision = found.decisions[one.index]
    assert decision.seat == seat
    assert decision.loss is not None and decision.loss_error is not None
    assert abs(decision.loss - one.cost) <= 3 * decision.loss_error + 1e-9
    assert decision.name == named(one.cost)
    assert decision.best in one.best
    ply = marked(one.record, found.as_dict()).plies[one.index]
    assert ply.mark == {"doubtful": "?!", "mistake": "?", "blunder": "??"}[decision.name]
    assert ply.comment is not None
    assert ply.comment.notes["best"] == decision.best


@pytest.mark.parametrize("rules", [
    "cirulla", "cirulla-coppie", "cirulla players=3", "scopone", "ciapano"])
@pytest.mark.parametrize("number", range(4))
def test_planted_errors_are_found(rules: str, number: int) -> None:
    check(planted(rules, Random(f"{rules} {number}")))


def last_rounds(count: int) -> list[State]:
    """Last rounds of two sides in which an action loses something, short enough to be played
    out in every way."""
    found = []
    for line in ENDGAMES.read_text(encoding="ascii").splitlines():
        row = json.loads(line)
        state = State.parse(row["state"])
        legal = {str(action) for action in state.legal_actions()}
        if row["cappotto"] or legal == set(row["actions"]) or state.rules.players != 2:
            continue
        if sum(map(len, state.hands)) <= 4:
            found.append(state)
            if len(found) == count:
                break
    return found


@pytest.mark.parametrize("state", last_rounds(10), ids=range(10))
def test_every_action_of_a_last_round_costs_what_it_does(state: State) -> None:
    costs = minimax_costs(state)
    best = tuple(action for action, cost in costs.items() if not cost)
    for action, cost in costs.items():
        record = Record.from_play(state, [action])
        decision = annotate(record, Terms(nodes=100)).decisions[0]
        if len(costs) == 1:
            assert decision.name == "forced"
            continue
        assert decision.exact
        assert (decision.loss, decision.loss_error) == (cost, 0.0)
        assert decision.best in best
        assert decision.name == (named(cost) if cost else "best")
