"""What the engine proves instead of searching: last rounds in which all cards are known."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from cirulla_ai import Engine, Knowledge, Limit, Rules, State
from cirulla_ai._core.fishing_endgame import solve, solve_random

ROWS = [json.loads(line)
        for line in (Path(__file__).parent / "data" / "endgame.jsonl").read_text().splitlines()]


def last_round(rules: str, seed: int, cards: int = 6) -> State:
    """A truth in the last round, with so many cards in the hands, after random play."""
    random = Random(seed)
    while True:
        state = State.deal(rules, dealer=seed % 2, seed=random.getrandbits(60))
        while not state.is_over and (state.stock_count or sum(map(len, state.hands)) > cards):
            state = state.apply(random.choice(state.legal_actions()))
        if not state.is_over:
            return state


def best(state: State, alpha: float = -1e9, beta: float = 1e9) -> float:
    """The value for side 0 of a smazzata played best, by the public API alone."""
    if state.is_over:
        if state.won is not None:
            return 4000 if state.won == 0 else -4000
        a, b = (points.total for points in state.points())
        return float(a - b)
    is_mine = state.rules.side(state.turn or 0) == 0
    value = -1e9 if is_mine else 1e9
    for action in state.legal_actions():
        below = best(state.apply(action), alpha, beta)
        value = max(value, below) if is_mine else min(value, below)
        if is_mine:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return value


def decisions_are_best(rules: str, seeds: range, cards: int) -> None:
    engine = Engine()
    for seed in seeds:
        state = last_round(rules, seed, cards)
        *_, info = engine.search(Knowledge(state), Limit(nodes=1))
        line = info.lines[0]
        assert line.exact
        assert line.action is not None
        reached = best(state.apply(line.action))
        values = [best(state.apply(action)) for action in state.legal_actions()]
        is_mine = state.rules.side(state.turn or 0) == 0
        assert reached == (max(values) if is_mine else min(values)), str(state)
        if abs(reached) < 4000:
            assert line.centipoints == 100 * (reached if is_mine else -reached)


@pytest.mark.parametrize("rules", ["cirulla", "scopa", "cirulla-wikipedia", "cirulla-spezia"])
def test_the_decision_is_the_best_there_is(rules: str) -> None:
    decisions_are_best(rules, range(15), 5)
    decisions_are_best(rules, range(3), 6)


@pytest.mark.long
def test_two_thousand_decisions_are_the_best_there_are() -> None:
    decisions_are_best("cirulla", range(2000), 6)


def test_the_rows_with_answers() -> None:
    """Also from the view of the seat to move, which can work out the other hand."""
    engine = Engine()
    proved = 0
    for row in ROWS:
        state = State.parse(row["state"])
        if state.rules.players != 2:
            continue
        *_, info = engine.search(state.view(state.turn or 0), Limit(nodes=1))
        assert info.lines[0].exact
        assert str(info.lines[0].action) in row["actions"]
        proved += 1
    assert proved > 100


def test_points_are_those_of_a_smazzata_or_the_match_is_won() -> None:
    """Also where a cappotto comes after the table has outgrown the quick solver."""
    # Nine diamonds are taken, and the tenth lies on a table of four; the five makes it more.
    state = State.parse(
        "rules=cirulla dealer=1 turn=0 round=6 hands=4C5H/KHKC table=4S7DJHQC "
        "taken=AD2D3D4D5D6DJDQDKDAHACAS2H2C2S3H3C"
        "/3S4H5C5S6H6C6S7H7C7SJCJSQHQSKS "
        "scopa=7/2 last=1 stock=-")
    values = solve(state.position, 4000)
    assert values is not None
    for _, value, _ in values:
        assert abs(value) == 4000 or abs(value) < 60
    # The four, or the five and then the four, takes the seven: 4 + 7 + 4 are fifteen.
    assert max(value for _, value, _ in values) == 4000


def test_no_proof_where_cards_are_hidden_or_it_is_switched_off() -> None:
    engine = Engine()
    engine.set("Seed", 1)
    early = State.deal("cirulla", seed=1)
    *_, info = engine.search(early, Limit(nodes=10))
    assert not info.lines[0].exact
    late = last_round("cirulla", 1)
    engine.set("Exact", False)
    *_, info = engine.search(late, Limit(nodes=10))
    assert not info.lines[0].exact
    engine.set("Exact", True)
    pairs = last_round("cirulla players=4", 1, 12)
    *_, info = engine.search(pairs, Limit(nodes=10))
    assert not info.lines[0].exact


def test_a_proof_that_takes_too_long_is_left_for_a_search() -> None:
    rules = "cirullone-9 players=2 rounds=9,9"
    state = last_round(rules, 1, 18)
    *_, info = Engine().search(state, Limit(movetime=20))
    assert not info.lines[0].exact
    assert info.nodes


# Nine cards each, all known: more than can be solved while nothing is said.
BROAD = ("rules=cirulla rounds=9,9 dealer=1 turn=0 round=2 hands=AHAD2D3S5H7DJHJCKD/?9 "
         "table=2H4HKS taken=2C2S4C6D6S7CQHQC/AS3H3D3C4D4S5S6HQDQSKH scopa=1/4 last=1 stock=- "
         "viewer=0")


def test_limits_hold_where_solving_would_take_longer() -> None:
    *_, info = Engine().search(State.parse(BROAD), Limit(nodes=100))
    assert info.nodes == 100
    assert not info.lines[0].exact
    engine = Engine()
    engine.set("Cheat", True)
    *_, info = engine.search(State.deal("scopone", seed=1), Limit(nodes=100))
    assert info.nodes == 100


@pytest.mark.parametrize("limit", [
    Limit(movetime=float(2**63 - 1)), Limit(movetime=1e300), Limit(movetime=float("inf")),
    Limit(time=1e300), Limit(time=float("inf"), inc=float("inf")),
])
def test_no_time_is_too_long(limit: Limit) -> None:
    state = last_round("cirulla", 5)
    *_, info = Engine().search(state.view(state.turn or 0), limit)
    assert info.lines[0].exact


def test_the_plain_way_meets_every_kind_of_last_round() -> None:
    """Counts that any solver of this order of play makes, on random last rounds."""
    solved, nodes, _ = solve_random(Rules("cirulla").table, 200, 1)
    assert 190 <= solved <= 200
    assert 20 < nodes / solved < 200
