"""Smazzate played on by the model of play."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from math import sqrt
from operator import or_

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ciapano_games import Game, game_of, games

from cirulla_ai._core.ciapano_model import chances
from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.ciapano_rollout import play_out

MOMENTS = st.integers(0, 42)


@given(games(), MOMENTS)
def test_play_goes_to_the_end(game: Game, moment: int) -> None:
    played, end = play_out(game.positions[moment], 7)
    fields, before = end.fields(), game.positions[moment].fields()
    assert played == 42 - moment
    assert end.phase == "done" and end.turn == -1
    assert reduce(or_, fields["taken"]) == (1 << 40) - 1
    assert sum(map(int.bit_count, fields["taken"])) == 40
    assert sum(thirds for (thirds,) in end.items()) == 35
    for now, then in zip(fields["taken"], before["taken"], strict=True):
        assert now & then == then
    assert play_out(game.positions[moment], 7)[1].fields() == fields


def ends_of(position: CiapanoPosition) -> dict[tuple[int, ...], float]:
    """How likely each end is: by the model's chances, less those of play without thought."""
    if position.phase == "done":
        return {tuple(position.fields()["taken"]): 1.0}
    out: dict[tuple[int, ...], float] = {}
    options = chances(position)
    for code, chance in options:
        meant = (chance - 0.02 / len(options)) / 0.98
        for end, rest in ends_of(position.after(code)).items():
            out[end] = out.get(end, 0.0) + meant * rest
    return out


@pytest.mark.parametrize("seed", range(12))
def test_ends_are_as_likely_as_the_model_says(seed: int) -> None:
    """With two or three cards in hand, also in the middle of a trick."""
    position = game_of(9000 + seed).positions[33 + seed % 6]
    expected = ends_of(position)
    counts = Counter(
        tuple(play_out(position, number)[1].fields()["taken"]) for number in range(4000))
    assert set(counts) <= set(expected)
    # Ends that are hardly ever met are put together.
    often = {end for end, chance in expected.items() if chance > 0.002}
    chi = sum((counts[end] - 4000 * expected[end]) ** 2 / (4000 * expected[end]) for end in often)
    free = max(len(often) - 1, 1)
    assert (chi - free) / sqrt(2 * free) < 4.5


def test_a_view_is_refused() -> None:
    with pytest.raises(ValueError, match="view"):
        play_out(game_of(1).positions[5].view(0), 1)
