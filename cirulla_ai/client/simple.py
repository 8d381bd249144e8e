"""Engines without asyncio: one shape for those in other processes and in this one."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from cirulla_ai.action import Action
from cirulla_ai.basics.waits import result_of
from cirulla_ai.client.announced import AnnouncedOptions
from cirulla_ai.client.connection import Command, new_loop
from cirulla_ai.client.engine_protocol import EngineProtocol, popen
from cirulla_ai.client.errors import EngineForkedError, EngineStartError, EngineTerminatedError
from cirulla_ai.client.remote import Analysis, PlayResult
from cirulla_ai.engine.limit import Limit
from cirulla_ai.engine.options import Value
from cirulla_ai.history import History
from cirulla_ai.info import Info
from cirulla_ai.state import State

__all__ = ["AnyEngine", "SimpleAnalysis", "SimpleEngine"]

T = TypeVar("T")
Self = TypeVar("Self", bound="AnyEngine")


class SimpleAnalysis(ABC):
    """A search to watch: iterate over it for its infos as they come, to its end.

    As a context manager it is stopped at the end of the block.  Of infos that nobody reads
    the newest thousand are kept.
    """

    @property
    @abstractmethod
    def infos(self) -> list[Info]:
        """The last infos with a score or line, the best action's first."""

    @abstractmethod
    def stop(self) -> None:
        """Tell the engine to stop; what it still says can be read."""

    @abstractmethod
    def wait(self) -> PlayResult:
        """Wait for its end; without a limit, that needs a ``stop``.  Raises as ``play``."""

    @abstractmethod
    def next(self) -> Info | None:
        """The next info, None at the end; raises EngineTerminatedError, EngineTimeoutError."""

    def __iter__(self) -> Iterator[Info]:
        while (info := self.next()) is not None:
            yield info

    def __enter__(self) -> SimpleAnalysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()


