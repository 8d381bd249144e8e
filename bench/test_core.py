"""Speed of the core: perft, random play, worlds, the first turn's search, text.

    pytest bench --benchmark-enable --benchmark-only

Without --benchmark-enable each case runs once, as a test that it still works.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cirulla_ai import Knowledge, Rules, State
from cirulla_ai._core.search import Search
from cirulla_ai._core.stop import Stop

PRESETS = ("cirulla", "cirulla-coppie", "cirullone-9", "scopa", "scopone-scientifico")


@pytest.fixture
def n_games(request: pytest.FixtureRequest) -> int:
    """Few where only the working is tested."""
    return 100_000 if request.config.getoption("benchmark_enable") else 1000


@pytest.mark.parametrize("preset", PRESETS)
def test_random_smazzate(rate, preset, n_games):
    table = Rules(preset).table
    played, *_ = rate(lambda: table.random_games(n_games, 1), n_games, "smazzate")
    assert played >= 36 * n_games


@pytest.mark.parametrize(("preset", "depth"), [("cirulla", 15), ("scopone-scientifico", 6)])
def test_perft(rate, preset, depth):
    position = State.deal(preset, seed=4).position
    count = position.perft(depth)
    assert rate(lambda: position.perft(depth), count, "actions") == count


def first_turn(preset: str) -> Callable[[int], Search]:
    """A function that searches the first turn of a fresh deal for so many iterations."""
    state = State.deal(preset, seed=3)
    actions = [action.code for action in state.legal_actions()]
    mean, deviation = state.rules.pace

    def run(iterations: int) -> Search:
        search = Search(
            Knowledge(state).core, actions, seed=1, hash_bytes=64 << 20, exploration=0.4,
            for_match=False, mean=mean, deviation=deviation, stop=Stop())
        search.run(iterations)
        return search

    return run


@pytest.mark.parametrize("iterations", [1_000, 10_000, 100_000])
def test_first_turn_search(rate, iterations):
    run = first_turn("cirulla")
    search = rate(lambda: run(iterations), iterations, "iterations")
    assert search.iterations == iterations


@pytest.mark.parametrize("preset", ["cirulla-coppie", "cirullone", "scopone-scientifico"])
def test_first_turn_search_of(rate, preset):
    run = first_turn(preset)
    search = rate(lambda: run(10_000), 10_000, "iterations")
    assert search.iterations == 10_000


def test_worlds(rate):
    core = Knowledge(State.deal(seed=3)).core
    rate(lambda: [core.draw(seed) for seed in range(1000)], 1000, "worlds")


def test_state_text(rate):
    text = str(State.deal(seed=3))
    assert str(rate(lambda: State.parse(text), 1, "states", rounds=200)) == text
