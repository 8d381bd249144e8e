"""Being told to end: SIGTERM and SIGHUP as an end in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType, TracebackType
from typing import Any

__all__ = ["EndedError", "Ending", "signals_put"]

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class EndedError(BaseException):
    """A signal has told this process to end.  Like KeyboardInterrupt, nobody's error."""


class Ending:
    """A context manager in which a signal to end raises EndedError in the main thread.

    The error, and whatever it leads to on its way out, ends at the block; ``signal`` then is
    which one it was.  A second signal does what it usually does.  A signal that is ignored
    or has a handler already, as under nohup, is left alone.
    """

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Ending:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                if signal.getsignal(number) is signal.SIG_DFL:
                    self._before[number] = signal.signal(number, self._end)
        return self

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.signal = signal.Signals(number)
        self._restore()
        raise EndedError(self.signal.name)

    def _restore(self) -> None:
        while self._before:
            signal.signal(*self._before.popitem())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        self._restore()
        return self.signal is not None


@contextmanager
def signals_put(put: Callable[[Callable[[], object]], None]) -> Iterator[None]:
    """Put signals to end, Ctrl-C among them, where work waits for what happens.

    Where a signal raises it may do so anywhere, with a lock just taken that is then never
    given back.  What is put is to be called where that is safe, and does what the signal would
    have done.  ``put`` must be safe in a signal's handler, as that of a SimpleQueue is.
    """
    before: dict[int, Any] = {}

    def handle(number: int, frame: FrameType | None) -> None:
        put(partial(before[number], number, frame))

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, *SIGNALS):
            # Neither ignored nor the system's own.
            if callable(handler := signal.getsignal(number)):
                before[number] = handler
                signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            # Unless what was called has given it up.
            if signal.getsignal(number) is handle:
                signal.signal(number, handler)
