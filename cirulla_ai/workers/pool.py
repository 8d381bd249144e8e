"""Jobs shared among workers: processes of our own, a Dask cluster's, or MPI's."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from cirulla_ai.workers.ending import signals_put
from cirulla_ai.workers.mpi import make_mpi_executor

__all__ = ["InterruptedByUserError", "Workers", "make_executor", "work"]

P = ParamSpec("P")
T = TypeVar("T")

# A Dask scheduler that is there answers at once.
SCHEDULER_SECONDS = 5


class InterruptedByUserError(Exception):
    """The user stopped the work; what had finished is kept."""


def _serve(lifeline: Connection, owners: Connection | None = None) -> None:
    """What a worker does first: it leaves Ctrl-C and a terminal's end to its owner, who lets
    running jobs end, and dies with that one, its engines with it.

    ``owners``: the other end, of which a fork has a copy.
    """
    if owners is not None:
        owners.close()
        # The owner's way to end is not this one's.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_live_by, args=(lifeline,), name="lifeline", daemon=True).start()


def _live_by(lifeline: Connection) -> None:
    # Nothing is ever sent: there is something to read only when the other end is closed.
    with suppress(OSError):
        lifeline.poll(None)
    os._exit(1)


class Workers(ProcessPoolExecutor):
    """Processes that never outlive this one, whatever kills it.

    ``fresh``: they are interpreters of their own; else forks where that is safe, which begin at
    once with all that this one has set up.  At the end of the ``with`` block what still runs is
    dropped at once, and their engines with it; where nothing does, all leave in order.
    """

    def __init__(self, concurrency: int, *, fresh: bool = True) -> None:
        # A thread's locks would stay as they are; and other systems than Linux have libraries
        # that don't bear it.
        forks = not fresh and sys.platform == "linux" and threading.active_count() == 1
        context = get_context("fork" if forks else "spawn")
        theirs, self._lifeline = context.Pipe(duplex=False)
        self._running: set[Future[Any]] = set()
        super().__init__(
            concurrency, mp_context=context, initializer=_serve,
            initargs=(theirs, self._lifeline) if forks else (theirs,))
        if forks:
            # Now, before there is any thread: the first job starts all of them.
            self.submit(os.getpid).result()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = super().submit(fn, *args, **kwargs)
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        return future

    def __exit__(self, *exc: object) -> None:
        for future in list(self._running):
            future.cancel()
        if self._running:
            self._lifeline.close()
        self.shutdown(wait=True, cancel_futures=True)
        self._lifeline.close()


@contextmanager
def make_executor(
    concurrency: int, scheduler: str | None = None,
    farewell: Callable[[], object] | None = None, *, fresh: bool = True,
) -> Iterator[Executor]:
    """Workers: a process pool, a Dask cluster (``scheduler`` its address) or MPI (``mpi``).

    What runs at the end of the block is dropped, but MPI's workers do it to its end.  A
    cluster's workers stay: ``farewell`` is called in each of them then.  ``fresh``: see
    ``Workers``.  Raises ImportError
    where the extra for Dask is not installed, OSError where no scheduler answers; for MPI see
    ``count_mpi_workers``.
    """
    if scheduler == "mpi":
        with make_mpi_executor() as pool:
            yield pool
    elif scheduler:
        from distributed import Client

        with Client(scheduler, timeout=SCHEDULER_SECONDS) as client:  # type: ignore[no-untyped-call, unused-ignore]
            try:
                yield client.get_executor()
            finally:
                if farewell is not None:
                    with suppress(Exception):
                        client.run(farewell)
    else:
        with Workers(concurrency, fresh=fresh) as workers:
            yield workers


def work(
    jobs: Iterable[Callable[[], T]],
    executor: Executor,
    *,
    in_flight: int,
    on_result: Callable[[T], bool],
    on_interrupt: Callable[[int], None] = lambda running: None,
) -> None:
    """Do every job, ``in_flight`` at a time given out.

    ``on_result`` gets what each returned, in the order in which they end; where it returns
    True no more are begun, and what runs is dropped.  Raises InterruptedByUserError on
    Ctrl-C, after those that can't be taken back have ended (``on_interrupt`` hears how many
    there are); a second Ctrl-C drops them.  Raises what a job raises.
    """
    left = iter(jobs)
    running: set[Future[T]] = set()

    # What has happened: a job is over, or a signal has come, to be called.
    events: SimpleQueue[Future[T] | Callable[[], object]] = SimpleQueue()

    def begin() -> bool:
        job = next(left, None)
        if job is None:
            return False
        future = executor.submit(job)
        running.add(future)
        future.add_done_callback(events.put)
        return True

    def collect() -> bool:
        """Hand on what has finished next; True where it is enough."""
        event = events.get()
        if not isinstance(event, Future):
            event()
            return False
        if event not in running:
            return False
        running.discard(event)
        return on_result(event.result())

    with signals_put(events.put):
        try:
            while len(running) < in_flight and begin():
                pass
            while running:
                if collect():
                    break
                while len(running) < in_flight and begin():
                    pass
        except KeyboardInterrupt:
            try:
                # A pool holds one more ready than its workers do; the rest has not begun.
                running.difference_update([future for future in running if future.cancel()])
                on_interrupt(len(running))
                while running:
                    collect()
            except KeyboardInterrupt:
                pass
            raise InterruptedByUserError from None
        finally:
            for future in running:
                future.cancel()
