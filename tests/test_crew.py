"""Threads and memory that the system refuses: what could be had decides, and says so."""

from __future__ import annotations

import threading

import pytest

from cirulla_ai import Engine, Limit, State
from cirulla_ai._core.search import Search
from cirulla_ai.client.inprocess import InProcessEngine
from cirulla_ai.engine import decision as decision_module
from cirulla_ai.engine import engine as engine_module
from cirulla_ai.engine.bench import run_bench
from cirulla_ai.engine.crew import Crew

STATE = State.deal("cirulla", dealer=1, seed=7)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many more threads the system gives, in a list: none, until a test changes it."""
    left = [0]
    start = threading.Thread.start

    def refusing(self: threading.Thread) -> None:
        if left[0] == 0:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        start(self)

    monkeypatch.setattr(threading.Thread, "start", refusing)
    return left


@pytest.mark.parametrize("given", [0, 1, 3])
def test_a_crew_is_the_caller_and_what_threads_there_are(threads: list[int], given: int) -> None:
    threads[0] = given
    who: set[int] = set()

    def work(number: int) -> int:
        who.add(threading.get_ident())
        return number * number

    with Crew(4) as crew:
        assert len(crew) == min(4, 1 + given)
        numbers = list(range(len(crew)))
        assert crew.map(work, numbers) == [n * n for n in numbers]
    assert len(who) == len(numbers)


def test_with_one_thread_none_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def refuse(self: threading.Thread) -> None:
        started.append(self.name)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with InProcessEngine() as engine:
        assert engine.options["Threads"].default == 1
        result = engine.play(STATE, Limit(nodes=2000))
    assert result.action in STATE.legal_actions()
    assert [line for line in run_bench(nodes=50) if line.startswith("Nodes searched")]
    assert started == []


def test_the_trees_with_a_thread_decide(threads: list[int]) -> None:
    engine = Engine()
    engine.set("Seed", 1)
    engine.set("Threads", 8)
    for given in (0, 2):
        threads[0] = given
        *_, info = engine.search(STATE, Limit(nodes=3000))
        assert info.lines[0].action in STATE.legal_actions()
        assert (info.nodes or 0) >= 3000
        assert f"no thread for more than {1 + given} of 8 trees" in (info.string or "")
    threads[0] = 7
    *_, info = engine.search(STATE, Limit(nodes=3000))
    assert info.string is None


def test_the_trees_with_memory_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    trees: list[int] = []

    def scarce(*words: object, hash_bytes: int, **options: object) -> Search:
        if hash_bytes > 1 << 20 or len(trees) == 3:
            raise MemoryError("no memory for a search tree")
        trees.append(hash_bytes)
        return Search(*words, hash_bytes=hash_bytes, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(decision_module, "Search", scarce)
    scarce.run = Search.run  # type: ignore[attr-defined]
    engine = Engine()
    engine.set("Threads", 4)
    *_, info = engine.search(STATE, Limit(nodes=1000))
    assert trees == [1 << 20] * 3
    assert info.lines[0].action in STATE.legal_actions()
    assert "no memory for more than 3 of 4 trees" in (info.string or "")
    assert "no memory for a tree of 16384 KiB: it has 1024 KiB" in (info.string or "")


def test_without_memory_for_what_was_learnt_it_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*words: object) -> object:
        raise MemoryError("no memory for a value network")

    monkeypatch.setattr(engine_module, "evaluation_of", none)
    *_, info = Engine().search(STATE, Limit(nodes=500))
    assert info.lines[0].action in STATE.legal_actions()
    assert info.string == "no memory for a value network: lines are played out at random"


def test_a_pulse_is_felt_many_times_a_second() -> None:
    # Longer than a pulse, so that there are several.
    pulses = []
    engine = Engine()
    *_, info = engine.search(STATE, Limit(movetime=300), pulse=lambda: pulses.append(1))
    assert len(pulses) >= 3
    assert (info.nodes or 0) > 1


def test_a_pulse_changes_nothing() -> None:
    engine = Engine()
    engine.set("Seed", 3)
    without = [(info.nodes, info.lines) for info in engine.search(STATE, Limit(nodes=20000))]
    pulsed = [(info.nodes, info.lines)
              for info in engine.search(STATE, Limit(nodes=20000), pulse=lambda: None)]
    assert pulsed == without
