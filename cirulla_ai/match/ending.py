"""Being told to end: SIGTERM and SIGHUP as an end in order."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

__all__ = ["EndedError", "Ending"]

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
