"""The front end's end of the line protocol: engines in other processes, over asyncio.

``popen`` starts an engine and gives an ``EngineProtocol``; ``SimpleEngine`` is the same
without asyncio, ``InProcessEngine`` the same without a process.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Mapping, Sequence
from math import inf
from types import MappingProxyType, TracebackType

from cirulla_ai.action import Action
from cirulla_ai.basics.numbers import real
from cirulla_ai.client.announced import AnnouncedOptions, parse_option
from cirulla_ai.client.connection import Command, Connection
from cirulla_ai.client.errors import (
    EngineError,
    EngineForkedError,
    EngineOptionError,
    EngineRefusedError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    IllegalActionError,
)
from cirulla_ai.client.remote import (
    Analysis,
    Patience,
    PlayResult,
    RemoteSearch,
    go_line,
    quiet_future,
)
from cirulla_ai.client.settings import Settings, Texts
from cirulla_ai.engine.limit import Limit, check_limit
from cirulla_ai.engine.options import EngineOption, Value
from cirulla_ai.history import History
from cirulla_ai.info import Info, Score, Wdl, parse_info
from cirulla_ai.state import State

__all__ = [
    "Analysis",
    "EngineError",
    "EngineForkedError",
    "EngineOptionError",
    "EngineProtocol",
    "EngineRefusedError",
    "EngineStartError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "History",
    "IllegalActionError",
    "Info",
    "Limit",
    "PlayResult",
    "Score",
    "Wdl",
    "popen",
]

LOGGER = logging.getLogger(__name__)

# Of a chatty or endless talker no more is kept.
MAX_OPTIONS = 1000
MAX_ERRORS = 20
MAX_WARNINGS = 10


async def popen(
    command: Command,
    *,
    timeout: float = 10.0,
    grace: float = 2.0,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> EngineProtocol:
    """Start an engine and shake hands with it.

    ``command`` is a program, or its words; nothing goes through a shell.  ``timeout`` and
    ``grace`` are those of the EngineProtocol, in seconds.

    Raises EngineStartError where there is no such program or it says no ``uciok`` in time,
    EngineTerminatedError where it ends before it does.
    """
    engine = EngineProtocol(timeout=timeout, grace=grace)
    await engine.start(command, cwd=cwd, env=env)
    return engine


class EngineProtocol:
    """An engine in a process of its own.  Made by ``popen``; a context manager that closes it.

    ``timeout`` is how many seconds an answer may take, a search's after its limit; of a
    search limited by nodes alone, how long it may be silent.  ``grace`` is how many seconds
    an engine that was told to stop or to leave has for it, before it is killed.

    Methods raise EngineTerminatedError once the process is gone, EngineTimeoutError where
    an answer is late.  A late answer is thrown away: the next call first brings the engine
    back in step, or ends it where it doesn't come.  So does a call that was cancelled.

    In a process forked from the one that started it they raise EngineForkedError; ``close``
    does nothing there.
    """

    def __init__(self, *, timeout: float = 10.0, grace: float = 2.0) -> None:
        self.timeout = real(timeout, 0, inf, "timeout")
        self.grace = real(grace, 0, inf, "grace")
        self._id: dict[str, str] = {}
        self._announced: list[EngineOption] = []
        self._settings = Settings(AnnouncedOptions())
        self._uciok: asyncio.Future[None] | None = None
        self._pings: deque[asyncio.Future[None]] = deque()
        self._search: RemoteSearch | None = None
        self._errors: deque[str] = deque(maxlen=MAX_ERRORS)
        self._lock = asyncio.Lock()
        self._warnings = 0

    # --- its life -----------------------------------------------------------------------

    async def start(
        self,
        command: Command,
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Start the process and shake hands; ``popen`` does."""
        self._connection = await Connection.open(
            command, self._take, self._end, cwd=cwd, env=env)
        try:
            uciok = self._uciok = quiet_future()
            self._connection.send("uci")
            await asyncio.wait([uciok], timeout=self.timeout)
            if not uciok.done():
                raise EngineStartError(f"{self.name}: no uciok within {self.timeout:g} s of uci")
            uciok.result()
            self._settings = Settings(AnnouncedOptions(self._announced))
            self._uciok = None
        except BaseException:
            await self.kill()
            raise

    @property
    def name(self) -> str:
        """What the engine calls itself, or its program's name."""
        return self._id.get("name", self._connection.name)

    @property
    def id(self) -> Mapping[str, str]:
        """``name`` and ``author``, as far as it said."""
        return MappingProxyType(self._id)

    @property
    def options(self) -> AnnouncedOptions:
        """The options that it announced, by name."""
        return self._settings.options

    @property
    def pid(self) -> int:
        """Its process's number."""
        return self._connection.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code of its process (minus a signal's number), None while it runs."""
        return self._connection.exit_code

    async def quit(self) -> int:
        """Ask it to leave and wait until it has; its exit code.

        Raises EngineTimeoutError where it had to be killed after ``grace`` seconds,
        EngineTerminatedError where it was gone before.
        """
        self._check_alive()
        self._connection.send("quit")
        if not await self._connection.end(self.grace):
            raise EngineTimeoutError(
                f"{self.name}: still there {self.grace:g} s after quit; it was killed")
        return self._connection.exit_code or 0

    async def close(self) -> None:
        """As ``quit``, whatever state it is in; never raises, may be called again."""
        if self._connection.is_ours and not self._connection.ended.is_set():
            try:
                self._connection.send("quit")
                await self._connection.end(self.grace)
            finally:
                self._connection.kill()

    async def kill(self, why: str = "") -> None:
        """End the process at once; ``why`` is for the errors of later calls."""
        if self._connection.is_ours:
            self._connection.kill(why)
            await self._connection.wait(self.grace)

    async def __aenter__(self) -> EngineProtocol:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    # --- what it says -------------------------------------------------------------------

    def _take(self, line: str) -> None:
        """One line of the engine.  Never raises: an engine may say anything."""
        word, rest = [*line.split(None, 1), "", ""][:2]
        if word == "info":
            self._take_info(line)
        elif word == "bestmove":
            if self._search is None:
                self._warn(f"a bestmove that nothing asked for: {line[:100]!r}")
            else:
                search, self._search = self._search, None
                search.answer.set_result(rest)
        elif word == "readyok":
            if self._pings:
                ping = self._pings.popleft()
                if not ping.done():
                    ping.set_result(None)
        elif self._uciok is not None and word in ("id", "option", "uciok"):
            self._take_handshake(word, rest, line)
        elif word not in ("", "id", "option", "uciok", "registration", "copyprotection"):
            self._warn(f"not a line of the protocol: {line[:100]!r}")

    def _take_info(self, line: str) -> None:
        info = parse_info(line)
        if info.string is not None and info.string.lower().startswith("error:"):
            self._errors.append(info.string[len("error:"):].strip())
        if self._search is not None:
            self._search.take(info)

    def _take_handshake(self, word: str, rest: str, line: str) -> None:
        if word == "id":
            key, value = [*rest.split(None, 1), "", ""][:2]
            if key in ("name", "author"):
                self._id[key] = value.strip()
        elif word == "uciok":
            if self._uciok is not None and not self._uciok.done():
                self._uciok.set_result(None)
        elif len(self._announced) < MAX_OPTIONS:
            try:
                self._announced.append(parse_option(line))
            except ValueError as error:
                self._warn(str(error))

    def _warn(self, message: str) -> None:
        """Log garbage, the first times as a warning, lest it fill the owner's log."""
        self._warnings += 1
        level = logging.WARNING if self._warnings <= MAX_WARNINGS else logging.DEBUG
        LOGGER.log(level, "%s: %s", self.name, message)

    def _end(self) -> None:
        """The process is gone."""
        waiting: list[asyncio.Future[None] | asyncio.Future[str] | None] = [
            self._uciok, *self._pings, self._search.answer if self._search else None]
        self._pings.clear()
        self._search = None
        for future in waiting:
            if future is not None and not future.done():
                future.set_exception(self._connection.error())

    # --- being in step ------------------------------------------------------------------

    def _check_alive(self) -> None:
        self._connection.check_ours()
        if self._connection.ended.is_set():
            raise self._connection.error()

    async def ping(self) -> None:
        """``isready``, and wait for ``readyok``; also while it searches."""
        self._check_alive()
        ready = quiet_future()
        self._pings.append(ready)
        self._connection.send("isready")
        await asyncio.wait([ready], timeout=self.timeout)
        if not ready.done():
            # Its place in the queue stays: a late readyok is this one's, not the next one's.
            raise EngineTimeoutError(
                f"{self.name}: no readyok within {self.timeout:g} s of isready")
        ready.result()

    async def _settle(self) -> None:
        """Be in step: no search runs, no answer is under way."""
        self._check_alive()
        search = self._search
        if search is None:
            return
        search.stop()
        if not await search.wait():
            await self.kill("it did not stop")
            raise EngineTimeoutError(
                f"{self.name}: no bestmove within {self.grace:g} s of stop; it was killed")
        self._check_alive()

    # --- what is asked of it ------------------------------------------------------------

    async def new_game(self) -> None:
        """``ucinewgame``: what comes next has nothing to do with what was before."""
        async with self._lock:
            await self._settle()
            self._connection.send("ucinewgame")
            await self.ping()

    async def configure(self, options: Mapping[str, Value | None]) -> None:
        """Set options; None for a button.

        All are checked against what the engine announced before any is sent.  Raises
        EngineOptionError for an unknown name, a value that it does not take, or one that
        the engine then refuses.
        """
        texts = self._settings.texts(options)
        async with self._lock:
            await self._settle()
            await self._set(texts, usual=True)

    async def _set(self, texts: Texts, *, usual: bool) -> None:
        self._errors.clear()
        for line in self._settings.lines(texts):
            self._connection.send(line)
        await self.ping()
        if self._errors:
            raise EngineOptionError(f"{self.name}: {'; '.join(self._errors)}")
        self._settings.took(texts, usual=usual)

    async def prepare(self, position: State | History) -> None:
        """Tell it a position and wait until it is ready to decide there.

        ``play`` does this by itself; done before, setting up is no part of its time.  Raises
        EngineRefusedError where the engine does not take the position.
        """
        history = History.of(position)
        async with self._lock:
            await self._settle()
            await self._tell(history)

    async def _tell(self, history: History) -> None:
        self._errors.clear()
        self._connection.send(history.line)
        # So that a refusal is known before the go that it would mislead.
        await self.ping()
        if self._errors:
            raise EngineRefusedError(
                f"{self.name} refused {history.line[:2000]}: {'; '.join(self._errors)}")

    async def play(
        self,
        position: State | History,
        limit: Limit,
        *,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> PlayResult:
        """What the engine plays.

        ``position`` is sent as it is: give the engine a view, of the whole smazzata where
        possible (``History.view``).  ``actions`` are those to choose from (all); ``timeout``
        seconds for the whole answer, where it is not to follow from the limit.

        Raises IllegalActionError for an answer that is not legal, EngineRefusedError where
        the engine does not take the position, ValueError where there is nothing to decide,
        an action is not legal, or the limit never ends a search.
        """
        return await self._finish(position, limit, actions, None, timeout)

    async def analyse(
        self,
        position: State | History,
        limit: Limit,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> list[Info]:
        """What the engine thinks of the best ``multipv`` actions, the best first.

        Otherwise as ``play``.
        """
        result = await self._finish(position, limit, actions, multipv, timeout)
        return list(result.infos)

    async def _finish(
        self, position: State | History, limit: Limit, actions: Sequence[Action | str] | None,
        multipv: int | None, timeout: float | None,
    ) -> PlayResult:
        check_limit(limit)
        if limit.is_infinite:
            raise ValueError(f"{limit} never ends a search; use analysis, and stop it")
        async with self._lock:
            search = await self._go(position, limit, actions, multipv, timeout)
            return await search.result()

    async def analysis(
        self,
        position: State | History,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
    ) -> Analysis:
        """Start a search, with ``limit`` or until it is stopped, and watch it.

        Otherwise as ``play``.  Any other call but ``ping`` stops it first.
        """
        async with self._lock:
            search = await self._go(
                position, Limit() if limit is None else limit, actions, multipv, None)
        return Analysis(search)

    async def _go(
        self, position: State | History, limit: Limit, actions: Sequence[Action | str] | None,
        multipv: int | None, timeout: float | None,
    ) -> RemoteSearch:
        check_limit(limit)
        history = History.of(position)
        choices = history.choices(actions)
        texts = self._settings.for_lines(multipv)
        await self._settle()
        if texts:
            await self._set(texts, usual=False)
        await self._tell(history)
        self._connection.send(go_line(limit, None if actions is None else choices))
        self._search = RemoteSearch(
            self.name, history, limit, choices,
            Patience(self.timeout, self.grace, timeout), lambda: self._connection.send("stop"))
        return self._search
