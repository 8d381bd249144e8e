"""Numbers from whatever is given for one: values of any library, and text.

All that takes a number reads it here, so that what is one is the same everywhere: an
integer is what says that it is one (``__index__``), whoever's it is; a bool is none.
"""

from __future__ import annotations

import re
from math import isinf, isnan, nan
from numbers import Real
from operator import index
from typing import SupportsIndex

__all__ = ["MAX_SEED", "as_index", "given", "real", "real_number", "whole", "whole_number"]

MAX_SEED = 2**64 - 1
# Longer texts are no numbers that anything takes, and int() would refuse the longest.
DIGITS = re.compile(r"[0-9]{1,30}")
SIGNED = re.compile(r"[+-]?[0-9]{1,30}")
DECIMAL = re.compile(
    r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?")


def given(value: object, most: int = 60) -> str:
    """A value for an error message: as Python writes it, and not too long."""
    try:
        text = repr(value)
    except ValueError:
        # An integer of more digits than Python writes.
        text = f"a {type(value).__name__} of thousands of digits"
    return text if len(text) <= most else f"{text[:most]}…"


def whole(value: object, low: int, high: int, name: str = "") -> int:
    """``value`` as an int; raises ValueError where it is no whole number in ``low`` … ``high``.

    ``name`` begins the message.

    >>> whole(3, 0, 9)
    3
    >>> whole(True, 0, 9, "seat")
    Traceback (most recent call last):
        ...
    ValueError: seat True is not a whole number in 0 … 9
    """
    number = as_index(value)
    if number is not None and low <= number <= high:
        return number
    raise _refusal(value, number, "a whole number", f"{low} … {high}", name)


def real(value: object, low: float, high: float, name: str = "") -> float:
    """``value`` as an int or a float; raises ValueError where it is no number in
    ``low`` … ``high``, which may be infinite.  NaN never is.

    >>> real(float("nan"), 0, 9, "margin")
    Traceback (most recent call last):
        ...
    ValueError: margin nan is not a number in 0 … 9
    """
    number: float | None = as_index(value)
    if number is None and isinstance(value, Real) and not isinstance(value, bool):
        number = value  # type: ignore[assignment]
    try:
        # All that floats can't hold is refused, integers too.
        near = nan if number is None else float(number)
    except OverflowError:
        near = nan
    if low <= near <= high:
        return number if isinstance(number, int) else near
    range_ = "" if isinf(low) and isinf(high) else f"{low:g} … {high:g}"
    raise _refusal(value, None if isnan(near) else near, "a number", range_, name)


def whole_number(
    text: str, low: int = 0, high: int | None = None, *, signed: bool = False
) -> int:
    """A plain decimal number; ValueError for blanks, underscores, other scripts' digits and
    the like, and for what is not in ``low`` … ``high``.

    ``signed``: a sign may stand before it, which is so wherever numbers can be negative.
    """
    number = int(text) if (SIGNED if signed else DIGITS).fullmatch(text) else None
    if number is not None and low <= number and (high is None or number <= high):
        return number
    raise _refusal(text, number, "a whole number", "" if high is None else f"{low} … {high}")


def real_number(text: str, low: float, high: float) -> float:
    """A decimal number, perhaps with an exponent, in ``low`` … ``high``; ValueError as
    ``whole_number``.

    >>> real_number("1e3", 0, 5000)
    1000.0
    """
    number = float(text) if DECIMAL.fullmatch(text) else None
    if number is not None and low <= number <= high:
        return number
    raise _refusal(text, number, "a number", f"{low:g} … {high:g}")


def as_index(value: object) -> int | None:
    """``value`` as an int where it is a whole number, of any library; None where not."""
    # Nearly always, and what comes next takes its time.
    if type(value) is int:
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    # Older NumPys take their bools for an index.
    if getattr(getattr(value, "dtype", None), "kind", "") == "b":
        return None
    try:
        return index(value)
    except TypeError:
        # An array of several, for one.
        return None


def _refusal(
    value: object, number: float | None, what: str, range_: str, name: str = ""
) -> ValueError:
    """What was given, and what would be right; ``number``: what it is, out of range."""
    if number is None:
        what += f" in {range_}" if range_ else ""
        return ValueError(f"{name} {given(value)} is not {what}".lstrip())
    text = value if isinstance(value, str) else given(number)
    return ValueError(f"{name} {text} is not in {range_}".lstrip())
