"""Memory: bounded in a long search, and given back after each decision."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cirulla_ai import Engine, Limit, State

PAGE = os.sysconf("SC_PAGE_SIZE")
MIB = 1 << 20
STATUS = Path("/proc/self/statm")

needs_proc = pytest.mark.skipif(not STATUS.exists(), reason="the system does not say")


def resident() -> int:
    """Bytes of memory that the process has."""
    return int(STATUS.read_text().split()[1]) * PAGE


def decide(number: int, limit: Limit) -> None:
    rules = ("cirulla", "scopa", "cirulla players=3", "cirulla-wikipedia", "ciapano")
    engine = Engine()
    engine.set("Seed", number + 1)
    state = State.deal(rules[number % len(rules)], seed=number)
    for step in range(number % 9):
        actions = state.legal_actions()
        state = state.apply(actions[step % len(actions)])
    engine.play(state, limit)


@needs_proc
@pytest.mark.parametrize(("first", "last"), [
    (200, 800), pytest.param(500, 10_500, marks=pytest.mark.long, id="ten thousand")])
def test_decisions_leave_nothing_behind(first: int, last: int) -> None:
    """After the ``first`` decisions, in which what is kept for good is made."""
    limit = Limit(nodes=300)
    for number in range(first):
        decide(number, limit)
    before = resident()
    for number in range(first, last):
        decide(number, limit)
    assert resident() - before < 6 * MIB


@needs_proc
@pytest.mark.long
@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano"])
def test_a_minute_s_search_stays_within_its_bound(rules: str) -> None:
    engine = Engine()
    engine.set("Hash", 16)
    engine.play(State.deal(rules, seed=1), Limit(nodes=1000))
    before = resident()
    # As the search goes on: its tree is given back at the end.
    found = [(info.nodes or 0, info.hashfull or 0, resident())
             for info in engine.search(State.deal(rules, seed=2), Limit(movetime=60_000))]
    nodes, full, _ = found[-1]
    assert nodes > 1_000_000
    # A tree that has filled has taken what it may, and no more.
    assert (16 * full / 1000 - 1) * MIB < max(taken for *_, taken in found) - before < 18 * MIB
