"""Engines after a fork: the child is told at once that they are not its own, and can leave."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Generator
from contextlib import suppress

import pytest
from support.engines import STATE, fake, is_gone

from cirulla_ai import Engine, Limit
from cirulla_ai.client.engine_protocol import (
    Analysis,
    EngineError,
    EngineForkedError,
    EngineProtocol,
    popen,
)
from cirulla_ai.client.inprocess import InProcessEngine
from cirulla_ai.client.simple import SimpleEngine
from cirulla_ai.compliance import run_compliance

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here"),
    # What newer Pythons say of any fork of a process with threads.
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

GO = Limit(nodes=1)
SECONDS = 20.0


def in_child(work: Callable[[], object]) -> None:
    """Do ``work`` in a forked process and see that it comes to its end, in time."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    assert exit_of(child) == 0


def exit_of(child: int) -> int:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("it hangs")


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(EngineForkedError, match="belongs to the process that this one was forked"):
        call()


def test_every_call_is_refused_at_once() -> None:
    with SimpleEngine.popen(fake("good")) as engine:
        analysis = engine.analysis(STATE)

        def child() -> None:
            for call in (
                engine.ping, engine.new_game, lambda: engine.play(STATE, GO),
                lambda: engine.analyse(STATE, GO), lambda: engine.analysis(STATE),
                lambda: engine.configure({"Hash": 2}), engine.quit, analysis.wait,
                analysis.next, lambda: list(analysis), lambda: analysis.infos,
            ):
                refused(call)
            assert engine.id["name"] == "Fake" and "Hash" in engine.options

        in_child(child)
        assert engine.play(STATE, GO).action in STATE.legal_actions()


def test_the_error_is_of_both_kinds() -> None:
    assert issubclass(EngineForkedError, EngineError)
    assert issubclass(EngineForkedError, RuntimeError)


@pytest.mark.parametrize("how", ["close", "block", "forget", "analysis", "error"])
def test_leaving_works_and_does_the_parent_no_harm(how: str) -> None:
    engine: SimpleEngine | None = SimpleEngine.popen(fake("good"))
    assert engine
    with engine as parents:
        analysis = parents.analysis(STATE)

        def child() -> None:
            nonlocal engine, analysis, parents
            assert engine
            if how == "close":
                engine.close()
                engine.close()
            elif how == "block":
                with engine:
                    pass
            elif how == "forget":
                engine = parents = analysis = None  # type: ignore[assignment]
                gc.collect()
            elif how == "analysis":
                with analysis:
                    pass
            else:
                with suppress(ZeroDivisionError), engine:
                    raise ZeroDivisionError

        in_child(child)
        # As it was: the search goes on, its pipes are heard, it leaves when it is asked to.
        assert parents.protocol.exit_code is None
        analysis.stop()
        assert analysis.wait().action in STATE.legal_actions()
        assert parents.play(STATE, GO).action in STATE.legal_actions()
        assert parents.quit() == 0


CHILD = """
import os, sys
from support.engines import STATE, fake
from cirulla_ai import Limit
from cirulla_ai.client.simple import SimpleEngine

engine = SimpleEngine.popen(fake("good"))
engine.analysis(STATE)
child = os.fork()
if child == 0:
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert engine.play(STATE, Limit(nodes=1)).action in STATE.legal_actions()
print(engine.quit())
"""


