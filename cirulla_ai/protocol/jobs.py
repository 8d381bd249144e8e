"""Work that goes on while the engine reads: one job at a time, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from cirulla_ai._core.stop import Stop

__all__ = ["Job"]


class Job:
    """A running search, perft or bench.

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
        threading.Thread(target=self._run, daemon=True).start()

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
    def is_over(self) -> bool:
        """Whether all its work is done."""
        return self._ended.is_set()
