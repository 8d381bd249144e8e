"""A position as a picture that fits."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from cirulla_ai.state import State

__all__ = ["WIDTH", "picture"]

# Columns of whatever is printed.
WIDTH = 80
# Where the second line of many cards begins: below the first card.
INDENT = " " * 18


def picture(state: State) -> Iterator[str]:
    """The lines of ``State.pretty``, none wider than a terminal of eighty columns."""
    for line in state.pretty().splitlines():
        yield from wrap(line, WIDTH, subsequent_indent=INDENT)
