"""Running a tournament: deal sets over workers, results stored as they come."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from cirulla_ai.basics.waits import next_of
from cirulla_ai.tournament.contender import Contender
from cirulla_ai.tournament.ending import signals_put
from cirulla_ai.tournament.mpi import make_mpi_executor
from cirulla_ai.tournament.play import Conditions, close_rosters, play_set
from cirulla_ai.tournament.schedule import DealSet, Schedule
from cirulla_ai.tournament.store import Store

__all__ = ["InterruptedByUserError", "make_executor", "run"]

P = ParamSpec("P")
T = TypeVar("T")

# A Connection, or what Windows has for one.
Lifeline = Any
# A Dask scheduler that is there answers at once.
SCHEDULER_SECONDS = 5


class InterruptedByUserError(Exception):
    """The user stopped the tournament; what had finished is stored."""


def _serve(lifeline: Lifeline) -> None:
    """What a worker does first: it leaves Ctrl-C and a terminal's end to its owner, who lets
    running deal sets end, and dies with that one, its engines with it."""
    for name in ("SIGINT", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_live_by, args=(lifeline,), name="lifeline", daemon=True).start()


def _live_by(lifeline: Lifeline) -> None:
    # Nothing is ever sent: there is something to read only when the other end is closed.
    with suppress(OSError):
        lifeline.poll(None)
    os._exit(1)


class Workers(ProcessPoolExecutor):
    """Processes that never outlive this one, whatever kills it.

    At the end of the ``with`` block what still runs is dropped at once, and their engines
    with it; where nothing does, all leave in order.
    """

    def __init__(self, concurrency: int) -> None:
        # Fresh interpreters: workers share nothing with the owner, threads included.
        context = get_context("spawn")
        theirs, self._lifeline = context.Pipe(duplex=False)
        self._running: set[Future[Any]] = set()
        super().__init__(
            concurrency, mp_context=context, initializer=_serve, initargs=(theirs,))

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
def make_executor(concurrency: int, scheduler: str | None = None) -> Iterator[Executor]:
    """Workers: a process pool, a Dask cluster (``scheduler`` its address) or MPI (``mpi``).

    What runs at the end of the block is dropped, but MPI's workers play it to its end.  Raises
    ImportError where the extra for Dask is not installed, OSError where no scheduler answers;
    for MPI see ``count_mpi_workers``.
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
                # Its workers stay; engines that they have started for us must not.
                with suppress(Exception):
                    client.run(close_rosters)
    else:
        with Workers(concurrency) as workers:
            yield workers


def run(
    schedule: Schedule,
    contenders: Sequence[Contender],
    conditions: Conditions,
    store: Store,
    executor: Executor,
    *,
    in_flight: int,
    on_result: Callable[[dict[str, Any]], bool],
    on_interrupt: Callable[[int], None] = lambda running: None,
) -> None:
    """Play every deal set that the store does not have yet.

    ``in_flight`` deal sets are given out at a time.  ``on_result`` sees each finished one,
    stored already; where it returns True no more are begun, and what runs is dropped.
    Raises InterruptedByUserError on Ctrl-C, after those that can't be taken back have ended
    (``on_interrupt`` hears how many there are); a second Ctrl-C drops them.
    """
    done = store.places()
    left: Iterator[DealSet] = (deal for deal in schedule if deal.index not in done)
    running: set[Future[dict[str, Any]]] = set()

    # What has happened: a deal set is over, or a signal has come, to be called.
    events: SimpleQueue[Future[dict[str, Any]] | Callable[[], object]] = SimpleQueue()

    def begin() -> bool:
        deal = next(left, None)
        if deal is None:
            return False
        future = executor.submit(play_set, conditions, contenders, deal)
        running.add(future)
        future.add_done_callback(events.put)
        return True

    def collect() -> bool:
        """Store what has finished next; True where it is enough."""
        event = next_of(events)
        if not isinstance(event, Future):
            event()
            return False
        if event not in running:
            return False
        running.discard(event)
        result = event.result()
        store.add(result)
        return on_result(result)

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
                # A pool holds one more ready than its workers play; the rest has not begun.
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
