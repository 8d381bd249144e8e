"""Speed of the core: perft, random play, worlds, the first turn's search, text.

    pytest bench -n 0 --benchmark-enable --benchmark-only

Without --benchmark-enable each case runs once, as a test that it still works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cirulla_ai import Engine, Knowledge, Limit, Rules, State
from cirulla_ai._core.fishing_endgame import solve_random
from cirulla_ai.engine.evaluation_file import EvaluationFile

Rate = Callable[..., Any]
PRESETS = ("cirulla", "cirulla-coppie", "cirullone-9", "scopa", "scopone-scientifico")


@pytest.fixture
def n_games(request: pytest.FixtureRequest) -> int:
    """Few where only the working is tested."""
    return 100_000 if request.config.getoption("benchmark_enable") else 1000


@pytest.mark.parametrize("preset", PRESETS)
def test_random_smazzate(rate: Rate, preset: str, n_games: int) -> None:
    table = Rules(preset).table
    played, *_ = rate(lambda: table.random_games(n_games, 1), n_games, "smazzate")
    assert played >= 36 * n_games


@pytest.mark.parametrize(("preset", "depth"), [("cirulla", 15), ("scopone-scientifico", 6)])
def test_perft(rate: Rate, preset: str, depth: int) -> None:
    position = State.deal(preset, seed=4).position
    count = position.perft(depth)
    assert rate(lambda: position.perft(depth), count, "actions") == count


def first_turn(preset: str, *, plain: bool = False) -> Callable[[int], int]:
    """A function that searches the first turn of a fresh deal for so many iterations.

    ``plain``: with playouts to the end and all worlds alike.
    """
    state = State.deal(preset, seed=3)
    engine = Engine()
    engine.set("Seed", 1)
    if plain:
        for name in ("Evaluation", "Exact", "Inference"):
            engine.set(name, False)
    engine.prepare(state.rules)

    def run(iterations: int) -> int:
        *_, info = engine.search(state, Limit(nodes=iterations))
        return info.nodes or 0

    return run


@pytest.mark.parametrize("iterations", [1_000, 10_000, 100_000])
def test_first_turn_search(rate: Rate, iterations: int) -> None:
    run = first_turn("cirulla")
    assert rate(lambda: run(iterations), iterations, "iterations") == iterations


@pytest.mark.parametrize("iterations", [1_000, 10_000, 100_000])
def test_first_turn_plain_search(rate: Rate, iterations: int) -> None:
    run = first_turn("cirulla", plain=True)
    assert rate(lambda: run(iterations), iterations, "iterations") == iterations


@pytest.mark.parametrize("preset", ["cirulla-luzzati", "cirullone", "scopone-scientifico"])
def test_first_turn_search_of(rate: Rate, preset: str) -> None:
    run = first_turn(preset)
    assert rate(lambda: run(10_000), 10_000, "iterations") == 10_000


def test_last_rounds(rate: Rate) -> None:
    """Solved one after the other, with three cards in each hand."""
    table = Rules("cirulla").table
    solved, _, _ = rate(lambda: solve_random(table, 1000, 1), 1000, "positions")
    assert solved > 950


def test_values(rate: Rate) -> None:
    """A thousand evaluations of the end of a round."""
    rules = Rules("cirulla")
    value = EvaluationFile().value(rules)
    assert value is not None
    state = State.deal(rules, seed=3)
    while state.round < 3:
        state = state.apply(state.legal_actions()[0])
    position = state.position
    points = rate(lambda: [value.points(position) for _ in range(1000)], 1000, "values")
    assert len(points) == 1000


def test_worlds(rate: Rate) -> None:
    core = Knowledge(State.deal(seed=3)).core
    rate(lambda: [core.draw(seed) for seed in range(1000)], 1000, "worlds")


def test_state_text(rate: Rate) -> None:
    text = str(State.deal(seed=3))
    assert str(rate(lambda: State.parse(text), 1, "states", rounds=200)) == text
