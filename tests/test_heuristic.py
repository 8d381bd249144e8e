"""The rule of thumb: what a play takes less what it leaves, in figures worked out by hand."""

from __future__ import annotations

import pytest

from cirulla_ai import State
from cirulla_ai._core.actions import action_text
from cirulla_ai._core.cards import set_of
from cirulla_ai._core.fishing_heuristic import heuristic_values, worth_gain
from cirulla_ai.rules import Rules


def values(text: str) -> dict[str, float]:
    """The value of each action of the seat to move, which sees just its own hand."""
    state = State.parse(text)
    return {action_text(code): value for code, value in heuristic_values(state.position)}


@pytest.mark.parametrize(("cards", "worth"), [
    ("KS", 0.1),
    ("KS6C", 0.1 + 0.1 + 0.08),
    ("7S7C", 2 * 0.1 + 2 * 0.3),
    ("AH", 0.1 + 0.04),
    # A diamond more, the sette bello and a seven.
    ("7D", 0.1 + 0.35 + 0.9 + 0.3),
    # The first of A 2 3 of diamonds: for oneself, and no longer for the others.
    ("2D", 0.1 + 0.35 + 1.0),
    # K Q of diamonds, of which grande pays 5 with the J.
    ("QDKD", 2 * 0.45 + 2.2),
])
def test_what_cards_are_worth(cards: str, worth: float) -> None:
    assert worth_gain(Rules("cirulla").table, set_of(cards), 0, 0) == pytest.approx(worth)


def test_a_scopa_leaves_nothing_and_counts_one() -> None:
    found = values("rules=cirulla dealer=1 turn=0 round=2 hands=5SKH2C/?3 shown=-/- claimed=0/0 "
                   "declared=- table=5C taken=ASAC2S/3S3C4S4C6S6C scopa=0/0 last=1 stock=?24 "
                   "scores=0/0 misdeals=0 won=- viewer=0 phase=play")
    assert found["5Sx5C"] == pytest.approx(1 + 2 * 0.1)


def test_a_play_loses_what_the_next_seat_takes() -> None:
    """It has shown a king; no ace and no five is left to take a king, and no other king."""
    found = values("rules=cirulla dealer=1 turn=0 round=2 hands=KH2C/KS?1 shown=-/KS claimed=0/1 "
                   "declared=- table=- taken=AHADACAS4C4S/5H5D5C5SKDKC scopa=0/1 last=0 stock=?24 "
                   "scores=0/0 misdeals=0 won=- viewer=0 phase=play")
    # Two cards for the other and a scopa.
    assert found["KH"] == pytest.approx(-(1 + 2 * 0.1))


def test_a_card_that_may_be_anywhere_counts_by_its_chance() -> None:
    """One king is out: with the next seat's two cards or among the 24 of the stock."""
    found = values("rules=cirulla dealer=1 turn=0 round=2 hands=KH2C/?2 shown=-/- claimed=0/0 "
                   "declared=- table=- taken=AHADACAS4C4S/5H5D5C5SKDKC scopa=0/0 last=0 stock=?24 "
                   "scores=0/0 misdeals=0 won=- viewer=0 phase=play")
    assert found["KH"] == pytest.approx(-(1 + 2 * 0.1) * 2 / 26)
