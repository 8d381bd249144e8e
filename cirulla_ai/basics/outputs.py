"""Files that a command is to write: seen to be possible before hours of work, written whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["check_output", "why", "written_whole"]


def check_output(path: Path) -> None:
    """Raise ValueError for a file that could not be written."""
    place = path.resolve()
    if not place.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")
    if place.is_dir():
        raise ValueError(f"{path} is a folder, not a file")
    if not os.access(place if place.exists() else place.parent, os.W_OK):
        raise ValueError(f"{path} can't be written to")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A path to write to, which then becomes ``path``; where that fails nothing is left of it."""
    unfinished = path.with_name(f"{path.name}.tmp")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def why(error: OSError) -> str:
    """What the system refused, in words."""
    return str(error.strerror or error)
