"""Reading: each line in its turn, but some at once, however long the others take."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections import deque
from queue import Queue
from typing import BinaryIO, NoReturn

from cirulla_ai.protocol.server import MAX_LINE, Server

__all__ = ["Loop", "main"]

# What waits for a running perft or bench to end (a search is stopped by them instead).
EXCLUSIVE = ("setoption", "ucinewgame", "position", "go", "perft", "bench")
AT_ONCE = ("stop", "quit", "isready")
# Lines read ahead, and lines that wait: a flood of input takes no more memory than these.
MAX_LINES = 10_000


class Loop:
    """Reads commands for a server to the end of the input, or ``quit``."""

    def __init__(self, server: Server) -> None:
        self._server = server
        # None is the end of the input; an empty line also wakes the loop when a job ends.
        self._inbox: Queue[str | None] = Queue(MAX_LINES)
        server.on_job_end = lambda: self._inbox.put("")

    def run(self, stream: BinaryIO) -> None:
        """Read and carry out; returns when the conversation is over."""
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()
        waiting: deque[tuple[str, str]] = deque()
        at_end = False
        while not at_end or waiting:
            if waiting and (waiting[0][0] not in EXCLUSIVE or not self._server.is_counting):
                command, line = waiting.popleft()
            elif at_end or len(waiting) >= MAX_LINES:
                self._server.finish()
                continue
            else:
                new = self._inbox.get()
                if new is None:
                    at_end = True
                    continue
                command, line = self._server.split(new)[0], new
                if command == "stop":
                    # It ends what runs, and all that was to run before it.
                    self._server.is_hurried = True
                    for _, earlier in waiting:
                        self._server.handle(earlier)
                    waiting.clear()
                    self._server.is_hurried = False
                elif (waiting and command not in AT_ONCE) or (
                    command in EXCLUSIVE and self._server.is_counting
                ):
                    waiting.append((command, line))
                    continue
            if not self._server.handle(line):
                for _, undone in waiting:
                    self._server.refuse(undone)
                return
        self._server.end()

    def _read(self, stream: BinaryIO) -> None:
        """The reader's thread: lines into the inbox, None at the end."""
        try:
            raw = stream.readline(MAX_LINE + 1).removeprefix(b"\xef\xbb\xbf")
            while raw:
                if len(raw) > MAX_LINE:
                    # Too long to be carried out; the rest is not kept.
                    rest = raw
                    while rest and not rest.endswith(b"\n"):
                        rest = stream.readline(MAX_LINE)
                self._inbox.put(raw.decode("utf-8", "surrogateescape"))
                raw = stream.readline(MAX_LINE + 1)
        except (OSError, ValueError):
            pass
        self._inbox.put(None)


def main() -> NoReturn:
    """Speak the protocol on standard input and output."""
    # A standard stream is None where its descriptor was closed from the start.
    if sys.stdout is None:
        os._exit(0)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii", newline="\n")
    # Nobody listens any more: leave at once, wherever the reader waits.
    server = Server(sys.stdout, on_closed=lambda: os._exit(0), errors=sys.stderr)
    try:
        Loop(server).run(sys.stdin.buffer if sys.stdin else io.BytesIO())
    except KeyboardInterrupt:
        os._exit(130)
    # The reader's thread may hang in a read that nothing but more input ends.
    os._exit(0)
