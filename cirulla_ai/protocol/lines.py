"""The lines of the input, read ahead by a thread of its own where there is one."""

from __future__ import annotations

import os
import select
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import BinaryIO

__all__ = ["MAX_LINES", "Lines"]

# Lines read ahead: a flood of input takes no more memory than these.
MAX_LINES = 10_000
# Octets read at once without a thread.
CHUNK = 1 << 16
MARK = b"\xef\xbb\xbf"


class Lines:
    """Lines of ``stream``, None at its end; an empty one also comes of ``wake``.

    A line of more than ``longest`` octets is cut there, and its rest is not kept.
    """

    def __init__(self, stream: BinaryIO, longest: int) -> None:
        self._stream = stream
        self._longest = longest
        self._inbox: Queue[str | None] = Queue(MAX_LINES)
        # Where there is no thread: lines that are there, and the beginning of the next.
        self._here: deque[str | None] = deque()
        self._rest = b""
        self._is_first = True
        self._at_end = False
        self.has_thread = True
        try:
            threading.Thread(target=self._read, name="reader", daemon=True).start()
        except (RuntimeError, MemoryError):
            self.has_thread = False

    def wake(self) -> None:
        """Let a ``get`` that waits return."""
        if self.has_thread:
            # Where there is no room nothing waits.
            with suppress(Full):
                self._inbox.put_nowait("")

    def get(self) -> str | None:
        """The next line; waits for it."""
        if self.has_thread:
            return self._inbox.get()
        while not self._here:
            self._take()
        return self._here.popleft()

    def poll(self) -> Iterator[str | None]:
        """The lines that are there already."""
        if self.has_thread:
            while True:
                try:
                    yield self._inbox.get_nowait()
                except Empty:
                    return
        if not self._here and not self._at_end and select.select([self._stream], [], [], 0)[0]:
            self._take()
        while self._here:
            yield self._here.popleft()

    def _read(self) -> None:
        """The thread's work."""
        longest = self._longest
        try:
            raw = self._stream.readline(longest + 1)
            while raw:
                if len(raw) > longest:
                    # Too long to be carried out; the rest is not kept.
                    rest = raw
                    while rest and not rest.endswith(b"\n"):
                        rest = self._stream.readline(longest)
                self._inbox.put(self._text(raw))
                raw = self._stream.readline(longest + 1)
        except (OSError, ValueError):
            pass
        self._inbox.put(None)

    def _take(self) -> None:
        """Read what is there, or wait for more; without a thread."""
        try:
            data = os.read(self._stream.fileno(), CHUNK)
        except (OSError, ValueError):
            data = b""
        *whole, rest = (self._rest + data).split(b"\n")
        self._here.extend(self._text(line[:self._longest + 1] + b"\n") for line in whole)
        # Of a line without an end no more is kept than shows that it is too long.
        self._rest = rest[:self._longest + 1]
        if not data:
            if rest:
                self._here.append(self._text(rest))
                self._rest = b""
            self._here.append(None)
            self._at_end = True

    def _text(self, raw: bytes) -> str:
        if self._is_first:
            raw = raw.removeprefix(MARK)
            self._is_first = False
        return raw.decode("utf-8", "surrogateescape")