def test_a_child_can_end_as_any_program_does() -> None:
    path = os.pathsep.join([os.path.dirname(os.path.dirname(__file__)), *sys.path])
    # Newer Pythons warn of any fork of a process with threads.
    done = subprocess.run(
        [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", CHILD],
        env={**os.environ, "PYTHONPATH": path}, text=True, capture_output=True,
        timeout=3 * SECONDS, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


def test_a_child_has_engines_of_its_own() -> None:
    with SimpleEngine.popen(fake("good")) as engine:
        def child() -> None:
            with SimpleEngine.popen(fake("good")) as own:
                assert own.play(STATE, GO).action in STATE.legal_actions()
                assert own.protocol.pid != engine.protocol.pid

        in_child(child)


def test_a_child_does_not_keep_the_engine_of_a_dead_parent() -> None:
    """Even where the engine does not look at its input."""
    read, write = os.pipe()
    parent = os.fork()
    if parent == 0:
        try:
            engine = SimpleEngine.popen(fake("stays"))
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            os.write(write, f"{engine.protocol.pid} {child}\n".encode())
            time.sleep(60)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        pid, child = map(int, file.readline().split())
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    try:
        assert is_gone(pid)
        assert not is_ended(child)
    finally:
        os.kill(child, signal.SIGKILL)


def is_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_over_asyncio() -> None:
    async def tried(engine: EngineProtocol, analysis: Analysis) -> None:
        for call in (engine.ping(), engine.play(STATE, GO), engine.quit(), engine.new_game(),
                     analysis.wait(), analysis.next()):
            with pytest.raises(EngineForkedError):
                await call
        analysis.stop()
        await engine.close()
        await engine.kill()

    async def main() -> None:
        engine = await popen(fake("good"))
        analysis = await engine.analysis(STATE)

        def child() -> None:
            # Not in the parent's loop, which is in its hands.
            asyncio._set_running_loop(None)
            asyncio.run(tried(engine, analysis))

        in_child(child)
        assert engine.exit_code is None
        analysis.stop()
        assert (await analysis.wait()).action in STATE.legal_actions()
        assert await engine.quit() == 0

    asyncio.run(main())


def test_a_compliance_run_stays_with_the_process_that_began_it() -> None:
    findings = run_compliance(fake("good"), only=["handshake", "quit"])
    assert isinstance(findings, Generator)
    assert next(findings).check == "handshake"

    def child() -> None:
        refused(lambda: next(findings))
        findings.close()

    in_child(child)
    assert next(findings).check == "quit"
    assert list(findings) == []


# --- in the process -----------------------------------------------------------------------

def test_the_engine_in_the_process_plays_on_in_both() -> None:
    with InProcessEngine() as engine:
        engine.configure({"Seed": 3})
        before = engine.play(STATE, Limit(nodes=300))

        def child() -> None:
            after = engine.play(STATE, Limit(nodes=300), timeout=15)
            assert (after.action, after.infos[0].score) == (before.action, before.infos[0].score)

        in_child(child)
        child()


def test_a_search_stays_with_the_process_that_began_it() -> None:
    with InProcessEngine() as engine:
        analysis = engine.analysis(STATE)
        assert analysis.next() is not None

        def child() -> None:
            refused(analysis.wait)
            refused(analysis.next)
            with analysis:
                pass
            # What is the child's own goes on.
            assert engine.play(STATE, Limit(nodes=50)).action in STATE.legal_actions()
            engine.close()

        for _ in range(5):
            in_child(child)
        analysis.stop()
        assert analysis.wait().action in STATE.legal_actions()


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_engine_itself_plays_in_a_child(threads: str) -> None:
    engine = Engine()
    engine.set("Threads", threads)
    assert engine.play(STATE, Limit(nodes=300)) in STATE.legal_actions()

    def child() -> None:
        assert engine.play(STATE, Limit(nodes=300)) in STATE.legal_actions()

    in_child(child)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_search_that_is_under_way_ends_or_goes_on(threads: str) -> None:
    engine = Engine()
    engine.set("Threads", threads)
    search = engine.search(STATE, Limit(nodes=100_000))
    assert isinstance(search, Generator)
    next(search)

    def child() -> None:
        if threads == "1":
            *_, last = search
            assert last.nodes == 100_000
        else:
            with pytest.raises(RuntimeError, match="belongs to the process that this one was"):
                next(search)
        assert engine.play(STATE, Limit(nodes=300)) in STATE.legal_actions()

    def leaver() -> None:
        search.close()

    in_child(child)
    in_child(leaver)
    *_, last = search
    assert last.nodes >= 100_000
