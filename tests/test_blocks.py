"""Actions compared in common worlds, and the sums in blocks that tell of errors."""

from __future__ import annotations

from math import sqrt

import pytest

from cirulla_ai import Engine, Limit, State
from cirulla_ai._core.blocks import Blocks, compared
from cirulla_ai._core.search import Search

STATE = State.deal("cirulla", dealer=1, seed=1)


def tree(seed: int = 1, **options: str) -> Search:
    """A search of a first turn, in which nothing has been searched yet."""
    engine = Engine()
    for name, value in options.items():
        engine.set(name, value)
    searches, _ = engine.decision(STATE, Limit(nodes=1)).trees(seed)
    return searches[0]


PLACES = list(range(len(STATE.legal_actions())))


@pytest.mark.parametrize("worlds", [1, 2, 63, 64, 65, 128, 129, 1000])
def test_means_are_those_of_all_trials(worlds: int) -> None:
    search = tree()
    blocks = Blocks(2 * len(PLACES))
    assert search.compare(PLACES, blocks, worlds, least=1) == worlds
    assert blocks.trials == worlds
    assert search.iterations == worlds * len(PLACES)
    for place, (_, visits, points, _, wins, shared) in enumerate(search.results()):
        assert visits == worlds
        assert compared([blocks], 2 * place)[0] == pytest.approx(points / worlds)
        assert compared([blocks], 2 * place + 1)[0] == pytest.approx((wins + shared / 2) / worlds)
        assert compared([blocks], 2 * place, 0)[0] == pytest.approx(
            (points - search.results()[0][2]) / worlds)


def test_independent_trials_have_the_usual_error() -> None:
    """Without a tree, and with worlds that do not come in a chain, trials are independent."""
    search = tree(Search="flat", Inference="false")
    blocks = Blocks(2 * len(PLACES))
    n = 20_000
    search.compare(PLACES, blocks, n)
    for place, (_, _, points, squares, _, _) in enumerate(search.results()):
        usual = sqrt((squares / n - (points / n) ** 2) / n)
        # From 32 blocks or more an error is known to an eighth.
        assert compared([blocks], 2 * place)[1] == pytest.approx(usual, rel=0.5)


def test_what_is_common_cancels() -> None:
    search = tree(Search="flat")
    blocks = Blocks(4)
    search.compare([0, 1], blocks, 5000)
    apart = sqrt(sum(compared([blocks], column)[1] ** 2 for column in (0, 2)))
    assert compared([blocks], 0, 2)[1] < 0.95 * apart
    assert compared([blocks], 0, 0) == (0.0, 0.0)


def test_several_trees_are_added_up() -> None:
    several = [Blocks(4) for _ in range(3)]
    means, trials = [], (100, 40, 7)
    for seed, (blocks, worlds) in enumerate(zip(several, trials, strict=True)):
        tree(seed).compare([2, 0], blocks, worlds)
        means.append(compared([blocks], 0)[0])
    mean, error = compared(several, 0)
    assert mean == pytest.approx(
        sum(m * n for m, n in zip(means, trials, strict=True)) / sum(trials))
    assert 0 < error < compared(several[2:], 0)[1]


def test_one_trial_tells_no_error() -> None:
    blocks = Blocks(4)
    tree().compare([0, 1], blocks, 1, least=1)
    assert compared([blocks], 0)[1] == float("inf")


def test_wrong_uses_are_refused() -> None:
    search = tree()
    with pytest.raises(ValueError, match="3 columns for 2 actions"):
        search.compare([0, 1], Blocks(3), 1)
    with pytest.raises(ValueError, match=r"places \[99\]: there are"):
        search.compare([99], Blocks(2), 1)
    with pytest.raises(ValueError, match="0 columns"):
        Blocks(0)
    with pytest.raises(ValueError, match="nothing was tried"):
        compared([Blocks(2)], 0)
    search.compare([0], done := Blocks(2), 2)
    for column, less in ((2, -1), (-1, -1), (0, 2), (0, -2)):
        with pytest.raises(ValueError, match="of 2"):
            compared([done], column, less)
