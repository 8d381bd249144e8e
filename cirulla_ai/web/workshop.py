"""Where the server thinks: threads for engines and advice, and how much goes on at a time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TypeVar

from cirulla_ai._core.stop import Stop
from cirulla_ai.web.asks import Ask
from cirulla_ai.web.sittings import BusyError
from cirulla_ai.web.streams import Stream

__all__ = ["Workshop"]

# Streams and searches at a time; beyond them 429.
MOST_STREAMS = 200
MOST_SEARCHES = 32

T = TypeVar("T")


class Workshop:
    """Threads, and counts of what is under way.

    ``bots`` are the threads of engines at tables; ``is_ending``: no stream goes on.
    """

    def __init__(self) -> None:
        workers = max(2, os.cpu_count() or 1)
        self.bots = ThreadPoolExecutor(workers, thread_name_prefix="bot")
        self._advisers = ThreadPoolExecutor(workers, thread_name_prefix="adviser")
        self._streams = 0
        self._searches = 0
        self.is_ending = False

    def close(self) -> None:
        """End all that has not begun."""
        self.bots.shutdown(cancel_futures=True)
        self._advisers.shutdown(cancel_futures=True)

    async def think(self, work: Callable[[Stop], T]) -> T:
        """Do it in another thread, with a stop that is set where nobody waits any more."""
        if self._searches >= MOST_SEARCHES:
            raise BusyError(f"{self._searches} searches go on already; ask again later")
        stop = Stop()
        self._searches += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._advisers, work, stop)
        finally:
            self._searches -= 1
            stop.set()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """One stream more, for as long as it is open; raises BusyError."""
        if self._streams >= MOST_STREAMS:
            raise BusyError(f"{self._streams} streams are open already; close some")
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    @asynccontextmanager
    async def stream(self, ask: Ask) -> AsyncIterator[Stream]:
        """A stream to whoever asks, until it has gone; raises BusyError."""
        with self.counted():
            stream = await Stream.to(ask.request)
            with suppress(ConnectionError):
                yield stream
