"""How far long work is, on a terminal."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Bar"]

Self = TypeVar("Self", bound="Bar")


class Bar:
    """A bar on standard error where that is a terminal, and ``rich`` is installed; else nothing.

    A context manager.  Work does not end because nobody can be told how it goes.
    """

    def __init__(self, total: int, done: int = 0) -> None:
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        if sys.stderr is None or not sys.stderr.isatty():
            return
        with suppress(ImportError):
            self._bar = _bar()
            self._task = self._bar.add_task("", total=total, completed=done)

    @property
    def is_seen(self) -> bool:
        """Whether it is drawn."""
        return self._bar is not None

    def show(self, done: int, text: str = "") -> None:
        """How much is done, and what there is to say of it."""
        if self._bar is not None and self._task is not None:
            with suppress(OSError):
                self._bar.update(self._task, completed=done, description=text)

    def say(self, text: str) -> None:
        """A line for the user, above the bar; also where there is none."""
        with suppress(OSError):
            if self._bar is not None:
                self._bar.console.print(text)
            else:
                print(text, file=sys.stderr, flush=True)

    def __enter__(self: Self) -> Self:
        if self._bar is not None:
            with suppress(OSError):
                self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bar is not None:
            with suppress(OSError):
                self._bar.stop()


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    # Names are the user's own, and no markup.
    console = Console(stderr=True, markup=False, emoji=False)
    return Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TimeRemainingColumn(), console=console,
        disable=not console.is_terminal)