class AnyEngine(ABC):
    """What SimpleEngine and InProcessEngine have in common: write front ends against it.

    A context manager that closes the engine.  Errors are those of EngineProtocol, whose
    methods these are, each waited for.  One call at a time, but for ``stop`` of an analysis.
    """

    @property
    @abstractmethod
    def id(self) -> Mapping[str, str]:
        """``name`` and ``author``, as far as the engine says."""

    @property
    @abstractmethod
    def options(self) -> AnnouncedOptions:
        """The options that it has, by name."""

    @abstractmethod
    def configure(self, options: Mapping[str, Value | None]) -> None:
        """Set options; None for a button.

        Raises EngineOptionError for an unknown name, a value that the option does not take,
        or one that the engine then refuses.
        """

    @abstractmethod
    def ping(self) -> None:
        """Return when the engine has done all that was asked of it."""

    @abstractmethod
    def new_game(self) -> None:
        """What comes next has nothing to do with what was before."""

    @abstractmethod
    def prepare(self, position: State | History) -> None:
        """Let it get ready for a position, which is then no part of the time of ``play``."""

    @abstractmethod
    def play(
        self,
        position: State | History,
        limit: Limit,
        *,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> PlayResult:
        """What the engine plays, as EngineProtocol.play says."""

    @abstractmethod
    def analyse(
        self,
        position: State | History,
        limit: Limit,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> list[Info]:
        """What the engine thinks of the best ``multipv`` actions, the best first."""

    @abstractmethod
    def analysis(
        self,
        position: State | History,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
    ) -> SimpleAnalysis:
        """Start a search, with ``limit`` or until it is stopped, and watch it."""

    @abstractmethod
    def quit(self) -> int:
        """Ask it to leave and wait until it has; its exit code."""

    @abstractmethod
    def close(self) -> None:
        """As ``quit``, whatever state it is in; never raises, may be called again."""

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class _Loop:
    """An event loop in a thread of its own, for one engine.

    In a process forked from the one that made it there is no such thread: ``call`` raises
    EngineForkedError there, and ``stop`` does nothing.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._loop = new_loop()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        try:
            self._thread.start()
        except (RuntimeError, MemoryError) as error:
            self._loop.close()
            raise EngineStartError(f"no thread to speak with an engine: {error}") from None

    def _run(self) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        finally:
            loop.close()

    @property
    def is_ours(self) -> bool:
        """Whether it was made in this process, not in one that this was forked from."""
        return os.getpid() == self._owner

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` in the loop and wait; where the wait is broken off, so is the work."""
        if not self.is_ours:
            work.close()
            raise EngineForkedError.of("the engine")
        if self._loop.is_closed():
            work.close()
            raise EngineTerminatedError("the engine was closed")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return result_of(future)
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        """End the loop, and the thread with it."""
        if not self.is_ours:
            return
        if threading.current_thread() is self._thread:
            self._loop.stop()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()


class SimpleEngine(AnyEngine):
    """An engine in a process of its own, without asyncio.  Made by ``SimpleEngine.popen``.

    The process ends with ``quit`` or ``close``, with the ``with`` block, when the object is
    forgotten, and with the process that started it, whatever ends that.  In a process forked
    from it every call raises EngineForkedError but ``close``, which leaves the engine alone.
    """

    def __init__(self, engine: EngineProtocol, loop: _Loop) -> None:
        self.protocol = engine
        self._loop = loop
        self._finalizer = weakref.finalize(self, _drop, engine, loop)

    @classmethod
    def popen(
        cls,
        command: Command,
        *,
        timeout: float = 10.0,
        grace: float = 2.0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> SimpleEngine:
        """Start an engine and shake hands with it.

        ``command`` is a program, or its words; nothing goes through a shell.  ``timeout``
        is how many seconds an answer may take, a search's after its limit; of a search
        limited by nodes alone, how long it may be silent.  ``grace`` is how many seconds an
        engine that was told to stop or to leave has for it, before it is killed.

        Raises EngineStartError where there is no such program or it says no ``uciok`` in
        time, EngineTerminatedError where it ends before it does.
        """
        loop = _Loop()
        try:
            engine = loop.call(popen(command, timeout=timeout, grace=grace, cwd=cwd, env=env))
        except BaseException:
            loop.stop()
            raise
        return cls(engine, loop)

    @property
    def id(self) -> Mapping[str, str]:
        return self.protocol.id

    @property
    def options(self) -> AnnouncedOptions:
        return self.protocol.options

    def configure(self, options: Mapping[str, Value | None]) -> None:
        self._loop.call(self.protocol.configure(options))

    def ping(self) -> None:
        self._loop.call(self.protocol.ping())

    def new_game(self) -> None:
        self._loop.call(self.protocol.new_game())

    def prepare(self, position: State | History) -> None:
        self._loop.call(self.protocol.prepare(position))

    def play(
        self,
        position: State | History,
        limit: Limit,
        *,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> PlayResult:
        return self._loop.call(
            self.protocol.play(position, limit, actions=actions, timeout=timeout))

    def analyse(
        self,
        position: State | History,
        limit: Limit,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> list[Info]:
        return self._loop.call(self.protocol.analyse(
            position, limit, multipv=multipv, actions=actions, timeout=timeout))

    def analysis(
        self,
        position: State | History,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
    ) -> SimpleAnalysis:
        return _RemoteAnalysis(self, self._loop, self._loop.call(
            self.protocol.analysis(position, limit, multipv=multipv, actions=actions)))

    def quit(self) -> int:
        try:
            return self._loop.call(self.protocol.quit())
        finally:
            self.close()

    def close(self) -> None:
        if self._finalizer.detach() and self._loop.is_ours:
            try:
                self._loop.call(self.protocol.close())
            finally:
                self._loop.stop()


def _drop(engine: EngineProtocol, loop: _Loop) -> None:
    """End the process at once where it still runs, then the loop."""
    if not loop.is_ours:
        return
    try:
        loop.call(engine.kill())
    finally:
        loop.stop()


class _RemoteAnalysis(SimpleAnalysis):
    """An Analysis, each call of it waited for."""

    def __init__(self, owner: SimpleEngine, loop: _Loop, analysis: Analysis) -> None:
        # Keeps the engine alive for as long as somebody watches it.
        self._owner = owner
        self._loop = loop
        self._analysis = analysis

    @property
    def infos(self) -> list[Info]:
        return self._loop.call(self._infos())

    async def _infos(self) -> list[Info]:
        return self._analysis.infos

    def stop(self) -> None:
        with suppress(EngineTerminatedError, EngineForkedError):
            self._loop.call(self._stop())

    async def _stop(self) -> None:
        self._analysis.stop()

    def wait(self) -> PlayResult:
        return self._loop.call(self._analysis.wait())

    def next(self) -> Info | None:
        return self._loop.call(self._analysis.next())
