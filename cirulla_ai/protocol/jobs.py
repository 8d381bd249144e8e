"""Work that goes on while the engine reads: one job at a time, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from cirulla_ai._core.fishing import Stop

__all__ = ["Job"]


class Job:
    """A running search, perft or bench.

    ``work`` is called with the job; it looks at ``stop`` (the core does too) and may wait
    for it with ``wait_for_stop``.  An ``is_endless`` job ends only by a stop; an
    ``is_count`` (perft, bench) is waited for by the next commands, where a search is
    stopped by them.
    """

    def __init__(
        self, work: Callable[[Job], None], *, is_endless: bool = False, is_count: bool = False,
    ) -> None:
        self.stop = Stop()
        self.is_endless = is_endless
        self.is_count = is_count
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=work, args=(self,), daemon=True)
        self._thread.start()

    def halt(self) -> None:
        """Tell it to stop; it ends soon."""
        self.stop.set()
        self._stopped.set()

    def wait_for_stop(self) -> None:
        """Idle, in the job's own thread, until told to stop."""
        self._stopped.wait()

    def join(self, seconds: float | None = None) -> None:
        """Wait for its end, at most so long."""
        self._thread.join(seconds)

    @property
    def is_running(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()
