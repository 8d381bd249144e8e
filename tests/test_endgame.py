"""The exact solver against positions with answers and against plain minimax."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from support.minimax import minimax

from cirulla_ai import State
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.fishing_endgame import is_solvable, solve
from cirulla_ai._core.stop import Stop

DATA = Path(__file__).parent / "data" / "endgame.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text().splitlines()]
# What stands in the rows for a match won outright.
WON = 1000


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_value_and_every_optimal_action(row: dict[str, object]) -> None:
    values = solve(State.parse(str(row["state"])).position, WON)
    assert values is not None
    best = max(value for _, value, _ in values)
    assert best == row["value"]
    assert sorted(action_text(c) for c, v, _ in values if v == best) == row["actions"]


@pytest.mark.parametrize("rules", ["cirulla", "cirulla must_capture=no", "scopa", "scopa-15",
                                   "cirulla-wikipedia", "cirulla players=4"])
def test_same_as_plain_minimax(rules: str) -> None:
    random = Random(rules)
    for seed in range(6):
        state = State.deal(rules, seed=seed)
        while state.stock_count or sum(map(len, state.hands)) > 5:
            state = state.apply(random.choice(state.legal_actions()))
        sign = 1 if state.rules.side(state.turn or 0) == 0 else -1
        values = solve(state.position, WON)
        assert values is not None
        for code, value, line in values:
            assert value == sign * minimax(state.apply(action_text(code)), WON)
            # The line keeps the value to the end.
            end = state
            for played in line:
                end = end.apply(action_text(played))
            assert line[0] == code
            assert end.is_over
            assert value == sign * minimax(end, WON)


def test_what_can_not_be_solved_is_refused() -> None:
    early = State.deal(seed=1)
    assert not is_solvable(early.position)
    with pytest.raises(ValueError, match="no stock"):
        solve(early.position, 51)
    assert not is_solvable(State.deal("cirulla players=3", seed=1).position)


def test_gives_up_when_told_to() -> None:
    random = Random(1)
    state = State.deal("cirullone-9 players=2 rounds=9,9", seed=1)
    while state.stock_count:
        state = state.apply(random.choice(state.legal_actions()))
    assert solve(state.position, 51, most_nodes=100) is None
    stop = Stop()
    stop.set()
    assert solve(state.position, 51, stop=stop) is None
