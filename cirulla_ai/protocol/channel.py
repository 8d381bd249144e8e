"""The engine's output: whole lines of plain text, and a log of both directions."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TextIO

__all__ = ["Channel", "open_log", "plain"]

# Whatever was typed may come back in an error; this much of it is enough.
MAX_MESSAGE = 1000


class Channel:
    """Where the answers go.

    ``on_closed`` is called where they can't be written any more: nobody listens.
    """

    def __init__(self, output: TextIO, on_closed: Callable[[], None]) -> None:
        self._output = output
        self._on_closed = on_closed
        self._lock = threading.Lock()
        self._log: TextIO | None = None

    def say(self, *lines: str) -> None:
        """Write whole lines at once; lines of different threads never mix."""
        text = "".join(f"{plain(line)}\n" for line in lines)
        with self._lock:
            try:
                self._output.write(text)
                self._output.flush()
            except (OSError, ValueError):
                self._on_closed()
                return
            self._record("<", map(plain, lines))

    def inform(self, message: str) -> None:
        """Say something in words."""
        self.say("info string " + " ".join(message[:MAX_MESSAGE].split()))

    def error(self, message: str) -> None:
        """Say what is wrong with a command."""
        self.inform(f"error: {message}")

    def heard(self, line: str) -> None:
        """Put a line of input into the log."""
        with self._lock:
            self._record(">", [legible(line.rstrip("\r\n"))])

    def log_to(self, log: TextIO | None) -> None:
        """Copy every line, both ways, to this file from now on; None: to none."""
        with self._lock:
            if self._log:
                self._log.close()
            self._log = log

    def check(self) -> None:
        """See whether somebody still listens, where nothing is to be written for long."""
        if sys.platform == "win32":
            # Nothing there tells without a write.
            return
        try:
            descriptor = self._output.fileno()
        except (OSError, ValueError):
            return
        poll = select.poll()
        poll.register(descriptor, 0)
        if any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0)):
            self._on_closed()

    def _record(self, mark: str, lines: Iterable[str]) -> None:
        if self._log:
            try:
                self._log.write("".join(f"{mark} {line}\n" for line in lines))
                self._log.flush()
            except (OSError, ValueError) as error:
                log, self._log = self._log, None
                with suppress(OSError, ValueError):
                    log.close()
                with suppress(OSError, ValueError):
                    self._output.write(f"info string Debug Log File: {plain(str(error))}; "
                                       "nothing more is logged\n")
                    self._output.flush()


def open_log(path: str) -> TextIO | None:
    """The file to log to, None for an empty path; raises ValueError where it can't be."""
    if not path:
        return None
    # A pipe without a reader is refused, where it would else be waited for.
    at_once = getattr(os, "O_NONBLOCK", 0)
    try:
        return open(path, "a", encoding="utf-8",
                    opener=lambda name, flags: os.open(name, flags | at_once, 0o666))
    except OSError as error:
        raise ValueError(f"Debug Log File: {path}: {error.strerror}; the old one stays") from None


def legible(text: str) -> str:
    """The text on one line, with nothing that plays tricks on who looks at it.

    >>> legible("caffè\\t\\x1b[2J")
    'caffè\\\\t\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else escape(c) for c in text)


def escape(letter: str) -> str:
    """A letter as Python escapes it; an octet that is no UTF-8 as that."""
    if "\udc80" <= letter <= "\udcff":
        return f"\\x{ord(letter) - 0xdc00:02x}"
    return letter.encode("unicode_escape").decode()


def plain(text: str) -> str:
    """The text in printable ASCII, on one line.

    >>> plain("1 … 36"), plain("caffè"), plain("bell\\a")
    ('1 ... 36', 'caff\\\\xe8', 'bell\\\\x07')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if " " <= c <= "~" else escape(c)
        for c in text.replace("…", "...")
    )
