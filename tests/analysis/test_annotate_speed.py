"""How fast records are annotated, on a machine that has nothing else to do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from cirulla_ai import Engine, Limit, Match
from cirulla_ai.analysis.annotate import Terms
from cirulla_ai.analysis.annotating import annotate_all
from cirulla_ai.history import History
from cirulla_ai.records import Record
from cirulla_ai.workers.pool import Workers

DECISIONS, SECONDS, SHARE = 250, 3.0, 0.55


def match_to_51(seed: int) -> list[Record]:
    """The smazzate of a match of the engine against itself."""
    engine = Engine()
    match = Match("cirulla", seed=seed)
    records = []
    while not match.is_over:
        game = History(match.deal())
        while not game.state.is_over:
            engine.set("Seed", 1 + len(game.steps))
            game = game.play(engine.play(game, Limit(nodes=500)))
        records.append(Record.from_play(game.start, game.words))
        match.record(game.state)
    return records


def seconds(work: Callable[[], None], clock: Callable[[], float]) -> float:
    """The least of three."""
    found = []
    for _ in range(3):
        began = clock()
        work()
        found.append(clock() - began)
    return min(found)


@pytest.mark.long
def test_a_match_takes_three_seconds_a_core_and_two_workers_share_it() -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor")
    records = match_to_51(3)
    actions = sum(len(record.plies) for record in records)
    terms = Terms()

    def by(workers: Workers | None) -> Callable[[], None]:
        return lambda: annotate_all(
            records, terms, lambda place, words: None, executor=workers, in_flight=4)

    with Workers(2, fresh=False) as workers:
        alone = seconds(by(None), time.process_time)
        assert alone * DECISIONS / actions < SECONDS
        one, two = seconds(by(None), time.monotonic), seconds(by(workers), time.monotonic)
    assert two < SHARE * one, (one, two)
