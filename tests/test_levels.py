"""Weaker levels, and the time of a decision."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from cirulla_ai import Engine, Limit, State
from cirulla_ai.engine.budget import Budget
from cirulla_ai.engine.levels import ERRORS, FULL, LEVEL_ITERATIONS, blurs, level_of
from cirulla_ai.engine.options import OPTIONS, Options

MS = 1_000_000


def test_every_level_misjudges_less_than_the_one_below() -> None:
    assert len(ERRORS) == FULL
    assert all(a > b > 0 for a, b in pairwise(ERRORS))


@pytest.mark.parametrize(("rating", "level"), [(1700, 0), (1850, 10), (1992, 19), (2000, 20)])
def test_a_rating_is_a_level(rating: int, level: int) -> None:
    options = Options()
    options.set("UCI_Elo", str(rating))
    assert level_of(options) == FULL
    options.set("UCI_LimitStrength", "true")
    assert level_of(options) == level
    options.set("Skill Level", "5")
    assert level_of(options) == min(level, 5)


def test_errors_come_from_the_seed_and_have_their_size() -> None:
    assert blurs(FULL, range(10), 1) == {}
    assert blurs(3, [7, 2], 1) == blurs(3, [2, 7], 1) != blurs(3, [2, 7], 2)
    values = blurs(0, range(4000), 1).values()
    spread = (sum(x * x for x in values) / 4000) ** 0.5
    assert spread == pytest.approx(ERRORS[0], rel=0.1)


def test_a_low_level_searches_little_and_plays_something_else_now_and_then() -> None:
    state = State.deal("cirulla", dealer=1, seed=11)
    chosen: dict[int, set[str]] = {}
    for level in (0, FULL):
        engine = Engine()
        engine.set("Skill Level", level)
        chosen[level] = set()
        for seed in range(1, 13):
            engine.set("Seed", seed)
            *_, info = engine.search(state, Limit(nodes=2000))
            assert info.nodes == (2000 if level == FULL else LEVEL_ITERATIONS)
            chosen[level].add(str(info.lines[0].action))
    assert len(chosen[0]) > len(chosen[FULL])


def test_movetime_is_used_but_for_the_overhead() -> None:
    budget = Budget.of(100, None, 0, 18, 10)
    assert budget == Budget(90 * MS)
    assert not budget.is_spent(89 * MS, [1000, 0])
    assert budget.is_spent(90 * MS, [1, 1])
    # Of a short time at most half is kept.
    assert Budget.of(4, None, 0, 18, 10) == Budget(2 * MS)


def test_a_clock_is_shared_by_how_hard_the_decision_is() -> None:
    # An even share of 1800 ms over 18 plays is 100 ms.
    budget = Budget.of(None, 1800, 0, 18, 0)
    assert budget.even == 100 * MS
    assert budget.hard == 250 * MS
    clear, usual, hard = [95, 5], [70, 30], [50, 50]
    assert budget.is_spent(40 * MS, clear) and not budget.is_spent(40 * MS, usual)
    assert budget.is_spent(100 * MS, usual) and not budget.is_spent(100 * MS, hard)
    assert budget.is_spent(250 * MS, hard)


def test_the_last_play_never_takes_more_than_there_is() -> None:
    for left in (1, 2):
        budget = Budget.of(None, 100, 0, left, 5)
        assert budget.hard <= 95 * MS
    assert Budget.of(50, 1800, 0, 18, 0).hard == 50 * MS


def test_the_options_are_in_the_document_as_they_are() -> None:
    document = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")
    rows = [line.strip("| \n").split(" | ") for line in document.splitlines()
            if line.startswith("| `")]
    table = {row[0].strip("`"): row for row in rows if len(row) >= 4 and row[1] in (
        "spin", "check", "combo", "string", "button")}
    assert list(table) == [option.name for option in OPTIONS.values()]
    for option in OPTIONS.values():
        row = table[option.name]
        assert row[1] == option.kind
        if option.kind in ("spin", "check", "combo"):
            assert row[2] == str(option.default).lower() or row[2] == option.default
            assert row[3] == option.takes
