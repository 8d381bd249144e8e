"""What a terminal can show."""

from __future__ import annotations

import os
from typing import TextIO

__all__ = ["bold", "dim", "wants_colour"]


def wants_colour(stream: TextIO | None) -> bool:
    """Whether to use colours on this output; None: it was closed from the start."""
    return (stream is not None and stream.isatty() and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb")


def bold(text: str) -> str:
    """The text in a terminal's bold letters."""
    return f"\x1b[1m{text}\x1b[0m"


def dim(text: str) -> str:
    """The text in a terminal's faint letters."""
    return f"\x1b[2m{text}\x1b[0m"
