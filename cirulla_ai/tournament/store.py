"""Where a tournament's results are kept: one file of JSON Lines.

The file's first line says what is played; each further line is one finished deal set.  A
line is written whole and flushed to the disk, so that a kill loses at most the set that was
being played; a torn last line is cut off when the file is opened again.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cirulla_ai.basics.locks import try_lock
from cirulla_ai.basics.outputs import why

__all__ = ["Store", "StoreError"]

VERSION = 1
BOM = b"\xef\xbb\xbf"
# More than any deal set brings.
MOST_POINTS = 1e12
MOST_PLACES = 2**53


class StoreError(ValueError):
    """A results file that can't be used, with the reason."""


class Store:
    """The results of one tournament in ``path``, locked for as long as it is open.

    ``header`` is what decides the results: an existing file must have been made by the
    same.  ``is_locked`` is False where the file system has no locks: then nothing keeps
    another run from the file.  Raises StoreError where it was made by others, is no results
    file, another run has it, or the disk refuses; its methods do, too.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.header = {"version": VERSION, **header}
        # Only where each line is: a file of any size fits.
        self._places: dict[int, range] = {}
        self._size = 0
        with self._reasons():
            self._file = self._open()
            try:
                self._read()
            except BaseException:
                self.close()
                raise

    @contextmanager
    def _reasons(self, then: str = "") -> Iterator[None]:
        """What the system refuses is an error of this file's; ``then`` is what is left to do."""
        try:
            yield
        except OSError as error:
            raise StoreError(f"{self.path}: {why(error)}{then}") from error

    def _open(self) -> int:
        """The file, locked, and still the one of this name then."""
        # A pipe would be waited for.
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
        while True:
            file = os.open(self.path, flags | getattr(os, "O_BINARY", 0), 0o666)
            try:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise StoreError(f"{self.path} is not a file that can be gone on with")
                locked = try_lock(file)
                if locked is False:
                    raise StoreError(f"{self.path}: another run is at work on it")
                if self._is_at_path(file):
                    self.is_locked = bool(locked)
                    return file
            except BaseException:
                os.close(file)
                raise
            os.close(file)

    def _is_at_path(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), os.stat(self.path))
        except FileNotFoundError:
            return False

    def _read(self) -> None:
        """Find the lines; cut off what a kill left unfinished."""
        size = os.fstat(self._file).st_size
        with open(self._file, "rb", closefd=False) as lines:
            lines.seek(0)
            first = lines.readline()
            if not self._check_header(first):
                self._cut(0)
                self._append(self._line(self.header))
                return
            self._size = len(first)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                start, self._size = self._size, self._size + len(line)
                # An editor may leave empty ones.
                if line.strip():
                    self._places.setdefault(self._place(line, start), range(start, self._size))
        if size > self._size:
            self._cut(self._size)

    def _check_header(self, first: bytes) -> bool:
        """Whether the first line is there; raises StoreError for a file of something else."""
        is_whole = first.endswith(b"\n")
        first = first.removeprefix(BOM).rstrip(b"\r\n")
        if not is_whole and self._line(self.header).startswith(first):
            # Nothing yet, or as much as a kill has left.
            return False
        try:
            header = json.loads(first) if is_whole else None
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict):
            raise StoreError(f"{self.path} is not a results file: its first line is not the "
                             "description of a match")
        different = sorted(
            key for key in {*header, *self.header} if header.get(key) != self.header.get(key))
        if different:
            raise StoreError(
                f"{self.path} holds another match; different are: {', '.join(different)}. Give "
                "the same command to go on with it, or another file")
        return True

    def _place(self, line: bytes, start: int) -> int:
        """The place of the deal set in a line."""
        try:
            result = json.loads(line)
            check_set(result, len(self.header.get("engines", ())) or None)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else error
            raise StoreError(f"{self.path}: the line at byte {start} is not a deal set "
                             f"({reason})") from None
        return int(result["index"])

    @staticmethod
    def _line(value: object) -> bytes:
        return json.dumps(value, separators=(",", ":"), sort_keys=True).encode() + b"\n"

    def _cut(self, size: int) -> None:
        os.ftruncate(self._file, size)
        self._size = size

    def _append(self, line: bytes) -> None:
        """Write a line to the disk, or leave the file as it was."""
        left = memoryview(line)
        try:
            while left:
                left = left[os.write(self._file, left):]
            os.fsync(self._file)
        except BaseException:
            # What can't be cut off is seen to be torn when it is opened again.
            with suppress(OSError):
                self._cut(self._size)
            raise
        self._size += len(line)

    def add(self, result: Mapping[str, Any]) -> None:
        """Keep a finished deal set (its ``index`` says which); a second one is ignored.

        Raises StoreError where it is not on the disk then: the disk refuses, or somebody has
        deleted, replaced or changed the file meanwhile.
        """
        place = int(result["index"])
        if place in self:
            return
        with self._reasons("; what had been stored is whole, and the same command goes on with it"):
            if not self._is_at_path(self._file):
                raise StoreError(f"{self.path} was deleted or replaced during the run; what had "
                                 "been played is gone with it")
            if os.fstat(self._file).st_size != self._size:
                raise StoreError(f"{self.path} was changed by something else during the run")
            start = self._size
            self._append(self._line(result))
        self._places[place] = range(start, self._size)

    def __contains__(self, place: int) -> bool:
        return place in self._places

    def __len__(self) -> int:
        return len(self._places)

    def places(self) -> set[int]:
        """The indices of the finished deal sets."""
        return set(self._places)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The finished deal sets in the schedule's order, whatever order they ended in."""
        for place in sorted(self._places):
            where = self._places[place]
            try:
                with self._reasons():
                    os.lseek(self._file, where.start, os.SEEK_SET)
                    result = json.loads(os.read(self._file, len(where)))
            except ValueError as error:
                if isinstance(error, StoreError):
                    raise
                raise StoreError(f"{self.path} was changed by something else") from None
            yield result

    def close(self) -> None:
        """Close the file; may be called again."""
        file, self._file = self._file, -1
        if file >= 0:
            with suppress(OSError):
                os.close(file)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def check_set(result: Any, engines: int | None = None) -> None:
    """Raise ValueError, LookupError, TypeError or AttributeError for what is not a deal set as
    it is stored.

    ``engines`` is how many take part.
    """
    if not 0 <= _whole(result["index"]) < MOST_PLACES:
        raise ValueError(f"index {result['index']}")
    if not isinstance(result["games"], list) or not result["games"]:
        raise ValueError("it has no games")
    for game in result["games"]:
        seats, points = game["seats"], game["points"]
        if not seats or not all(
                _whole(who) >= 0 and (engines is None or who < engines) for who in seats):
            raise ValueError(f"seats {seats}")
        for name, numbers in (("points", points), ("won", game.get("won", points))):
            if not 2 <= len(numbers) <= len(seats) or not all(
                    math.isfinite(number) and abs(number) < MOST_POINTS for number in numbers):
                raise ValueError(f"{name} {numbers}")
        if _whole(game.get("smazzate", 1)) < 1:
            raise ValueError(f"smazzate {game['smazzate']}")
        for fault in game.get("forfeits", ()):
            if not (0 <= _whole(fault["seat"]) < len(seats) and _whole(fault["smazzata"]) >= 0
                    and isinstance(fault["kind"], str) and isinstance(fault["detail"], str)):
                raise ValueError(f"forfeit {fault}")
        for smazzata in game.get("played", ()):
            if not isinstance(smazzata["start"], str) or (
                    [len(said) for said in smazzata["said"]]
                    != [3] * len(smazzata["actions"].split())):
                raise ValueError("a smazzata without its actions")


def _whole(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError(f"{number!r} is not a whole number")
    return number
