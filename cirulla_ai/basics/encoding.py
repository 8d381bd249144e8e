"""Text on its way in and out: UTF-8 in files and lines, whatever the locale says.

Standard streams have the locale's encoding; what they can't show is replaced there, never
an error.  File names are octets, which come as they were given.
"""

from __future__ import annotations

import codecs
import os
import sys
from os import PathLike

__all__ = ["argument_text", "decode_text", "file_name", "forgive", "read_text", "wrong_encoding"]

WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


def forgive() -> None:
    """From now on standard output and error show a question mark for what they can't encode."""
    for stream in (sys.stdout, sys.stderr):
        # None where its descriptor was closed; a stand-in may take any text.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def wrong_encoding(head: bytes) -> str:
    """What is wrong with a text that begins so, "" where it may be UTF-8."""
    # Without a mark: of each letter one octet is zero.
    zeros = [octet == 0 for octet in head[:4]]
    if head.startswith(WIDE_MARKS) or zeros[1::2] == [True, True] or zeros[::2] == [True, True]:
        return "it is UTF-16 or UTF-32; save it as UTF-8"
    return ""


def decode_text(data: bytes) -> str:
    """UTF-8, with a byte order mark or without, lines ended by LF, CRLF or CR, as text with
    LF; raises ValueError for anything else."""
    if wrong := wrong_encoding(data):
        raise ValueError(wrong)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: 0x{data[error.start]:02x} is no UTF-8; "
                         "save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file, as ``decode_text`` reads it; raises OSError and ValueError."""
    with open(path, "rb") as file:
        return decode_text(file.read())


def argument_text(text: str, errors: str = "surrogateescape") -> str:
    """A word of the command line as text: its octets read as UTF-8.

    ``errors`` is what becomes of those that are none, as codecs have it.
    """
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError:
        # It does not come from the command line, then.
        data = text.encode("utf-8", "replace")
    return data.decode("utf-8", errors)


def file_name(text: str) -> str:
    """The name of the file whose octets ``text`` is as UTF-8, as ``open`` wants it here."""
    if sys.platform == "win32":
        # Names are text there.
        return text
    return os.fsdecode(text.encode("utf-8", "surrogateescape"))
