"""Where a tournament's results are kept: JSON Lines as the truth, SQLite as its index.

The file's first line says what is played; each further line is one finished deal set.  A
line is written whole and flushed to the disk, so that a kill loses at most the set that was
being played; a torn last line is cut off when the file is opened again.  The SQLite file
beside it can be thrown away at any time: it is made again from the lines.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["Store", "StoreError"]

VERSION = 1


class StoreError(ValueError):
    """A results file that can't be used, with the reason."""


class Store:
    """The results of one tournament in ``path``.

    ``header`` is what decides the results: an existing file must have been made by the
    same.  Raises StoreError where it was not, or is no results file.
    """

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        self.header = {"version": VERSION, **header}
        self._file = self._open()
        index = Path(str(path) + ".sqlite")
        try:
            self._index = self._connect(index)
        except sqlite3.DatabaseError:
            index.unlink()
            self._index = self._connect(index)
        self._read_lines()

    @staticmethod
    def _connect(path: Path) -> sqlite3.Connection:
        index = sqlite3.connect(path)
        index.execute(
            "CREATE TABLE IF NOT EXISTS sets (place INTEGER PRIMARY KEY, line TEXT NOT NULL)")
        index.execute("CREATE TABLE IF NOT EXISTS mark (size INTEGER NOT NULL)")
        return index

    def _open(self) -> BinaryIO:
        file = self.path.open("a+b")
        file.seek(0)
        first = file.readline()
        if not first.endswith(b"\n"):
            # Nothing yet, or a header that was never finished.
            file.truncate(0)
            file.write(self._line(self.header))
            self._flush(file)
            return file
        try:
            header = json.loads(first)
        except ValueError:
            file.close()
            raise StoreError(f"{self.path} is not a results file: its first line is not the "
                             "description of a match") from None
        if header != self.header:
            different = sorted(
                key for key in {*header, *self.header}
                if header.get(key) != self.header.get(key)
            ) if isinstance(header, dict) else ["everything"]
            file.close()
            raise StoreError(
                f"{self.path} holds another match; different are: {', '.join(different)}. Give "
                "the same command to go on with it, or another file")
        return file

    @staticmethod
    def _line(value: object) -> bytes:
        return json.dumps(value, separators=(",", ":"), sort_keys=True).encode() + b"\n"

    @staticmethod
    def _flush(file: BinaryIO) -> None:
        file.flush()
        os.fsync(file.fileno())

    def _read_lines(self) -> None:
        """Bring the index up to date; cut off what a kill left unfinished."""
        row = self._index.execute("SELECT size FROM mark").fetchone()
        size = self.path.stat().st_size
        start = row[0] if row and row[0] <= size else 0
        if start == 0:
            self._index.execute("DELETE FROM sets")
        self._file.seek(start)
        if start == 0:
            start = len(self._file.readline())
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            try:
                result = json.loads(line)
                self._enter(int(result["index"]), line.decode().rstrip("\n"))
            except (ValueError, KeyError, TypeError) as error:
                raise StoreError(f"{self.path}: the line at byte {start} is not a deal set "
                                 f"({error})") from None
            start += len(line)
        self._file.truncate(start)
        self._file.seek(0, os.SEEK_END)
        self._remember(start)

    def _enter(self, place: int, line: str) -> None:
        self._index.execute("INSERT OR IGNORE INTO sets VALUES (?, ?)", (place, line))

    def _remember(self, size: int) -> None:
        self._index.execute("DELETE FROM mark")
        self._index.execute("INSERT INTO mark VALUES (?)", (size,))
        self._index.commit()

    def add(self, result: dict[str, Any]) -> None:
        """Keep a finished deal set (its ``index`` says which); a second one is ignored."""
        place = int(result["index"])
        if place in self:
            return
        line = self._line(result)
        self._file.write(line)
        self._flush(self._file)
        self._enter(place, line.decode().rstrip("\n"))
        self._remember(self._file.tell())

    def __contains__(self, place: int) -> bool:
        query = "SELECT 1 FROM sets WHERE place = ?"
        return self._index.execute(query, (place,)).fetchone() is not None

    def __len__(self) -> int:
        return int(self._index.execute("SELECT COUNT(*) FROM sets").fetchone()[0])

    def places(self) -> set[int]:
        """The indices of the finished deal sets."""
        return {row[0] for row in self._index.execute("SELECT place FROM sets")}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The finished deal sets in the schedule's order, whatever order they ended in."""
        for (line,) in self._index.execute("SELECT line FROM sets ORDER BY place"):
            yield json.loads(line)

    def close(self) -> None:
        """Close both files."""
        self._file.close()
        self._index.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
