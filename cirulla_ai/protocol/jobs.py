"""Work that goes on while the engine reads: one job at a time, in a thread of its own."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue

from cirulla_ai._core.stop import Stop

__all__ = ["Job", "Worker"]


class Worker:
    """The thread that does the jobs: begun before the first of them, which may find the system
    without another thread to give.

    ``is_there``: whether there was one at all; else a job is done where it is started.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.is_there = True
        try:
            threading.Thread(target=_work, args=(self._jobs,), name="jobs", daemon=True).start()
        except (RuntimeError, MemoryError):
            self.is_there = False
        # The thread goes with its owner.
        weakref.finalize(self, self._jobs.put, None)

    def dismiss(self) -> None:
        """Send the thread home: jobs are done where they are started from now on."""
        self._jobs.put(None)
        self.is_there = False

    def do(self, job: Callable[[], None]) -> None:
        """Do it after those before; at once where there is no thread."""
        if self.is_there and self._process != os.getpid():
            # Threads stay behind when a process forks.
            self._begin()
        if self.is_there:
            self._jobs.put(job)
        else:
            job()


def _work(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        # Nothing of it is held on to while there is no other.
        del job


class Job:
    """A search, perft or bench, which runs from ``start`` on.

    ``work`` is called with the job; the core obeys ``stop``, and ``wait_for_stop`` idles.
    An ``is_endless`` job ends only by a stop; an ``is_count`` (perft, bench) is waited for
    by the next commands, where a search is stopped by them.  ``on_end`` is called from the
    job's thread when it ``is_over``.
    """

    def __init__(
        self,
        work: Callable[[Job], None],
        stop: Stop,
        on_end: Callable[[], None],
        *,
        is_endless: bool = False,
        is_count: bool = False,
    ) -> None:
        self.is_endless = is_endless
        self.is_count = is_count
        # Whether a search has said its bestmove, and how many more it has to say then, for
        # those that were refused while it ran.
        self.has_answered = is_count
        self.owed = 0
        self._work = work
        self._stop = stop
        self._on_end = on_end
        self._stopped = threading.Event()
        self._ended = threading.Event()

    def start(self, worker: Worker) -> None:
        """Hand it to the worker; where that has no thread it is over when this returns."""
        worker.do(self._run)

    def _run(self) -> None:
        try:
            self._work(self)
        finally:
            # In this order: whom on_end wakes must find it over.
            self._ended.set()
            self._on_end()

    def halt(self) -> None:
        """Tell it to stop; it ends soon."""
        self._stop.set()
        self._stopped.set()

    def wait_for_stop(self) -> None:
        """Idle, in the job's own thread, until told to stop."""
        self._stopped.wait()

    def join(self, seconds: float) -> bool:
        """Wait for its end, at most so long; returns whether it is over."""
        return self._ended.wait(seconds)

    @property
    def is_halted(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped.is_set()

    @property
    def is_over(self) -> bool:
        """Whether all its work is done."""
        return self._ended.is_set()
