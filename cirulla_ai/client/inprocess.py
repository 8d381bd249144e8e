"""This package's engine behind the same calls as one in another process."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from types import MappingProxyType

from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.basics.waits import wait_for
from cirulla_ai.client.announced import AnnouncedOptions
from cirulla_ai.client.errors import EngineForkedError, EngineOptionError, EngineTimeoutError
from cirulla_ai.client.remote import MAX_WAITING, PlayResult, go_line
from cirulla_ai.client.simple import AnyEngine, SimpleAnalysis
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit, check_limit
from cirulla_ai.engine.options import OPTIONS, OptionError, Value
from cirulla_ai.history import History
from cirulla_ai.info import Info
from cirulla_ai.state import State
from cirulla_ai.version import FULL_NAME

__all__ = ["InProcessEngine"]


class InProcessEngine(AnyEngine):
    """The engine in this process: no pipes, no start-up, nothing to time out.

    With one seed and ``nodes`` it answers as the one at the other end of a pipe does.  After
    a fork both processes go on with an engine of their own; an analysis stays with the one
    that began it, and raises EngineForkedError in the other.

    >>> with InProcessEngine() as engine:
    ...     engine.configure({"Seed": 1})
    ...     state = State.deal("cirulla", dealer=1, seed=7).view(0)
    ...     result = engine.play(state, Limit(nodes=500))
    >>> result.action in state.legal_actions(), result.infos[0].nodes
    (True, 500)
    """

    def __init__(self) -> None:
        self._engine = Engine()
        self._options = AnnouncedOptions(OPTIONS.values())
        self._feed: _Feed | None = None

    @property
    def id(self) -> Mapping[str, str]:
        return MappingProxyType({
            "name": FULL_NAME, "author": "the cirulla-ai developers"})

    @property
    def options(self) -> AnnouncedOptions:
        return self._options

    def configure(self, options: Mapping[str, Value | None]) -> None:
        self.close()
        texts = {name: self._options.text(name, value) for name, value in options.items()}
        for name, text in texts.items():
            try:
                self._engine.set(name, text)
            except OptionError as error:
                raise EngineOptionError(str(error)) from None

    def ping(self) -> None:
        """Return at once: nothing is ever under way."""

    def new_game(self) -> None:
        self.close()

    def prepare(self, position: State | History) -> None:
        self._engine.prepare_for(History.of(position).state)

    def play(
        self,
        position: State | History,
        limit: Limit,
        *,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> PlayResult:
        return self._finish(position, limit, None, actions, timeout)

    def analyse(
        self,
        position: State | History,
        limit: Limit,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
        timeout: float | None = None,
    ) -> list[Info]:
        return list(self._finish(position, limit, multipv, actions, timeout).infos)

    def _finish(
        self, position: State | History, limit: Limit, multipv: int | None,
        actions: Sequence[Action | str] | None, timeout: float | None,
    ) -> PlayResult:
        check_limit(limit)
        if limit.is_infinite:
            raise ValueError(f"{limit} never ends a search; use analysis, and stop it")
        stop = Stop()
        pulse = None
        timer = threading.Timer(timeout or 0, stop.set)
        timer.daemon = True
        if timeout is not None:
            end = monotonic() + timeout
            try:
                timer.start()
            except (RuntimeError, MemoryError):
                # Without a thread to do it the search looks at the clock itself.
                def pulse() -> None:
                    if monotonic() >= end:
                        stop.set()
        try:
            *_, last = self._search(position, limit, multipv, actions, stop, pulse)
        finally:
            timer.cancel()
        if stop.is_set():
            raise EngineTimeoutError(f"no answer within {timeout:g} s after {go_line(limit)}")
        return _result(last)

    def analysis(
        self,
        position: State | History,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        actions: Sequence[Action | str] | None = None,
    ) -> SimpleAnalysis:
        stop = Stop()
        limit = Limit() if limit is None else limit
        reports = self._search(position, limit, multipv, actions, stop)
        self._feed = _Feed(reports, stop, is_endless=limit.is_infinite)
        return _Analysis(self, self._feed)

    def _search(
        self, position: State | History, limit: Limit, multipv: int | None,
        actions: Sequence[Action | str] | None, stop: Stop, pulse: Callable[[], None] | None = None,
    ) -> Iterator[Info]:
        history = History.of(position)
        history.choices(actions)
        self.close()
        engine = Engine(self._engine.options.copy())
        if multipv is not None:
            engine.set("MultiPV", self._options.text("MultiPV", multipv))
            engine.set("MultiPV", self._options.text("MultiPV", multipv))
        return engine.search(history, limit, actions=actions, stop=stop, pulse=pulse)

    def quit(self) -> int:
        self.close()
        return 0

    def close(self) -> None:
        if self._feed:
            self._feed.stop()
            self._feed = None

    def __del__(self) -> None:
        self.close()


def _spoken(report: Info) -> list[Info]:
    """What an engine at the other end of a pipe would be remembered by."""
    return [info for info in report.apart() if info.pv]


def _result(report: Info) -> PlayResult:
    pv = report.pv
    return PlayResult(pv[0], pv[1] if len(pv) > 1 else None, tuple(_spoken(report)))


class _Feed:
    """A search in a thread.  An endless one is not over before it is stopped.

    In a process forked from its own there is no such thread, and its lock may be held for ever.
    """

    def __init__(self, reports: Iterator[Info], stop: Stop, *, is_endless: bool) -> None:
        self.waiting: deque[Info] = deque(maxlen=MAX_WAITING)
        self.changed = threading.Condition()
        self.last: Info | None = None
        self.error: Exception | None = None
        self.is_over = False
        self._owner = os.getpid()
        self._reports = reports
        self._stop = stop
        self._is_endless = is_endless
        threading.Thread(target=self._run, name="analysis", daemon=True).start()

    def _run(self) -> None:
        try:
            for report in self._reports:
                with self.changed:
                    self.last = report
                    self.waiting.extend(report.apart())
                    self.changed.notify_all()
        except Exception as error:
            self.error = error
        with self.changed:
            while self._is_endless and not self._stop.is_set():
                self.changed.wait()
            self.is_over = True
            self.changed.notify_all()

    def check_ours(self) -> None:
        """Raise EngineForkedError in a process forked from the one that has begun it."""
        if os.getpid() != self._owner:
            raise EngineForkedError.of("the analysis")

    def stop(self) -> None:
        """End the search soon."""
        if os.getpid() != self._owner:
            return
        with self.changed:
            self._stop.set()
            self.changed.notify_all()


class _Analysis(SimpleAnalysis):
    """What a feed brings."""

    def __init__(self, owner: InProcessEngine, feed: _Feed) -> None:
        # The engine ends its search where it is forgotten; not while somebody watches it.
        self._owner = owner
        self._feed = feed

    @property
    def infos(self) -> list[Info]:
        last = self._feed.last
        return [] if last is None else _spoken(last)

    def stop(self) -> None:
        self._feed.stop()

    def wait(self) -> PlayResult:
        feed = self._feed
        feed.check_ours()
        with feed.changed:
            wait_for(feed.changed, lambda: feed.is_over)
        if feed.error:
            raise feed.error
        assert feed.last is not None
        return _result(feed.last)

    def next(self) -> Info | None:
        feed = self._feed
        feed.check_ours()
        with feed.changed:
            wait_for(feed.changed, lambda: feed.is_over or feed.waiting)
            if feed.waiting:
                return feed.waiting.popleft()
        if feed.error:
            raise feed.error
        return None
