"""Random play in the core against random play by the public API.

The core draws a random action without listing them all, by ways of its own; if it drew
illegal ones, or not uniformly, games would come out differently on average.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, variance

import pytest
from support.strategies import rules_of

from cirulla_ai import State

GAMES = 400
CORE_GAMES = 20_000

RULES = [
    "cirulla",
    "cirulla-coppie claim=optional",
    "cirullone claim=mandatory claim_low=12",
    "cirulla players=3 must_capture=no capture_choice=fewest",
    "cirulla matta=2S matta_memory=no claim_time=round claim_three=30 ace_sweep=always",
    "scopone-scientifico",
]


@pytest.mark.parametrize("text", RULES)
def test_averages(text: str) -> None:
    """Actions played, a side's points and the square of the lead: five standard errors.

    A variance of one is added: few games end early, perhaps none of a small sample.
    """
    rules = rules_of(f"rules={text}")
    random = Random(text)
    samples = []
    for i in range(GAMES):
        state = State.deal(rules, dealer=i % rules.players, seed=random.getrandbits(64))
        played = 0
        while legal := state.legal_actions():
            state = state.apply(random.choice(legal))
            played += 1
        first, second = (points.total for points in state.points()[:2])
        samples.append((played, first, (first - second) ** 2, first - second))
    core = rules.table.random_games(CORE_GAMES, random.getrandbits(64))
    for ours, total in zip(zip(*samples, strict=True), core, strict=True):
        error = sqrt((variance(ours) + 1) * (1 / GAMES + 1 / CORE_GAMES))
        assert abs(fmean(ours) - total / CORE_GAMES) <= 5 * error


def test_a_seed_gives_the_same_games() -> None:
    table = rules_of("rules=cirulla").table
    assert table.random_games(50, 1) == table.random_games(50, 1)
    assert table.random_games(50, 1) != table.random_games(50, 2)
    assert table.random_games(0, 1) == (0, 0, 0, 0)


def test_every_game_has_its_number_of_actions() -> None:
    """Without claims each of the cards dealt is played once, if no cappotto ends it."""
    for text, cards in (("scopa", 36), ("scopone-scientifico", 40), ("scopone", 36)):
        assert rules_of(f"rules={text}").table.random_games(100, 3)[0] == 100 * cards
