"""Reading: each line in its turn, but some at once, however long the others take."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections import deque
from functools import partial
from typing import BinaryIO, NoReturn

from cirulla_ai.protocol.lines import MAX_LINES, Lines
from cirulla_ai.protocol.server import MAX_LINE, Server

__all__ = ["Loop", "main"]

# What waits for a running perft or bench to end (a search is stopped by them instead).
EXCLUSIVE = ("setoption", "ucinewgame", "position", "go", "perft", "bench")
AT_ONCE = ("stop", "quit", "isready")
ENDING = ("stop", "quit")
# Octets of a thread's stack.  Nothing here goes deep, and where address space is short the
# usual eight MiB are much.
STACK = 2 << 20
# Lines that wait.
MAX_WAITING = MAX_LINES


class Loop:
    """Reads commands for a server to the end of the input, or ``quit``."""

    def __init__(self, server: Server) -> None:
        self._server = server
        # What was read while a job ran that had no thread of its own.
        self._read: deque[str | None] = deque()

    def run(self, stream: BinaryIO) -> None:
        """Read and carry out; returns when the conversation is over."""
        lines = Lines(stream, MAX_LINE)
        if not lines.has_thread:
            self._server.work_here()
        self._server.on_job_end = lines.wake
        self._server.read_on = partial(self._read_on, lines)
        waiting: deque[tuple[str, str]] = deque()
        at_end = False
        while not at_end or waiting:
            if waiting and (waiting[0][0] not in EXCLUSIVE or not self._server.is_counting):
                command, line = waiting.popleft()
            elif at_end or len(waiting) >= MAX_WAITING:
                self._server.finish()
                continue
            else:
                new = self._read.popleft() if self._read else lines.get()
                if new is None:
                    at_end = True
                    continue
                if not new:
                    # A job has ended.
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

    def _read_on(self, lines: Lines, may_wait: bool) -> None:
        """While a job runs in this very thread: carry out what does not disturb it, and end it
        where something else has come.

        Where there are no threads a command is not looked at before it ends a search: one that
        will be refused ends it too.
        """
        if may_wait and not self._read:
            self._read.append(lines.get())
        self._read.extend(lines.poll())
        while self._read:
            line = self._read[0]
            command = "" if line is None else self._server.split(line)[0]
            if line is None and not self._server.is_endless:
                # The end of the input: what has a limit may finish.
                return
            if line is None or command in ENDING or (
                command in EXCLUSIVE and not self._server.is_counting
            ):
                self._server.interrupt()
                return
            if command in EXCLUSIVE:
                # It waits for the end of a count; but perhaps a stop is behind it.
                if any(one is not None and self._server.split(one)[0] in ENDING
                       for one in self._read):
                    self._server.interrupt()
                return
            self._read.popleft()
            if line is not None:
                self._server.handle(line)


def main() -> NoReturn:
    """Speak the protocol on standard input and output."""
    # A standard stream is None where its descriptor was closed from the start.
    if sys.stdout is None:
        os._exit(0)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii", newline="\n")
    threading.stack_size(STACK)
    if sys.platform == "win32":
        # It would not end the wait for a line.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Nobody listens any more: leave at once, wherever the reader waits.
    server = Server(sys.stdout, on_closed=lambda: os._exit(0), errors=sys.stderr)
    try:
        Loop(server).run(sys.stdin.buffer if sys.stdin else io.BytesIO())
    except KeyboardInterrupt:
        os._exit(130)
    # The reader's thread may hang in a read that nothing but more input ends.
    os._exit(0)
