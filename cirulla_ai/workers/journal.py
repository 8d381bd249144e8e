"""Where long work keeps its results as they come: one file of JSON Lines.

The file's first line says what is done; each further line is one result, whose ``index`` is
its place.  A line is written whole and flushed to the disk, so that a kill loses at most what
was being worked at; a torn last line is cut off when the file is opened again.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from cirulla_ai.basics.locks import try_lock
from cirulla_ai.basics.outputs import why

__all__ = ["Journal", "JournalError", "whole_of"]

Self = TypeVar("Self", bound="Journal")

VERSION = 1
BOM = b"\xef\xbb\xbf"
MOST_PLACES = 2**53


class JournalError(ValueError):
    """A results file that can't be used, with the reason."""


class Journal:
    """The results of one run in ``path``, locked for as long as it is open.

    ``header`` is what decides the results: an existing file must have been made by the
    same.  ``is_locked`` is False where the file system has no locks: then nothing keeps
    another run from the file.  Raises JournalError where it was made by others, is no results
    file, another run has it, or the disk refuses; its methods do, too.
    """

    # What it is of, and a result, in messages.
    run = "run"
    entry = "result"

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
            raise JournalError(f"{self.path}: {why(error)}{then}") from error

    def _open(self) -> int:
        """The file, locked, and still the one of this name then."""
        # A pipe would be waited for.
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
        while True:
            file = os.open(self.path, flags | getattr(os, "O_BINARY", 0), 0o666)
            try:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise JournalError(f"{self.path} is not a file that can be gone on with")
                locked = try_lock(file)
                if locked is False:
                    raise JournalError(f"{self.path}: another run is at work on it")
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
        """Whether the first line is there; raises JournalError for a file of something else."""
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
            raise JournalError(f"{self.path} is not a results file: its first line is not the "
                             f"description of a {self.run}")
        different = sorted(
            key for key in {*header, *self.header} if header.get(key) != self.header.get(key))
        if different:
            raise JournalError(
                f"{self.path} holds another {self.run}; different are: "
                f"{', '.join(different)}. Give the same command to go on with it, or another file")
        return True

    def _place(self, line: bytes, start: int) -> int:
        """The place of the result in a line."""
        try:
            result = json.loads(line)
            place = whole_of(result["index"])
            if not 0 <= place < MOST_PLACES:
                raise ValueError(f"index {place}")
            self.check(result)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else error
            raise JournalError(f"{self.path}: the line at byte {start} is not a {self.entry} "
                               f"({reason})") from None
        return place

    def check(self, result: Any) -> None:
        """Raise ValueError, LookupError, TypeError or AttributeError for what is no result as
        it is stored."""

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
        """Keep a finished result (its ``index`` says which); a second one is ignored.

        Raises JournalError where it is not on the disk then: the disk refuses, or somebody has
        deleted, replaced or changed the file meanwhile.
        """
        place = int(result["index"])
        if place in self:
            return
        with self._reasons("; what had been stored is whole, and the same command goes on with it"):
            if not self._is_at_path(self._file):
                raise JournalError(f"{self.path} was deleted or replaced during the run; what it "
                                 "held is gone with it")
            if os.fstat(self._file).st_size != self._size:
                raise JournalError(f"{self.path} was changed by something else during the run")
            start = self._size
            self._append(self._line(result))
        self._places[place] = range(start, self._size)

    def __contains__(self, place: int) -> bool:
        return place in self._places

    def __len__(self) -> int:
        return len(self._places)

    def places(self) -> set[int]:
        """The places of the finished results."""
        return set(self._places)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The finished results in the order of their places, whatever order they ended in."""
        for place in sorted(self._places):
            where = self._places[place]
            try:
                with self._reasons():
                    os.lseek(self._file, where.start, os.SEEK_SET)
                    result = json.loads(os.read(self._file, len(where)))
            except ValueError as error:
                if isinstance(error, JournalError):
                    raise
                raise JournalError(f"{self.path} was changed by something else") from None
            yield result

    def close(self) -> None:
        """Close the file; may be called again."""
        file, self._file = self._file, -1
        if file >= 0:
            with suppress(OSError):
                os.close(file)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def whole_of(number: Any) -> int:
    """A number as JSON has it; raises ValueError where it is not a whole one."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError(f"{number!r} is not a whole number")
    return number
