"""What the referee and the views cost: smazzate a second in process, time a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cirulla_ai import Action, State
from cirulla_ai.players import Player, Turn, make_player
from cirulla_ai.tournament.referee import Clock, play_smazzata

Rate = Callable[..., Any]
FREE = [Clock(), Clock()]


def test_random_against_random(rate: Rate, request: pytest.FixtureRequest) -> None:
    n = 500 if request.config.getoption("benchmark_enable") else 20
    players = [make_player("random", 1), make_player("random", 2)]

    def play() -> None:
        for seed in range(n):
            play_smazzata(State.deal(seed=seed), players, FREE)

    rate(play, n, "smazzate")


class Looker(Player):
    """Asks for all that a player may know, and plays at random."""

    name = "looker"

    def choose(self, turn: Turn) -> Action:
        assert turn.knowledge.state == turn.view
        return self.random.choice(turn.view.legal_actions())


def test_moves_with_views_and_knowledge(rate: Rate, request: pytest.FixtureRequest) -> None:
    """The cost of a move with everything looked at: 5 % of 10 ms are 500 µs."""
    n = 20 if request.config.getoption("benchmark_enable") else 2

    def play() -> int:
        players = [Looker(1), Looker(2)]
        return sum(len(play_smazzata(State.deal(seed=seed), players, FREE).words)
                   for seed in range(n))

    moves = play()
    rate(play, moves, "moves")
