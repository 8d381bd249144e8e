"""Talking to an engine line by line, with a record of what was said."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cirulla_ai.basics.errors import PortableError
from cirulla_ai.client.connection import Command, Connection

__all__ = ["Answer", "Conversation", "MisbehaviourError", "NotApplicableError"]

# Of what was sent the last lines are shown; of what came no more is ever kept.
MAX_SENT = 6
MAX_LINES = 200_000
MAX_SHOWN = 600


class MisbehaviourError(PortableError):
    """The engine has broken a rule: what was expected, and what was seen in its place."""

    def __init__(self, expected: str, seen: str | Sequence[str]) -> None:
        super().__init__(expected)
        self.expected = expected
        self.seen = shown(seen)


class NotApplicableError(Exception):
    """A rule that can't be looked at with this engine, and why."""


def shown(lines: str | Sequence[str]) -> str:
    """Lines as a report shows them: the last ones, if they are many."""
    if isinstance(lines, str):
        return lines
    if not lines:
        return "nothing"
    text = "\n".join(lines)
    return text if len(text) <= MAX_SHOWN else f"…{text[-MAX_SHOWN:]}"


@dataclass(frozen=True)
class Answer:
    """What came before the next ``readyok``: the answer itself, and errors in words."""

    lines: list[str]
    errors: list[str]

    def all(self) -> list[str]:
        """Everything that was said."""
        return [*self.lines, *self.errors]


class Conversation:
    """One engine, and what has been said.  Made by ``Conversation.begin``."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.sent: deque[str] = deque(maxlen=MAX_SENT)
        self._lines: deque[str] = deque(maxlen=MAX_LINES)
        self._news = asyncio.Event()

    @classmethod
    async def begin(cls, command: Command, timeout: float) -> Conversation:
        """Start the engine and say nothing yet; raises EngineStartError."""
        talk = cls(timeout)
        talk.connection = await Connection.open(command, talk._take, talk._news.set)
        return talk

    connection: Connection

    def _take(self, line: str) -> None:
        self._lines.append(line)
        self._news.set()

    def send(self, *lines: str) -> None:
        """Say something."""
        for line in lines:
            self.sent.append(line)
            self.connection.send(line)

    def send_bytes(self, data: bytes) -> None:
        """Say it with these bytes."""
        self.sent.append(repr(data) if len(data) < 200 else f"{data[:200]!r}…")
        self.connection.send_bytes(data)

    async def until(
        self, is_last: Callable[[str], bool], expected: str, seconds: float | None = None,
    ) -> list[str]:
        """The lines up to the first that ``is_last`` is true of, which comes last.

        Raises MisbehaviourError where it does not come in time (the ``timeout``), or the
        engine ends before.
        """
        seconds = self.timeout if seconds is None else seconds
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        lines: list[str] = []
        while True:
            while self._lines:
                lines.append(self._lines.popleft())
                if is_last(lines[-1]):
                    return lines
                if len(lines) > MAX_LINES:
                    raise MisbehaviourError(expected, [*lines, "and no end of it"])
            if self.connection.ended.is_set():
                raise MisbehaviourError(expected, [*lines, str(self.connection.error())])
            remaining = deadline - loop.time()
            if remaining <= 0:
                raise MisbehaviourError(f"{expected} within {seconds:g} s", lines)
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), remaining)
            except asyncio.TimeoutError:
                continue

    async def during(self, seconds: float) -> list[str]:
        """All lines that come in this time."""
        await asyncio.sleep(seconds)
        lines = list(self._lines)
        self._lines.clear()
        return lines

    async def shake_hands(self) -> list[str]:
        """``uci``, and the answer to it."""
        self.send("uci")
        return await self.until(lambda line: line.strip() == "uciok", "uciok")

    async def ask(self, *lines: str) -> Answer:
        """Say ``lines``, and what comes until ``readyok``."""
        self.send(*lines, "isready")
        return sort_out((await self.until(is_readyok, "readyok"))[:-1])

    async def bestmove(self, seconds: float | None = None) -> list[str]:
        """The lines up to the next ``bestmove``."""
        return await self.until(is_bestmove, "bestmove", seconds)

    async def leave(self, expected: str, seconds: float) -> list[str]:
        """Wait for its end with exit code 0; what it still said."""
        gone = await self.connection.wait(seconds)
        lines = list(self._lines)
        if not gone:
            raise MisbehaviourError(f"{expected} within {seconds:g} s",
                                    [*lines, "it is still there"])
        if self.connection.exit_code != 0:
            raise MisbehaviourError(f"{expected} with exit code 0",
                                    [*lines, str(self.connection.error())])
        return lines

    async def end(self) -> None:
        """Kill it."""
        self.connection.kill()
        await self.connection.wait(self.timeout)


def sort_out(lines: Sequence[str]) -> Answer:
    """Tell answers from what is said in words."""
    errors = [line for line in lines if is_error(line)]
    answers = [line for line in lines if not re.match(r"\s*info\s+string\b", line)]
    return Answer(answers, errors)


def is_error(line: str) -> bool:
    """Whether a line says that a command was refused."""
    return bool(re.match(r"info string error: \S", line))


def is_readyok(line: str) -> bool:
    """Whether a line is ``readyok``."""
    return line.strip() == "readyok"


def is_bestmove(line: str) -> bool:
    """Whether a line is a ``bestmove``."""
    return line.split()[:1] == ["bestmove"]
