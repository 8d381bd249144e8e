"""Commands and positions that the tests of the client and of compliance share."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from cirulla_ai import State

FAKE = Path(__file__).with_name("fake_engine.py")
REAL = [sys.executable, "-m", "cirulla_ai"]

STATE = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
TRUTH = State.deal("cirulla", dealer=1, seed=7)


def fake(mode: str) -> list[str]:
    """The command of the fake engine that behaves so."""
    return [sys.executable, "-S", str(FAKE), mode]


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
