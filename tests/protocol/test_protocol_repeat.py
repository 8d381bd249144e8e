"""One seed, one thread and nodes: the same output every time, everywhere."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from support.client import EngineProcess, LocalEngine, infos_of, timeless

from cirulla_ai import PRESETS, Engine, Limit, State
from cirulla_ai._core.stop import Stop

Start = Callable[..., EngineProcess]

SCRIPT = (
    "setoption name Seed value 12345",
    "setoption name MultiPV value 3",
    *(line for preset in PRESETS for line in (
        f"position startpos rules={preset} seed 3", "d", "go nodes 1200",
        "setoption name Objective value match", "go nodes 500",
        "setoption name Objective value points")),
    "setoption name MultiPV value 1",
    "position startpos",
    "go nodes 40000",
)


def play(engine: EngineProcess | LocalEngine) -> list[str]:
    """What the script makes an engine say, but for the clock."""
    lines: list[str] = []
    for line in SCRIPT:
        if isinstance(engine, LocalEngine):
            lines += engine.ask(line)
        elif line.startswith("go"):
            lines += engine.search(line)
        else:
            lines += engine.ask(line)
    return timeless(lines)


def test_two_processes_two_builds_and_a_server_say_the_same(start: Start) -> None:
    first = play(start())
    assert play(start()) == first
    assert play(start(CIRULLA_BASELINE="1")) == first
    local = LocalEngine()
    assert play(local) == first
    assert play(local) == first
    assert len(infos_of(first)) > 100


def test_the_output_has_no_clock_in_it_however_slow_the_search(local: LocalEngine) -> None:
    """Reports come at counts of iterations, and often enough to be one a second."""
    local.ask("setoption name Seed value 1", "position startpos rules=cirullone-9 seed 1")
    nodes = [info["nodes"] for info in infos_of(local.ask("go nodes 60000"))]
    assert nodes == [1 << k for k in range(10, 15)] + [k << 14 for k in (2, 3)] + [60000]


def test_engines_in_one_process_and_in_threads_are_independent() -> None:
    alone = play(LocalEngine())
    said: dict[int, list[str]] = {}
    engines = [LocalEngine() for _ in range(4)]
    threads = [threading.Thread(target=lambda k=k: said.update({k: play(engines[k])}))
               for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [said[k] == alone for k in range(4)] == [True] * 4


def test_two_engines_at_once_have_their_own_options_and_positions() -> None:
    one, two = LocalEngine(), LocalEngine()
    one.ask("setoption name MultiPV value 3", "position startpos seed 1")
    two.ask("position startpos rules=scopa seed 2")
    one.server.handle("go infinite")
    assert max(info["multipv"] for info in infos_of(two.ask("go nodes 50"))) == 1
    assert two.state().startswith("rules=scopa ")
    assert one.state().startswith("rules=cirulla ")
    assert max(info["multipv"] for info in infos_of(one.ask("stop"))) == 3


def bench(start: Start, *words: str, **env: str) -> list[str]:
    engine = start("bench", *words, **env)
    lines = engine.rest()
    assert engine.wait() == 0
    assert engine.errors == ""
    return lines


def test_the_signature_of_bench(start: Start) -> None:
    first = bench(start, "1", "500")
    assert first[-2].startswith("Nodes searched: ")
    assert first[-1].startswith("Nodes/second: ")
    assert bench(start, "1", "500")[:-1] == first[:-1]
    assert bench(start, "1", "500", CIRULLA_BASELINE="1")[:-1] == first[:-1]
    local = LocalEngine()
    # Its options are its own.
    local.ask("setoption name Seed value 77", "setoption name Skill Level value 3",
              "setoption name Hash value 1", "setoption name Objective value match")
    assert local.ask("bench 1 500")[:-1] == first[:-1]
    assert bench(start, "1", "400")[:-1] != first[:-1]


@pytest.mark.parametrize("words", ["", "2", "3 100"])
def test_bench_by_default_and_with_threads(local: LocalEngine, words: str) -> None:
    lines = local.ask(f"bench {words}")
    for line, name in zip(lines[-2:], ("Nodes searched: ", "Nodes/second: "), strict=True):
        assert int(line.removeprefix(name)) > 0


def test_a_stop_that_comes_first_leaves_every_line_that_was_asked_for() -> None:
    state = State.deal("cirulla", seed=1)
    engine = Engine()
    engine.set("MultiPV", 3)
    stop = Stop()
    stop.set()
    *_, info = engine.search(state, Limit(), stop=stop)
    assert [line.multipv for line in info.lines] == [1, 2, 3]
    assert len({line.action for line in info.lines}) == 3
