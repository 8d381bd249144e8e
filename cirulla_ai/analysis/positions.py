"""Positions as text, and a file of them, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cirulla_ai.basics.encoding import wrong_encoding
from cirulla_ai.history import History
from cirulla_ai.protocol.position import parse_position

__all__ = ["FilePosition", "read_lines", "read_position"]

# A position with all that has been played since the deal has some 1,000 characters.
MOST_OCTETS = 1 << 16


class FilePosition(NamedTuple):
    """What a line of a file says: a game so far, or why it can't be read."""

    line: int
    game: History | ValueError


def read_position(text: str, seed: int | None) -> History:
    """A position as the protocol's ``position`` takes it, with that word or without.

    ``seed`` deals where the text names no seed or pack.  Raises ValueError with the reason.

    >>> read_position("position startpos rules=scopa seed 1", None).state.round
    1
    """
    words = text.removeprefix("\ufeff").split()
    return parse_position(words[1:] if words and words[0].lower() == "position" else words, seed)


def read_lines(lines: Iterable[bytes], seed: int | None) -> Iterator[FilePosition]:
    """The positions of a file's lines; blank lines, and remarks that begin with #, are left out.

    A line that can't be read comes as the error; the others are read all the same.
    """
    for number, raw in enumerate(lines, 1):
        try:
            text = _text(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw)
            if text and not text.startswith("#"):
                yield FilePosition(number, read_position(text, seed))
        except ValueError as error:
            yield FilePosition(number, error)


def _text(raw: bytes) -> str:
    if wrong := wrong_encoding(raw):
        raise ValueError(wrong)
    if len(raw) > MOST_OCTETS:
        raise ValueError(f"a line of {len(raw):,} octets; a position has {MOST_OCTETS:,} at most")
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise ValueError(f"0x{raw[error.start]:02x} is no UTF-8; save it as UTF-8") from None
