"""The small text forms of records: clean words, quoted strings, braces, lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import given

__all__ = ["RecordError", "braced", "clean", "escape", "fill", "quoted", "shorten", "unescape"]

# Columns; a single longer word has a line of its own.
WIDTH = 80


class RecordError(PortableError, ValueError):
    """A record that can't be read or can't be.

    ``line`` is the line at fault, from 1, None where the record does not come from text;
    ``column`` the character in it, from 1, None where the record as a whole is at fault.
    """

    def __init__(
        self, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        where = "" if line is None else f"line {line}"
        if column is not None:
            where += f", column {column}"
        super().__init__(f"{where}: {message}" if where else message)
        self.line = line
        self.column = column


def clean(text: str) -> str:
    """Text as a record can hold it: any white space is one space, none at the ends.

    What UTF-8 can't encode becomes a question mark.  Raises TypeError for what is no text.

    >>> clean("  a bold\\n claim ")
    'a bold claim'
    """
    if not isinstance(text, str):
        raise TypeError(f"{given(text)} is no text")
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


def shorten(text: str, most: int = 60) -> str:
    """Text for an error message: quoted, and not too long."""
    return repr(text if len(text) <= most else text[:most] + "…")


def escape(text: str, special: str) -> str:
    """Text with a backslash before each backslash and each of the ``special`` characters."""
    return re.sub(f"[\\\\{re.escape(special)}]", r"\\\g<0>", text)


def braced(text: str) -> list[str]:
    """Text as a comment between braces, in words."""
    return f"{{{escape(text, '{}')}}}".split(" ")


def unescape(text: str, special: str) -> str:
    """Back from ``escape``; a backslash before anything else stays.

    >>> unescape(escape("a { b \\\\ c", "{}"), "{}")
    'a { b \\\\ c'
    """
    return re.sub(f"\\\\([\\\\{re.escape(special)}])", r"\1", text)


def quoted(text: str, first: int, indent: int) -> Iterator[str]:
    """A text as one or more quoted strings, a line each, that follow one another.

    The first line has room from column ``first`` on, the others from ``indent`` on, and all
    leave one column for a closing bracket.
    """
    start = first
    line = ""
    for letter in text:
        piece = escape(letter, '"')
        if start + 3 + len(line) + len(piece) > WIDTH:
            # Rather between words; a piece without a space is cut anywhere.
            space = line.rfind(" ") + 1
            kept, line = (line[:space], line[space:]) if space else (line, "")
            yield f'"{kept}"'
            start = indent
        line += piece
    yield f'"{line}"'


def fill(words: Iterable[str], first: str, indent: str) -> Iterator[str]:
    """Words as lines that start with ``first``, then ``indent``.

    A word with spaces is kept together.
    """
    line, empty = first, True
    for word in words:
        if not empty and len(line) + 1 + len(word) > WIDTH:
            yield line
            line, empty = indent, True
        line += word if empty else f" {word}"
        empty = False
    if not empty:
        yield line
