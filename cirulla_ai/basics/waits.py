"""Waits for other threads that Ctrl-C breaks off everywhere.

On Windows a signal does not end a wait for a lock: Python hears of it when the wait is over.
There they are made of short ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Condition
from typing import TypeVar

__all__ = ["next_of", "result_of", "wait_for"]

T = TypeVar("T")

# Seconds to wait at once; None: as long as it takes.
SLICE = 0.1 if sys.platform == "win32" else None


def result_of(future: Future[T]) -> T:
    """What the future has as its result, or raises."""
    while SLICE is not None and not wait([future], SLICE).done:
        pass
    return future.result()


def next_of(queue: SimpleQueue[T]) -> T:
    """What comes next in the queue."""
    while True:
        with suppress(Empty):
            return queue.get(timeout=SLICE)


def wait_for(changed: Condition, is_so: Callable[[], object]) -> None:
    """Wait on a condition, which is held, until it is so."""
    while not changed.wait_for(is_so, SLICE):
        pass
