"""Commands and positions that the tests of the client and of compliance share."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path

import pytest

import cirulla_ai
from cirulla_ai import State

FAKE = Path(__file__).with_name("fake_engine.py")
REAL = [sys.executable, "-m", "cirulla_ai"]
# The environment of a process that knows ASCII alone.
ASCII = pytest.param(
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="C",
    marks=pytest.mark.skipif(
        not (sys.prefix + cirulla_ai.__file__).isascii(),
        reason="Python 3.13 imports no compiled module at such a path then"))

STATE = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
TRUTH = State.deal("cirulla", dealer=1, seed=7)


def fake(mode: str) -> list[str]:
    """The command of the fake engine that behaves so."""
    return [sys.executable, "-S", str(FAKE), mode]


def children() -> set[int]:
    """The processes that this one has started and that have not ended (where /proc says)."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text("latin-1").rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(stat.parent.name))
    return found


def left_since(before: set[int]) -> set[int]:
    """The processes started since ``before`` that are left; waits a little for their ends."""
    for _ in range(100):
        left = children() - before
        if not left:
            break
        # An engine that is forgotten ends when that is noticed.
        gc.collect()
        time.sleep(0.02)
    return left


def is_gone(pid: int) -> bool:
    """Whether a process has ended, or is about to; waits a little for it."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False
