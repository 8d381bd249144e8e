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
from contextlib import ExitStack
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
        # Before there is an index: nothing is made beside a file that is not ours.
        self._is_begun()
        self._index = self._connect(Path(str(path) + ".sqlite"))
        with ExitStack() as undone:
            undone.callback(self._index.close)
            self._file = undone.enter_context(self._open())
            self._read_lines()
            undone.pop_all()

    def _connect(self, path: Path) -> sqlite3.Connection:
        """The index, which is locked for as long as it is open: one run at a time."""
        for _ in range(2):
            index = sqlite3.connect(path, timeout=0)
            try:
                index.execute("PRAGMA locking_mode = EXCLUSIVE")
                index.execute("BEGIN EXCLUSIVE")
                index.execute("CREATE TABLE IF NOT EXISTS sets "
                              "(place INTEGER PRIMARY KEY, line TEXT NOT NULL)")
                index.execute("CREATE TABLE IF NOT EXISTS mark (size INTEGER NOT NULL)")
                index.commit()
                return index
            except sqlite3.OperationalError as error:
                index.close()
                why = "another run is at work on it" if "locked" in str(error) else str(error)
                raise StoreError(f"{self.path}: {why}") from None
            except sqlite3.DatabaseError:
                index.close()
                path.unlink()
        raise StoreError(f"{path} can't be made")

    def _is_begun(self) -> bool:
        """Whether the file has its first line; raises StoreError for a file of something else."""
        try:
            with self.path.open("rb") as file:
                first = file.readline()
        except FileNotFoundError:
            return False
        if self._line(self.header).startswith(first):
            # Nothing yet, all of it, or as much as a kill has left.
            return first.endswith(b"\n")
        try:
            header = json.loads(first) if first.endswith(b"\n") else None
        except ValueError:
            header = None
        if not isinstance(header, dict):
            raise StoreError(f"{self.path} is not a results file: its first line is not the "
                             "description of a match")
        different = sorted(
            key for key in {*header, *self.header} if header.get(key) != self.header.get(key))
        raise StoreError(
            f"{self.path} holds another match; different are: {', '.join(different)}. Give "
            "the same command to go on with it, or another file")

    def _open(self) -> BinaryIO:
        is_begun = self._is_begun()
        file = self.path.open("a+b")
        if not is_begun:
            file.truncate(0)
            file.write(self._line(self.header))
            self._flush(file)
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
                if not isinstance(result["games"], list) or not result["games"]:
                    raise ValueError("it has no games")
                self._enter(int(result["index"]), line.decode().rstrip("\n"))
            except (ValueError, KeyError, TypeError, OverflowError) as error:
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
