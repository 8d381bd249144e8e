"""An engine's process and its pipes: lines out, lines in, and its end."""

from __future__ import annotations

import asyncio
import logging
import os
import selectors
import shlex
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from cirulla_ai.client.announced import fits_line
from cirulla_ai.client.errors import EngineForkedError, EngineStartError, EngineTerminatedError

if sys.platform == "win32":
    from cirulla_ai.client.job_guard import JobGuard as Guard
else:
    from cirulla_ai.client.guard import Guard

__all__ = ["Command", "Connection", "LineBuffer", "new_loop"]

LOGGER = logging.getLogger(__name__)

Command = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

# No line of use is longer; what is longer is dropped, so that memory stays bounded.
MAX_LINE = 1 << 16
STDERR_LINES = 20
STDERR_LINE = 500
# How long the last output of an ended process, or the end of one that has closed its
# output, is waited for.
DRAIN_SECONDS = 0.5


def new_loop() -> asyncio.AbstractEventLoop:
    """An event loop for engines that a forked process can't change: with epoll it could."""
    if sys.platform == "win32":
        # The only one there that has processes.
        return asyncio.ProactorEventLoop()
    return asyncio.SelectorEventLoop(
        getattr(selectors, "PollSelector", selectors.SelectSelector)())


class LineBuffer:
    """Puts chunks of bytes together to lines, in bounded memory.

    >>> buffer = LineBuffer(limit=8)
    >>> list(buffer.feed(b"uciok\\r\\nread")), list(buffer.feed(b"yok\\n"))
    (['uciok'], ['readyok'])
    >>> list(buffer.feed(b"info string too long\\nuciok\\n")), buffer.dropped
    (['uciok'], 1)
    """

    def __init__(self, limit: int = MAX_LINE) -> None:
        self.limit = limit
        self.dropped = 0
        self._part = b""
        self._is_dropping = False
        self._is_first = True

    def feed(self, data: bytes) -> Iterator[str]:
        """The lines that ``data`` completes, without their ends."""
        *lines, rest = data.split(b"\n")
        for line in lines:
            whole, self._part = self._part + line, b""
            if self._is_dropping:
                self._is_dropping = False
            elif len(whole) > self.limit:
                self.dropped += 1
            else:
                text = whole.rstrip(b"\r").decode("utf-8", "replace")
                # Some systems begin what they write with a byte order mark.
                yield text.removeprefix("\ufeff") if self._is_first else text
                self._is_first = False
        if not self._is_dropping:
            self._part += rest
            if len(self._part) > self.limit:
                self._part, self._is_dropping = b"", True
                self.dropped += 1

    def flush(self) -> Iterator[str]:
        """The last line, where its end is missing."""
        if self._part:
            yield from self.feed(b"\n")


