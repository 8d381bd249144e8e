"""Speed of the analysis: decisions of whole smazzate, with 2,000 iterations each; luck and
rollouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cirulla_ai import History, Limit, State
from cirulla_ai.analysis import analyse
from cirulla_ai.analysis.luck import PLAYS, REDEALS, deal_luck
from cirulla_ai.analysis.rollout import rollout

Rate = Callable[..., Any]
NODES = 2000


def decisions(rules: str, smazzate: int) -> list[History]:
    """Every decision of some smazzate, played as it comes."""
    return [game for seed in range(smazzate) for game in smazzata(rules, seed)[:-1]]


def smazzata(rules: str, seed: int) -> list[History]:
    """A smazzata before each decision, and at the end."""
    games = [History(State.deal(rules, seed=seed))]
    while not games[-1].state.is_over:
        legal = games[-1].state.legal_actions()
        games.append(games[-1].play(legal[len(games) % len(legal)]))
    return games


@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano"])
@pytest.mark.parametrize("hands", [False, True], ids=["plays", "plays and hands"])
def test_decisions(rate: Rate, request: pytest.FixtureRequest, rules: str, hands: bool) -> None:
    games = decisions(rules, 5 if request.config.getoption("benchmark_enable") else 1)
    found = rate(lambda: [analyse(game, Limit(nodes=NODES), hands=hands) for game in games],
                 NODES * len(games), "iterations", rounds=3)
    assert len(found) == len(games)


@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano"])
def test_luck(rate: Rate, rules: str) -> None:
    played = [smazzata(rules, seed)[-1].states for seed in range(5)]
    plays = (PLAYS + REDEALS) * sum(len(deal_luck(states)) for states in played)
    found = rate(lambda: [deal_luck(states) for states in played], plays, "rounds played",
                 rounds=3)
    assert all(found)


@pytest.mark.parametrize("control", [False, True], ids=["plain", "without luck"])
@pytest.mark.parametrize("rules", ["cirulla", "scopone", "ciapano"])
def test_rollouts(rate: Rate, rules: str, control: bool) -> None:
    state = State.deal(rules, seed=4)
    lines = 324 * len(state.legal_actions())
    found = rate(lambda: rollout(state, trials=324, until=1e9, control=control), lines,
                 "smazzate played on", rounds=3)
    assert found.trials == 324
