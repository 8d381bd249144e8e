"""The protocol holds with little memory, and without threads."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

import pytest
from support.client import MEASURABLE, EngineProcess, LocalEngine, best_of, infos_of

from cirulla_ai.engine.evaluation_file import evaluation_of

# The engine, where the system gives no thread.
THREADLESS = """
import threading

def start(self):
    raise RuntimeError("can't start new thread")

threading.Thread.start = start
from cirulla_ai.protocol.loop import main
main()
"""


# The engine as a user that may have so many threads; what it needs is loaded before, as that user
# may not read it.
FEW_THREADS = """
import encodings.ascii, os, resource
from cirulla_ai.engine.evaluation_file import load_evaluation
from cirulla_ai.protocol.loop import main
load_evaluation("")
resource.setrlimit(resource.RLIMIT_NPROC, ({most}, {most}))
os.setuid(64321)
main()
"""


def limited(mib: int) -> tuple[str, ...]:
    """The words before a command that has so much address space."""
    return ("sh", "-c", f'ulimit -v {mib << 10} && exec "$@"', "sh")


@MEASURABLE
@pytest.mark.parametrize("mib", [200, 350])
def test_with_little_memory_all_is_decided_and_stopped(
    start: Callable[..., EngineProcess], mib: int
) -> None:
    engine = start(wrapper=limited(mib))
    engine.send("setoption name Threads value 64", "position startpos seed 5", "isready")
    engine.until("readyok")
    engine.send("go infinite")
    engine.until("info depth")
    engine.send("stop")
    engine.until("bestmove")
    said = engine.search("go nodes 500")
    assert best_of(said) != "(none)"
    assert any("the others are left out" in line for line in said)
    engine.send("go infinite", "quit")
    assert best_of(engine.rest()) != "(none)"
    assert engine.wait() == 0
    assert engine.errors == ""


@pytest.fixture
def threadless(start: Callable[..., EngineProcess]) -> EngineProcess:
    """An engine without a thread but its own."""
    return start(wrapper=(sys.executable, "-c", THREADLESS))


def test_without_threads_it_reads_on_while_it_searches(threadless: EngineProcess) -> None:
    threadless.send("position startpos seed 5", "go infinite")
    threadless.until("info string no thread")
    threadless.send("isready", "legal")
    threadless.until("readyok")
    threadless.until("legal ")
    threadless.send("stop", "isready")
    said = threadless.until("bestmove")
    assert said[-1] != "bestmove (none)"
    threadless.until("readyok")
    # What is behind a search waits for it, or ends it.
    threadless.send("go infinite", "position startpos rules=scopa seed 1", "go nodes 100")
    threadless.until("bestmove")
    threadless.until("bestmove")
    threadless.send("d")
    threadless.until("state: rules=scopa")
    began = time.monotonic()
    threadless.send("go infinite", "quit")
    threadless.until("bestmove")
    assert threadless.wait() == 0
    assert time.monotonic() - began < 10
    assert threadless.errors == ""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0,
                    reason="only root can become a user without other processes")
@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_with_few_threads_all_is_said_and_decided(
    start: Callable[..., EngineProcess], most: int
) -> None:
    engine = start(wrapper=(sys.executable, "-c", FEW_THREADS.format(most=most)))
    engine.send("setoption name Threads value 8", "position startpos seed 5", "perft 2",
                "go nodes 500")
    said = engine.until("bestmove")
    assert best_of(said) != "(none)"
    assert any(line.startswith("Nodes searched: ") for line in said)
    assert any("of 8 trees: the others are left out" in line for line in said)
    engine.send("go infinite")
    engine.until("info depth")
    engine.ask("legal")
    engine.send("stop")
    engine.until("bestmove")
    engine.send("go infinite", "quit")
    assert best_of(engine.rest()) != "(none)"
    assert engine.wait() == 0
    assert engine.errors == ""


def test_without_threads_a_count_is_waited_for_or_stopped(threadless: EngineProcess) -> None:
    threadless.send("position startpos seed 5", "perft 3", "go nodes 10")
    said = threadless.until("bestmove")
    assert any(line.startswith("Nodes searched: ") for line in said)
    threadless.send("bench 1 4000000", "isready", "stop")
    threadless.until("readyok")
    threadless.until("info string bench stopped before its end")


def test_without_threads_the_end_of_the_input_ends_it(threadless: EngineProcess) -> None:
    threadless.send("go nodes 1000")
    threadless.stdin.close()
    assert infos_of(threadless.rest())[-1]["nodes"] == 1000
    assert threadless.wait() == 0


def test_a_server_starts_no_thread_for_a_search(local: LocalEngine) -> None:
    local.ask("go nodes 10")
    before = threading.enumerate()
    for _ in range(3):
        assert best_of(local.ask("go nodes 10")) != "(none)"
    assert set(threading.enumerate()) <= set(before)


def test_setting_up_is_done_when_the_position_is_set(local: LocalEngine) -> None:
    evaluation_of.cache_clear()
    local.ask("position startpos rules=cirullone seed 5")
    read = evaluation_of.cache_info().misses
    assert read == 1
    assert best_of(local.ask("isready", "go nodes 10")) != "(none)"
    assert evaluation_of.cache_info().misses == read