class Connection(asyncio.SubprocessProtocol):
    """One engine's process.  ``on_line`` gets each line, ``on_end`` is called at its end.

    The process never outlives its owner: it is killed, with what it has started, where this
    object is forgotten, the interpreter ends, or the owner dies in any way.  It belongs to the
    process that opened it: in one forked from that, what would touch it raises
    EngineForkedError, and what would end it does nothing.
    """

    def __init__(
        self, name: str, guard: Guard, on_line: Callable[[str], None],
        on_end: Callable[[], None],
    ) -> None:
        self.name = name
        self._guard = guard
        self._finalizer = weakref.finalize(self, guard.end)
        self.exit_code: int | None = None
        self.stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self.drain_seconds = DRAIN_SECONDS
        self._why_killed = ""
        self.ended = asyncio.Event()
        self._on_line = on_line
        self._on_end = on_end
        self._buffers = {1: LineBuffer(), 2: LineBuffer()}
        self._closed_pipes: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    async def open(
        cls,
        command: Command,
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Connection:
        """Start ``command``, a program or its words; raises EngineStartError."""
        words = [os.fsdecode(word) for word in (
            [command] if isinstance(command, (str, bytes, os.PathLike)) else command)]
        if not words:
            raise EngineStartError("no command: it takes a program and its arguments")
        name = os.path.basename(words[0]) or words[0]
        guard: Guard | None = None
        try:
            # A process group of its own: Ctrl-C is for the owner, who ends its engines in
            # order, and what a wrapper script starts is ended with it.
            guard = Guard()
            _, connection = await asyncio.get_running_loop().subprocess_exec(
                partial(cls, name, guard, on_line, on_end), *words, cwd=cwd, env=env,
                **guard.joining)
            guard.take(connection.pid)
        except BaseException as error:
            if guard is not None:
                guard.end()
            if not isinstance(error, (OSError, ValueError)):
                raise
            reason = error.strerror if isinstance(error, OSError) else error
            parts = words[0].split()
            hint = (f"; a program with arguments is a list, as {parts}"
                    if len(words) == 1 and len(parts) > 1 else "")
            raise EngineStartError(
                f"{shlex.join(words)}: can't be started: {reason}{hint}") from error
        return connection

    # --- what asyncio calls -------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process runs."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self.pid = self._transport.get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Some output has come."""
        buffer = self._buffers[fd]
        dropped = buffer.dropped
        self._take(fd, buffer.feed(data))
        if buffer.dropped > dropped:
            LOGGER.warning("%s: dropped a line of more than %d bytes", self.name, buffer.limit)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """The other end of a pipe was closed."""
        if fd in self._buffers:
            self._take(fd, self._buffers[fd].flush())
        self._closed_pipes.add(fd)
        self._check_end()

    def process_exited(self) -> None:
        """The process is no more; output of it may still be under way."""
        self.exit_code = self._transport.get_returncode()
        self._check_end()

    def _take(self, fd: int, lines: Iterator[str]) -> None:
        for line in lines:
            if fd == 1:
                LOGGER.debug("%s << %s", self.name, line)
                self._on_line(line)
            else:
                LOGGER.debug("%s !! %s", self.name, line)
                self.stderr.append(line[:STDERR_LINE])

    def _check_end(self) -> None:
        if self.exit_code is not None and self._closed_pipes >= {1, 2}:
            self._end()
        elif self._timer is None and (self.exit_code is not None or 1 in self._closed_pipes):
            # Either half of the end without the other: the process has left its output to
            # another one, or has closed it and stays.  Neither is an engine any more.
            self._timer = asyncio.get_running_loop().call_later(
                self.drain_seconds, self._end)

    def _end(self) -> None:
        if self.exit_code is None:
            self.kill("it had closed its output")
            self._timer = asyncio.get_running_loop().call_later(
                self.drain_seconds, self._end)
            return
        if self._timer:
            self._timer.cancel()
        if not self.ended.is_set():
            # What it has started ends with it.
            self._finalizer()
            self._transport.close()
            self.ended.set()
            self._on_end()

    # --- what the owner calls -----------------------------------------------------------

    @property
    def is_ours(self) -> bool:
        """Whether this process has opened it, not one that this was forked from."""
        return self._guard.is_ours

    def check_ours(self) -> None:
        """Raise EngineForkedError in a process forked from the one that has opened it."""
        if not self.is_ours:
            raise EngineForkedError.of(self.name)

    def send(self, line: str) -> None:
        """Write one line; it is silently lost where the process no longer reads."""
        if not fits_line(line):
            raise ValueError(f"{line!r} does not fit in one line of text")
        LOGGER.debug("%s >> %s", self.name, line)
        self.send_bytes(line.encode("utf-8", "surrogateescape") + b"\n")

    def send_bytes(self, data: bytes) -> None:
        """Write ``data`` as it is."""
        self.check_ours()
        pipe = cast("asyncio.WriteTransport | None", self._transport.get_pipe_transport(0))
        if pipe is not None and not pipe.is_closing():
            pipe.write(data)

    def close(self, fd: int = 0) -> None:
        """Close a pipe: 0 gives the process the end of its input."""
        pipe = self._transport.get_pipe_transport(fd)
        if pipe is not None and self.is_ours:
            pipe.close()

    def kill(self, why: str = "") -> None:
        """Kill the process and what it has started, at once; ``why`` is for the error."""
        if self.exit_code is None:
            self._why_killed = self._why_killed or why
            self._guard.end()

    async def wait(self, seconds: float) -> bool:
        """Wait for the end of the process, at most so long; whether it has ended."""
        try:
            await asyncio.wait_for(self.ended.wait(), seconds)
        except asyncio.TimeoutError:
            return False
        return True

    async def end(self, grace: float) -> bool:
        """Give it the end of its input, and kill it after ``grace`` seconds.

        False where it had to be killed.
        """
        self.close()
        left = await self.wait(grace)
        if not left:
            self.kill()
            # Only a process that hangs in the system's own code outlives this.
            await self.wait(2 * DRAIN_SECONDS + grace)
        return left

    def error(self) -> EngineTerminatedError:
        """What to raise where the process is gone."""
        return EngineTerminatedError.of(
            self.name, self.exit_code, tuple(self.stderr), self._why_killed)

