"""A search that runs at the other end: what it says, and its answer."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from cirulla_ai.action import Action, ActionError
from cirulla_ai.client.errors import EngineForkedError, EngineTimeoutError, IllegalActionError
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.info import Info

__all__ = ["Analysis", "PlayResult", "RemoteSearch", "go_line"]

# Of an analysis that nobody reads the newest infos are kept.
MAX_WAITING = 1000
# No game has as many actions in one decision; an engine may claim any rank.
MAX_RANKS = 1000


@dataclass(frozen=True)
class PlayResult:
    """An engine's answer: its action, what it expects next, and its last infos, best first."""

    action: Action
    ponder: Action | None
    infos: tuple[Info, ...]


def go_line(limit: Limit, actions: Sequence[Action] | None = None) -> str:
    """The ``go`` command for a limit, among ``actions`` where given.

    >>> go_line(Limit(movetime=500, nodes=1000))
    'go movetime 500 nodes 1000'
    """
    words = ["go"]
    if actions is not None:
        words += ["searchmoves", *map(str, actions)]
    if limit.movetime is not None:
        words += ["movetime", str(round(limit.movetime))]
    if limit.nodes is not None:
        words += ["nodes", str(limit.nodes)]
    if limit.time is not None:
        words += ["time", str(round(limit.time)), "inc", str(round(limit.inc))]
    if limit.is_infinite:
        words.append("infinite")
    return " ".join(words)


def quiet_future() -> asyncio.Future[Any]:
    """A future whose error is no matter for asyncio's log where nobody asks for it."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    future.add_done_callback(lambda f: f.cancelled() or f.exception())
    return future


@dataclass(frozen=True)
class Patience:
    """How many seconds an answer may take.

    ``timeout``: after the limit, and where the limit is nodes alone, after the last sign of
    life; ``grace``: after a ``stop``; ``total``, where given: after the ``go``.
    """

    timeout: float
    grace: float
    total: float | None = None


class RemoteSearch:
    """One ``go`` and what has been said of it.  ``send_stop`` sends the ``stop``."""

    def __init__(
        self,
        name: str,
        history: History,
        limit: Limit,
        actions: Sequence[Action],
        patience: Patience,
        send_stop: Callable[[], None],
    ) -> None:
        self.name = name
        self.history = history
        self.limit = limit
        self.actions = actions
        self.waiting: deque[Info] = deque(maxlen=MAX_WAITING)
        # The words after ``bestmove``, or the error by which there will be none.
        self.answer: asyncio.Future[str] = quiet_future()
        self._owner = os.getpid()
        self._best: dict[int, Info] = {}
        self._said = ""
        self._patience = patience
        self._send_stop = send_stop
        self._news = quiet_future()
        self._stopping = quiet_future()
        self._stopped: float | None = None
        self._heard = _now()
        budgets = [] if patience.total is None else [patience.total]
        budgets += [max(ms, 0) / 1000 + patience.timeout
                    for ms in (limit.movetime, limit.time) if ms is not None]
        self._latest = self._heard + min(budgets) if budgets else None

    def take(self, info: Info) -> None:
        """An ``info`` line has come."""
        self._heard = _now()
        if info.string is not None:
            self._said = info.string[:500]
        rank = 1 if info.multipv is None else info.multipv
        if (info.score is not None or info.pv) and 1 <= rank <= MAX_RANKS:
            self._best[rank] = info
        self.waiting.append(info)
        if not self._news.done():
            self._news.set_result(None)

    def stop(self) -> None:
        """Send a ``stop``, once, where the answer has not come."""
        if self._stopped is None and not self.answer.done():
            self._stopped = _now()
            with suppress(EngineForkedError):
                self._send_stop()
            # Whoever waits looks at the deadline again.
            self._stopping.set_result(None)

    def _remaining(self) -> float | None:
        """Seconds in which the answer must come (0 or less: it is late), None for ever."""
        if self._stopped is not None:
            return self._stopped + self._patience.grace - _now()
        if self._latest is not None:
            return self._latest - _now()
        if self.limit.is_infinite:
            return None
        return self._heard + self._patience.timeout - _now()

    async def wait(self, *, news: bool = False) -> bool:
        """Wait for the answer, or with ``news`` for an info as well; False where it is late.

        Raises EngineForkedError where the engine is not this process's own.
        """
        if os.getpid() != self._owner:
            raise EngineForkedError.of(self.name)
        while not (self.answer.done() or (news and self.waiting)):
            remaining = self._remaining()
            if remaining is not None and remaining <= 0:
                return False
            waited: set[asyncio.Future[Any]] = {self.answer}
            if self._stopped is None:
                waited.add(self._stopping)
            if news:
                if self._news.done():
                    self._news = quiet_future()
                waited.add(self._news)
            await asyncio.wait(waited, timeout=remaining,
                               return_when=asyncio.FIRST_COMPLETED)
        return True

    def late(self) -> EngineTimeoutError:
        """What to raise where the answer is late."""
        after = "stop" if self._stopped is not None else go_line(self.limit)
        return EngineTimeoutError(f"{self.name}: no bestmove in time after {after}")

    def infos(self) -> tuple[Info, ...]:
        """The last infos with a score or line, the best action's first."""
        return tuple(info for _, info in sorted(self._best.items()))

    async def result(self) -> PlayResult:
        """Wait for the answer and read it; where the wait ends otherwise, stop the search.

        Raises EngineTimeoutError, IllegalActionError, or the end of the engine.
        """
        try:
            if not await self.wait():
                raise self.late()
        except BaseException:
            self.stop()
            raise
        words = self.answer.result().split()
        where = f"after {self.history.line[:2000]}"
        said = f" (it said: {self._said})" if self._said else ""
        if not words or words[0] == "(none)":
            raise IllegalActionError(f"{self.name}: bestmove (none) {where}{said}", "(none)")
        try:
            action = Action(words[0])
        except ActionError as error:
            raise IllegalActionError(f"{self.name}: bestmove {words[0][:100]} {where}: {error}",
                                     words[0]) from None
        if action not in self.actions:
            raise IllegalActionError(
                f"{self.name}: bestmove {action} is not legal {where}; legal are "
                f"{' '.join(map(str, self.actions))}{said}", words[0])
        return PlayResult(action, _ponder(words), self.infos())


def _now() -> float:
    return asyncio.get_running_loop().time()


def _ponder(words: Sequence[str]) -> Action | None:
    if len(words) > 2 and words[1] == "ponder":
        with suppress(ActionError):
            return Action(words[2])
    return None


class Analysis:
    """A search to watch: iterate over it for its infos as they come, to its end.

    As a context manager it is stopped at the end of the block.  Of infos that nobody reads
    the newest thousand are kept.
    """

    def __init__(self, search: RemoteSearch) -> None:
        self._search = search

    @property
    def infos(self) -> list[Info]:
        """The last infos with a score or line, the best action's first."""
        return list(self._search.infos())

    def stop(self) -> None:
        """Tell the engine to stop; what it still says can be read."""
        self._search.stop()

    async def wait(self) -> PlayResult:
        """Wait for its end; without a limit, that needs a ``stop``.  Raises as ``play``."""
        return await self._search.result()

    async def next(self) -> Info | None:
        """The next info, None at the end; raises EngineTerminatedError, EngineTimeoutError."""
        search = self._search
        if not await search.wait(news=True):
            search.stop()
            raise search.late()
        if search.waiting:
            return search.waiting.popleft()
        search.answer.result()
        return None

    async def __aiter__(self) -> AsyncIterator[Info]:
        while (info := await self.next()) is not None:
            yield info

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
