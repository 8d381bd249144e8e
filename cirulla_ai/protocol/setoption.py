"""The ``setoption`` command."""

from __future__ import annotations

import re

__all__ = ["parse_setoption"]

NAME = re.compile(r"\s*name(?=\s|$)", re.IGNORECASE)
# The end of the name; one blank parts the value from its word.
VALUE = re.compile(r"(?<=\s)value(?:\s|$)", re.IGNORECASE)


def parse_setoption(text: str) -> tuple[str, str | None]:
    """The name and the value in what comes after ``setoption``; None without a value.

    The value is the rest of the line as it was sent, blanks and all.  Raises ValueError.

    >>> parse_setoption(" name Debug Log File value /a  b/value \\r\\n")
    ('Debug Log File', '/a  b/value ')
    """
    text = re.sub(r"[\r\n]+$", "", text)
    head = NAME.match(text)
    if head:
        value = VALUE.search(text, head.end())
        name = " ".join(text[head.end():value.start() if value else None].split())
        if name:
            return name, text[value.end():] if value else None
    raise ValueError("it takes name NAME [value VALUE]")
