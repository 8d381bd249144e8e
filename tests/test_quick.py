"""The quick way to play, which luck and rollouts stand on, in every game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cirulla_ai import PRESETS, Rules, State
from cirulla_ai._core.contract import QuickPlay
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.fishing_endgame import solve
from cirulla_ai._core.fishing_heuristic import heuristic_values
from cirulla_ai._core.fishing_position import ITEMS
from cirulla_ai._core.quick import deal_values, items_of, play_out, solved_end
from cirulla_ai.engine.evaluation_file import evaluation_of
from cirulla_ai.games.registry import game_of
from cirulla_ai.tournament.referee import result_points


def quick_of(rules: Rules, *, softly: bool = False, learned: bool = True) -> QuickPlay:
    value = evaluation_of("", rules).value if learned else None
    return game_of(rules).quick(rules, value, softly)


def margin(points: tuple[float, ...], side: int) -> float:
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PRESETS), st.integers(0, 10**6), st.booleans())
def test_a_smazzata_is_played_to_its_end(preset: str, seed: int, learned: bool) -> None:
    rules = Rules(preset)
    start = State.deal(rules, seed=seed)
    quick = quick_of(rules, softly=bool(seed % 2), learned=learned)
    played = [State(rules, position) for position in play_out(quick, start.position, seed)]
    *dealt, end = played
    assert end.is_over
    assert [state.round for state in dealt] == list(range(2, 2 + len(dealt)))
    assert len(dealt) == max(0, len(rules.rounds) - 1) or end.won is not None
    # What points are made of adds up to what the referee gives.
    for side in range(rules.sides):
        items = items_of(quick, end.position, side)
        assert len(items) == len(quick.items)
        assert sum(items) == pytest.approx(margin(result_points(end), side))
    if end.won is None and quick.items == ITEMS:
        points = end.points()
        for name, item in zip(ITEMS, items_of(quick, end.position, 0), strict=True):
            values = tuple(float(getattr(side, name)) for side in points)
            assert item == pytest.approx(margin(values, 0))
    # The same again, and of the start nothing has changed.
    again = play_out(quick, start.position, seed)
    assert [State(rules, position) for position in again] == played
    assert start == State.deal(rules, seed=seed)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PRESETS), st.integers(0, 10**6))
def test_cards_are_fresh_just_after_a_deal(preset: str, seed: int) -> None:
    random = Random(seed)
    state = State.deal(preset, seed=seed)
    quick = quick_of(state.rules)
    assert quick.is_fresh(state.position)
    while not state.is_over:
        before, state = state, state.apply(random.choice(state.legal_actions()))
        assert quick.is_fresh(state.position) == (state.round > before.round)


def test_a_deal_that_ends_it_at_once_is_one() -> None:
    rules = Rules.parse("scopa table_size=8 rounds=2,2,2,2,2,2,2,2 table_four=natural")
    quick = quick_of(rules)
    won = [state for seed in range(3000)
           if (state := State.deal(rules, seed=seed)).is_over]
    assert won
    assert all(quick.is_fresh(state.position) for state in won)


@pytest.mark.parametrize("learned", [True, False])
def test_last_rounds_are_solved(learned: bool) -> None:
    rules = Rules("cirulla")
    quick = quick_of(rules, learned=learned)
    for seed in range(40):
        state = State.deal(rules, dealer=seed % 2, seed=seed)
        assert solved_end(quick, state.position) is None
        *_, last, end = [state.position, *play_out(quick, state.position, seed)]
        position: Any = last
        if position.fields()["round"] < 6:
            continue
        solved = solve(position, 4095)
        assert solved is not None
        best = max(value for _, value, _ in solved)
        side = rules.side(last.turn)
        won = end.won
        if won < 0:
            assert sum(items_of(quick, end, side)) == best
        else:
            assert best == (4095 if won == side else -4095)
        again = solved_end(quick, last)
        assert again is not None
        assert again.fields() == end.fields()


def test_without_learned_values_it_plays_by_the_rule_of_thumb() -> None:
    rules = Rules("scopone")
    quick = quick_of(rules)
    state = State.deal(rules, seed=5)
    played = state
    while not played.is_over:
        position: Any = played.position
        values = dict(heuristic_values(position))
        # Of equal ones the first in the core's order.
        code = max(position.legal(), key=lambda code: values[code])
        played = State(rules, position.after(code))
    (end,) = play_out(quick, state.position, 1)
    assert State(rules, end) == played


def test_it_does_not_look_at_cards_to_come() -> None:
    rules = Rules("cirulla")
    quick = quick_of(rules)
    for seed in range(20):
        state = State.deal(rules, dealer=1, seed=seed)
        fields: Any = state.position.fields()
        stock = fields["stock"]
        other = game_of(rules).position(rules.table, {**fields, "stock": stock[::-1]})
        one, two = (play_out(quick, position, 1)[0].fields()
                    for position in (state.position, other))
        # The round is over: all that is open is the same.
        for key in ("table", "taken", "scopa", "last", "declared"):
            assert one.get(key) == two.get(key)


def test_what_has_no_value_is_refused() -> None:
    rules = Rules("cirulla")
    quick = quick_of(rules)
    equity: Equity = evaluation_of("", rules).equity
    state = State.deal(rules, dealer=1, seed=7)
    with pytest.raises(ValueError, match="just dealt"):
        deal_values(quick, state.view(0).position, equity, 1, 1, 1)
    with pytest.raises(ValueError, match="just dealt"):
        deal_values(quick, state.apply(state.legal_actions()[0]).position, equity, 1, 1, 1)
    for plays, redeals in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="at least one of each"):
            deal_values(quick, state.position, equity, plays, redeals, 1)
    with pytest.raises(ValueError, match="a view"):
        play_out(quick, state.view(0).position, 1)
    with pytest.raises(ValueError, match="not over"):
        items_of(quick, state.position, 0)
    for rules_ in ("scopa", "ciapano"):
        other = State.deal(rules_, seed=1).position
        for call in (lambda p: deal_values(quick, p, equity, 1, 1, 1), quick.is_fresh,
                     lambda p: play_out(quick, p, 1), lambda p: items_of(quick, p, 0),
                     lambda p: solved_end(quick, p)):
            with pytest.raises(ValueError, match="these are others"):
                call(other)
    with pytest.raises(ValueError, match="side 2"):
        items_of(quick, state.position, 2)
    with pytest.raises(TypeError, match="no rules"):
        QuickPlay().is_fresh(state.position)
