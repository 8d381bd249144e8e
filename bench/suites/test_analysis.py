"""Speed of the analysis: decisions of whole smazzate, with 2,000 iterations each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cirulla_ai import History, Limit, State
from cirulla_ai.analysis import analyse

Rate = Callable[..., Any]
NODES = 2000


def decisions(rules: str, smazzate: int) -> list[History]:
    """Every decision of some smazzate, played as it comes."""
    games = []
    for seed in range(smazzate):
        game = History(State.deal(rules, seed=seed))
        while not game.state.is_over:
            games.append(game)
            legal = game.state.legal_actions()
            game = game.play(legal[len(games) % len(legal)])
    return games


@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano"])
@pytest.mark.parametrize("hands", [False, True], ids=["plays", "plays and hands"])
def test_decisions(rate: Rate, request: pytest.FixtureRequest, rules: str, hands: bool) -> None:
    games = decisions(rules, 5 if request.config.getoption("benchmark_enable") else 1)
    found = rate(lambda: [analyse(game, Limit(nodes=NODES), hands=hands) for game in games],
                 NODES * len(games), "iterations", rounds=3)
    assert len(found) == len(games)
