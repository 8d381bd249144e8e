"""The JSON lines engine: queries in, answers out as they get ready.

Every decision that is asked for gets exactly one answer, also where it is terminated or goes
wrong.
"""

from __future__ import annotations

import heapq
import io
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from cirulla_ai._core.stop import Stop
from cirulla_ai.analysis.analyse import analyse
from cirulla_ai.analysis.dialect import error_words, header, written
from cirulla_ai.analysis.queries import Asked, Defaults, Query, QueryError, Request, read_query
from cirulla_ai.engine.engine import Engine
from cirulla_ai.protocol.channel import Channel
from cirulla_ai.protocol.lines import Lines
from cirulla_ai.version import __version__

__all__ = ["Service", "serve"]

# Octets of a line: a smazzata with long comments.
MOST_OCTETS = 1 << 20
# Decisions that wait: with more, what else is asked is not read until there is room.
MOST_WAITING = 10_000


@dataclass(order=True)
class Order:
    """A decision to analyse, by its place in the queue."""

    place: tuple[int, int]
    query: Query = field(compare=False)
    asked: Asked = field(compare=False)
    stop: Stop = field(compare=False, default_factory=Stop)
    has_begun: bool = field(compare=False, default=False)

    @property
    def names(self) -> dict[str, Any]:
        """What the answer is known by."""
        turn = {} if self.asked.turn is None else {"turn": self.asked.turn}
        return {"id": self.query.id, **turn}


class Service:
    """Answers queries by so many workers; ``say`` gets each answer as a line, from any thread.

    Raises RuntimeError where the system has no thread for a single one.
    """

    def __init__(
        self, engine: Engine, say: Callable[[str], None], *, workers: int = 1,
        defaults: Defaults,
    ) -> None:
        self._engine = engine
        self._say = say
        self._defaults = defaults
        # Guards all that follows, and is notified where any of it changes.
        self._changed = threading.Condition()
        self._queue: list[Order] = []
        self._open: dict[tuple[int, int], Order] = {}
        self._count = 0
        self._is_ended = False
        self._threads: list[threading.Thread] = []
        for number in range(workers):
            thread = threading.Thread(target=self._work, name=f"worker {number}", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                if not self._threads:
                    raise
                break
            self._threads.append(thread)

    def take(self, line: str) -> None:
        """Take in a line: queue what it asks, or answer at once where that can't be or is about
        other queries.  Waits while too much is queued."""
        if not line.strip():
            return
        if len(line) > MOST_OCTETS:
            error = QueryError(f"a line of more than {MOST_OCTETS:,} octets; no query is so long")
            self._put(error_words(error))
            return
        try:
            asked = read_query(line, self._defaults)
        except QueryError as error:
            where = {"id": error.id, "field": error.field}
            self._put(error_words(error, **{k: v for k, v in where.items() if v is not None}))
            return
        if isinstance(asked, Request):
            self._carry_out(asked)
        else:
            self._enqueue(asked)

    def finish(self) -> None:
        """Wait until all that was asked is answered."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open)
            self._is_ended = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _put(self, words: dict[str, Any]) -> None:
        self._say(written(words))

    def _enqueue(self, query: Query) -> None:
        with self._changed:
            self._changed.wait_for(lambda: len(self._open) < MOST_WAITING)
            for asked in query.asked:
                self._count += 1
                order = Order((-query.priority, self._count), query, asked)
                self._open[order.place] = order
                heapq.heappush(self._queue, order)
            self._changed.notify_all()

    def _carry_out(self, request: Request) -> None:
        if request.action in ("version", "query_version"):
            self._put({**header("version"), **request.words, "version": __version__})
            return
        unbegun = []
        with self._changed:
            for order in list(self._open.values()):
                is_meant = request.action == "terminate_all" or (
                    order.query.id == request.of
                    and (request.turns is None or order.asked.turn in request.turns))
                if not is_meant:
                    continue
                order.stop.set()
                if not order.has_begun:
                    # A worker that comes to it leaves it alone.
                    order.has_begun = True
                    unbegun.append(order)
        self._put({**header("terminate"), **request.words})
        for order in unbegun:
            self._close(order, {**header("terminated"), **order.names, "noResults": True})

    def _close(self, order: Order, words: dict[str, Any]) -> None:
        """Give the answer to an order."""
        self._put(words)
        with self._changed:
            del self._open[order.place]
            self._changed.notify_all()

    def _work(self) -> None:
        """A worker's life."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._is_ended)
                if not self._queue:
                    return
                order = heapq.heappop(self._queue)
                if order.has_begun:
                    continue
                order.has_begun = True
            self._close(order, self._answer(order))

    def _answer(self, order: Order) -> dict[str, Any]:
        query = order.query
        try:
            words = analyse(
                order.asked.game, query.limit, engine=self._engine, seed=query.seed,
                threads=self._defaults.threads, until=query.until,
                hands="hands" in query.include, stop=order.stop,
            ).as_dict(query.top)
        except ValueError as error:
            return error_words(error, **order.names,
                               field="position" if order.asked.turn is None else "turns")
        except Exception as error:
            # Whatever it is, whoever asked is not to wait for ever.
            return error_words(error if str(error) else RuntimeError(repr(error)), **order.names)
        if "hands" not in query.include:
            del words["hands"]
        if "pv" not in query.include:
            for action in words["actions"]:
                del action["pv"]
        if order.stop.is_set():
            words["terminated"] = True
        return {**words, **order.names}


def serve(engine: Engine, workers: int, defaults: Defaults) -> int:
    """Answer the queries of standard input on standard output, to the end of both; returns 0."""
    # A standard stream is None where its descriptor was closed from the start.
    if sys.stdout is None:
        return 0
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(newline="\n")
    # Where nobody listens any more: leave at once, wherever the reader waits.
    channel = Channel(sys.stdout, on_closed=lambda: os._exit(0))
    service = Service(engine, channel.say, workers=workers, defaults=defaults)
    stream: BinaryIO = sys.stdin.buffer if sys.stdin else io.BytesIO()
    lines = Lines(stream, MOST_OCTETS)
    while (line := lines.get()) is not None:
        service.take(line)
    service.finish()
    return 0
