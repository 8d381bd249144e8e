"""After every test here, no process that it started is left."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROC = Path("/proc")


def children() -> set[int]:
    """The processes that this one has started and that have not ended."""
    found = set()
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(stat.parent.name))
    return found


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    before = children()
    yield
    for _ in range(100):
        left = children() - before
        if not left:
            return
        # An engine that is forgotten ends when that is noticed.
        gc.collect()
        time.sleep(0.02)
    pytest.fail(f"processes {left} are left")
