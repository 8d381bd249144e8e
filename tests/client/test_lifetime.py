"""Engines never outlive their owner, however it ends."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.engines import STATE, fake, is_gone

from cirulla_ai import Limit
from cirulla_ai.client.simple import SimpleEngine

TIMEOUT = 15.0


def test_an_engine_that_is_forgotten_ends() -> None:
    engine = SimpleEngine.popen(fake("stays"), timeout=TIMEOUT)
    pid = engine.protocol.pid
    engine.analysis(STATE)
    del engine
    gc.collect()
    assert is_gone(pid)


def test_an_error_in_the_block_ends_it() -> None:
    engine = SimpleEngine.popen(fake("good"))
    with pytest.raises(ZeroDivisionError), engine:
        raise ZeroDivisionError
    assert is_gone(engine.protocol.pid)


OWNER = """
import asyncio, os, sys, time
from support.engines import STATE, fake
from cirulla_ai import Limit
from cirulla_ai.client.engine_protocol import popen
from cirulla_ai.client.simple import SimpleEngine

how, mode = sys.argv[1:]
if how == "asyncio":
    async def main():
        engine = await popen(fake(mode), timeout=15)
        await engine.analysis(STATE)
        print(engine.pid, flush=True)
    asyncio.run(main())
    sys.exit(0)
engine = SimpleEngine.popen(fake(mode), timeout=15)
print(engine.protocol.pid, flush=True)
analysis = engine.analysis(STATE)
if how == "error":
    raise RuntimeError("an error")
if how == "killed":
    os.kill(os.getpid(), 9)
if how == "interrupted":
    engine.play(STATE, Limit(nodes=1))
"""


@pytest.mark.parametrize(("how", "mode"), [
    ("exit", "stays"), ("error", "stays"), ("asyncio", "stays"), ("killed", "good"),
    ("interrupted", "stall"),
])
def test_it_ends_with_its_owner(how: str, mode: str) -> None:
    path = os.pathsep.join([os.path.dirname(os.path.dirname(__file__)), *sys.path])
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, how, mode], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "PYTHONPATH": path})
    assert owner.stdout and owner.stderr
    pid = int(owner.stdout.readline())
    if how == "interrupted":
        owner.send_signal(signal.SIGINT)
    _, errors = owner.communicate(timeout=4 * TIMEOUT)
    assert is_gone(pid)
    assert owner.returncode == {"error": 1, "killed": -9, "interrupted": -2}.get(how, 0), errors
    if how == "exit":
        assert not errors


def test_the_terminal_s_interrupt_is_not_for_the_engine() -> None:
    with SimpleEngine.popen(fake("good"), timeout=TIMEOUT) as engine:
        assert os.getpgid(engine.protocol.pid) != os.getpgid(0)
        assert engine.play(STATE, Limit(nodes=1)).action in STATE.legal_actions()


FORKER = """
import os, shlex, sys, time
from support.engines import STATE, fake
from cirulla_ai.client.simple import SimpleEngine

engine = SimpleEngine.popen(fake("stays") if sys.argv[1] == "deaf" else
                            ["sh", "-c", "sleep 60 & " + shlex.join(fake("stays"))], timeout=15)
print(engine.protocol.pid, flush=True)
engine.analysis(STATE)
time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGQUIT])
@pytest.mark.parametrize("kind", ["deaf", "wrapped"])
def test_no_signal_to_its_owner_leaves_it(kind: str, number: signal.Signals) -> None:
    """Nor what it has started, whether or not they look at their input."""
    path = os.pathsep.join([os.path.dirname(os.path.dirname(__file__)), *sys.path])
    owner = subprocess.Popen(
        [sys.executable, "-c", FORKER, kind], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": path})
    assert owner.stdout
    pid = int(owner.stdout.readline())
    group = os.getpgid(pid)
    assert group != os.getpgid(0)
    owner.send_signal(number)
    assert owner.wait(timeout=TIMEOUT) == -number
    deadline = time.monotonic() + 2
    while members(group):
        assert time.monotonic() < deadline, "processes are left"
        time.sleep(0.02)
    owner.stdout.close()


def members(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its = stat.read_text("latin-1").rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


def test_what_an_engine_has_started_ends_with_it() -> None:
    script = f"sleep 60 & exec {shlex.join(fake('good'))}"
    with SimpleEngine.popen(["sh", "-c", script], timeout=TIMEOUT) as engine:
        group = os.getpgid(engine.protocol.pid)
        assert len(members(group)) >= 2
        engine.quit()
    assert not members(group)


def test_what_it_sends_to_its_own_group_does_not_unguard_it() -> None:
    """As scripts do that end what they have started."""
    script = f"trap 'kill 0' EXIT; trap '' TERM; kill -TERM 0; {shlex.join(fake('good'))}"
    with SimpleEngine.popen(["sh", "-c", script], timeout=TIMEOUT) as engine:
        group = os.getpgid(engine.protocol.pid)
        assert group in members(group)
        assert engine.play(STATE, Limit(nodes=1)).action in STATE.legal_actions()
