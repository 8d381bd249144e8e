"""What the package can do without only in part, and how to get it."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from importlib import metadata

__all__ = ["how_to_get"]

PACKAGE = "cirulla-ai"
NAMED = re.compile(r"""(?P<what>[^;]+);.*\bextra\s*==\s*["'](?P<extra>[\w.-]+)["']""")
WHOLE = re.compile(rf"{PACKAGE}\[([\w,.-]+)\]")


def how_to_get(extra: str, library: str, error: ImportError | None = None) -> str:
    """What an extra needs, in words: the command that installs it for the Python that runs.

    It names the libraries, not the package, which may have come from anywhere; where the
    package was never installed and its extras are not known, the one that the ``error``
    misses, or else ``library``.
    """
    missing = ((error and error.name) or library).partition(".")[0]
    if missing == __name__.partition(".")[0]:
        missing = library
    try:
        needed = list(_libraries(extra)) or [missing]
    except metadata.PackageNotFoundError:
        needed = [missing]
    command = shlex.join([sys.executable or "python3", "-m", "pip", "install", *needed])
    return f"the extra {PACKAGE}[{extra}] is missing, {command} brings it"


def _libraries(extra: str) -> Iterator[str]:
    """What an extra names, without the package itself."""
    for requirement in metadata.requires(PACKAGE) or ():
        named = NAMED.fullmatch(requirement)
        if not named or named["extra"] != extra:
            continue
        what = named["what"].strip()
        if whole := WHOLE.fullmatch(what):
            for other in whole[1].split(","):
                yield from _libraries(other)
        else:
            yield what
