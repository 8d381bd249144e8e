"""Threads that work side by side with the one that asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from types import TracebackType
from typing import TypeVar

__all__ = ["Crew"]

T = TypeVar("T")


class Crew:
    """As many of the ``wanted`` workers as the system has threads for; one is the caller.

    A context manager that sends them home.
    """

    def __init__(self, wanted: int) -> None:
        self._hired = ExitStack()
        # One thread each, which is there before anything is asked of it.
        self._others: list[ThreadPoolExecutor] = []
        try:
            while len(self) < wanted:
                other = ThreadPoolExecutor(1)
                other.submit(int)
                self._others.append(self._hired.enter_context(other))
        except (RuntimeError, MemoryError):
            # What the system refuses it will hardly give at once; those there are have to do.
            pass

    def __len__(self) -> int:
        return 1 + len(self._others)

    def map(self, work: Callable[[T], int], items: Sequence[T]) -> list[int]:
        """What ``work`` gives for each item, of which there are no more than workers."""
        under_way = [other.submit(work, item)
                     for other, item in zip(self._others, items[1:], strict=False)]
        return [work(items[0]), *(future.result() for future in under_way)]

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._hired.close()
