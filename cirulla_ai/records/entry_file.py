"""The file that a game is typed into: what is in it stays, an unfinished last record goes on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO, StringIO
from pathlib import Path

from cirulla_ai.basics.encoding import wrong_encoding
from cirulla_ai.basics.outputs import check_output, written_whole
from cirulla_ai.records.reader import chunks, read_records, text_lines
from cirulla_ai.records.record import Record
from cirulla_ai.records.text import RecordError
from cirulla_ai.records.writer import write_record, write_records

__all__ = ["EntryFile"]

LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class EntryFile:
    """A file of records, read once and written whole each time.

    ``resumed`` is its last record where that is unfinished: what is written takes its place.
    ``after`` is it where it is finished, and ``broken`` what is wrong with it where it can't
    be read; then what is written follows it.  Raises ValueError for a file that can't be
    written or is no text, OSError for one that can't be read.
    """

    def __init__(self, path: Path) -> None:
        check_output(path)
        self.path = path
        self.resumed: Record | None = None
        self.after: Record | None = None
        self.broken: RecordError | None = None
        self.kept = path.read_bytes() if path.exists() else b""
        self._original = b""
        if wrong := wrong_encoding(self.kept[:10]):
            raise ValueError(f"{path}: {wrong}")
        for first, lines in chunks(text_lines(BytesIO(self.kept))):
            self._look_at(first, lines)
        if self.resumed is not None:
            self.kept, self._original = self.kept[:self._begins], self.kept[self._begins:]

    def keep_all(self) -> None:
        """Leave an unfinished last record as it is: what is written follows it."""
        self.kept += self._original
        self.after, self.resumed, self._original = None, None, b""

    def _look_at(self, first: int, lines: list[str]) -> None:
        """Take a record for the last one, unless it is nothing but remarks."""
        record, broken = None, None
        try:
            record = next(read_records("\n" * (first - 1) + "\n".join(lines) + "\n"), None)
        except RecordError as error:
            broken = error
        if record is None and broken is None:
            return
        ends = bool(record and record.result.ending == "unfinished")
        self.resumed, self.after = (record, None) if ends else (None, record)
        self.broken = broken
        self._begins = _offset(self.kept, first)

    def write(self, records: Iterable[Record]) -> None:
        """Write what was in the file, and these records behind it; raises OSError.

        An unfinished record that somebody has written by hand is kept in a file beside it,
        its name ended by ``.bak``, since remarks in it are no part of a record.
        """
        text = StringIO()
        write_records(records, text)
        if self.resumed is not None and self._original.strip() != write_record(
            self.resumed
        ).encode().strip():
            backup = self.path.with_name(f"{self.path.name}.bak")
            if not backup.exists():
                backup.write_bytes(self.kept + self._original)
        with written_whole(self.path) as unfinished:
            unfinished.write_bytes(_apart(self.kept) + text.getvalue().encode())


def _offset(data: bytes, line: int) -> int:
    """Where a line begins, from 1."""
    at = 0
    for _ in range(line - 1):
        match = LINE.match(data, at)
        assert match
        at = match.end()
    return at


def _apart(kept: bytes) -> bytes:
    """What is kept, with an empty line at its end."""
    if not kept.strip():
        return b""
    return kept.rstrip(b"\r\n") + b"\n\n"
