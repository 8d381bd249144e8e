"""Numbers on the command line: what ``argparse`` takes as the ``type`` of an argument."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import TypeVar

from cirulla_ai.basics.numbers import real_number, whole_number

__all__ = ["real_in", "whole_in"]

T = TypeVar("T")


def whole_in(low: int, high: int) -> Callable[[str], int]:
    """A whole number in ``low`` … ``high``."""
    return _named(lambda text: whole_number(text, low, high))


def real_in(low: float, high: float) -> Callable[[str], float]:
    """A number in ``low`` … ``high``."""
    return _named(lambda text: real_number(text, low, high))


def _named(read: Callable[[str], T]) -> Callable[[str], T]:
    def number(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            # Of any other error argparse keeps the type's name alone.
            raise ArgumentTypeError(str(error)) from None

    return number
