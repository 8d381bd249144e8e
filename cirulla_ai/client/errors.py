"""What can go wrong with an engine at the other end, each named for what it was."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from cirulla_ai.basics.errors import PortableError
from cirulla_ai.engine.options import OptionError

__all__ = [
    "EngineError",
    "EngineForkedError",
    "EngineOptionError",
    "EngineRefusedError",
    "EngineStartError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "IllegalActionError",
]


class EngineError(PortableError):
    """Anything that an engine did wrong, or that was asked of it wrongly."""


class EngineStartError(EngineError):
    """There is no such program, it can't be run, or it never said ``uciok``."""


class EngineForkedError(EngineError, RuntimeError):
    """The engine belongs to the process that this one was forked from."""

    @classmethod
    def of(cls, name: str) -> EngineForkedError:
        """The error for ``name``, an engine or a search of it."""
        return cls(f"{name} belongs to the process that this one was forked from; start another "
                   "here")


class EngineTimeoutError(EngineError):
    """The engine did not answer in time.  What it says later is thrown away."""


class EngineRefusedError(EngineError):
    """The engine answered ``info string error: …`` to a position or command."""


class EngineOptionError(EngineError, OptionError):
    """An option that the engine does not have, or a value that it does not take."""


class IllegalActionError(EngineError):
    """A ``bestmove`` that is not legal, not readable, or ``(none)``.

    ``text`` is what stood after ``bestmove``.
    """

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text


class EngineTerminatedError(EngineError):
    """The engine's process has ended, or was ended because it no longer answered.

    ``exit_code`` is that of the process, minus the signal's number where a signal ended
    it; ``stderr`` the last lines that it wrote to standard error.
    """

    def __init__(
        self, message: str, exit_code: int | None = None, stderr: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.stderr = tuple(stderr)

    @classmethod
    def of(
        cls, name: str, exit_code: int | None, stderr: Sequence[str], why_killed: str = "",
    ) -> EngineTerminatedError:
        """The error for engine ``name``, with the reason in words."""
        killed = f", killed because {why_killed}" if why_killed else ""
        last = f"; its last words: {stderr[-1]}" if stderr else ""
        return cls(f"{name} has ended with {exit_words(exit_code)}{killed}{last}",
                   exit_code, stderr)


def exit_words(exit_code: int | None) -> str:
    """An exit code in words, as ``exit code 3`` or ``signal SIGKILL``."""
    if exit_code is None:
        return "an unknown exit code"
    if exit_code >= 0:
        return f"exit code {exit_code}"
    try:
        return f"signal {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"signal {-exit_code}"
