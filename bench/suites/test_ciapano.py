"""Speed of Ciapa No: random play, perft, worlds, the search at the first lead.

    pytest bench -n 0 --benchmark-enable --benchmark-only

Without --benchmark-enable each case runs once, as a test that it still works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cirulla_ai import Rules
from cirulla_ai._core.ciapano_endgame import solve
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_rollout import CiapanoRollout, play_out
from cirulla_ai._core.ciapano_worlds import CiapanoInformationSet
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.search import Search
from cirulla_ai._core.stop import Stop
from cirulla_ai.players import ducking

Rate = Callable[..., Any]
RULES = Rules("ciapano")
TRICK_CARDS = 39


def after(n: int) -> tuple[CiapanoPosition, CiapanoInformationSet]:
    """A smazzata after so many actions, the first of those that are legal each time, and
    what the seat to move knows then."""
    position = start = CiapanoPosition.deal_random(RULES.table, 2, [0, 0, 0], 0, 3)
    codes = []
    for _ in range(n):
        codes.append(position.legal()[0])
        position = position.after(codes[-1])
    knowledge = CiapanoInformationSet(start, position.turn)
    for code in codes:
        knowledge.observe(code)
    return position, knowledge


@pytest.fixture
def n_games(request: pytest.FixtureRequest) -> int:
    """Few where only the working is tested."""
    return 100_000 if request.config.getoption("benchmark_enable") else 1000


def test_ciapano_random_smazzate(rate: Rate, n_games: int) -> None:
    played, *_ = rate(lambda: RULES.table.random_games(n_games, 1), n_games, "smazzate")
    assert played == 42 * n_games


def test_ciapano_playouts(rate: Rate, n_games: int) -> None:
    """From the first lead, counted by trick cards."""
    position, _ = after(3)
    played, _ = rate(lambda: position.playouts(n_games, 1), TRICK_CARDS * n_games, "trick cards")
    assert played == TRICK_CARDS * n_games


def test_ciapano_perft(rate: Rate) -> None:
    position, _ = after(0)
    count = position.perft(7)
    assert rate(lambda: position.perft(7), count, "actions") == count


@pytest.mark.parametrize("moment", [0, 3, 15, 30])
def test_ciapano_worlds(rate: Rate, moment: int, n_games: int) -> None:
    _, knowledge = after(moment)
    rate(lambda: knowledge.draw_many(n_games, 1), n_games, "worlds")


def search_after(moment: int) -> Callable[[int], Search]:
    """A function that searches the decision after so many actions for so many iterations."""
    position, knowledge = after(moment)
    equity = Equity(3, RULES.target, True, *RULES.pace)

    def run(iterations: int) -> Search:
        search = Search(
            knowledge.posterior(), position.legal(), seed=1, hash_bytes=64 << 20, exploration=0.4,
            for_match=False, equity=equity, stop=Stop(), rollout=CiapanoRollout())
        search.run(iterations)
        return search

    return run


@pytest.mark.parametrize("iterations", [1_000, 10_000, 100_000])
def test_ciapano_search_at_the_first_lead(rate: Rate, iterations: int) -> None:
    run = search_after(3)
    search = rate(lambda: run(iterations), iterations, "iterations")
    assert search.iterations == iterations


def test_ciapano_search_before_passing(rate: Rate) -> None:
    run = search_after(0)
    assert rate(lambda: run(10_000), 10_000, "iterations").iterations == 10_000


def test_ciapano_lines(rate: Rate) -> None:
    """Played on by the model from the first lead."""
    position, _ = after(3)
    rate(lambda: [play_out(position, seed) for seed in range(1000)], 1000, "lines")


def test_ciapano_inference(rate: Rate) -> None:
    """Weighing what was seen, before any world is."""
    sets = [knowledge for _, knowledge in map(after, range(3, 42))]
    rate(lambda: [knowledge.posterior() for knowledge in sets], len(sets), "decisions")


@pytest.mark.parametrize("cards", [4, 5])
def test_ciapano_last_tricks(rate: Rate, cards: int) -> None:
    position, _ = after(42 - 3 * cards)
    rate(lambda: solve(position), 1, "positions")


def test_ciapano_rule_player(rate: Rate) -> None:
    views = [position.view(position.turn) for position, _ in map(after, range(42))]
    rate(lambda: [ducking.choose(view) for view in views], 42, "decisions")
