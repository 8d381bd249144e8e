"""Talking to the engine in tests: a real process, or a server in this one."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, TextIO, cast

import pytest

from cirulla_ai.protocol import Server

# Not elsewhere, and not under a sanitizer, whose memory is another.
MEASURABLE = pytest.mark.skipif(
    sys.platform != "linux" or "ASAN_OPTIONS" in os.environ,
    reason="needs Linux's /proc or ulimit -v, and the engine's own memory")
# Longer than anything should take, also on a machine that does much else.
PATIENCE = 30.0
ERROR = "info string error: "
COUNTS = ("depth", "nodes", "nps", "time", "hashfull", "multipv", "se", "visits", "exact")


class EngineProcess:
    """The engine as a front end runs it.  No wait is without end."""

    def __init__(
        self, directory: Path, *arguments: str, wrapper: Sequence[str] = (), **env: str
    ) -> None:
        self._errors = (directory / "stderr").open("w+b")
        # Not in the source folder, where the package may be there without its core.
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, "-m", "cirulla_ai", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            cwd=directory, env={**os.environ, **env})
        assert self.process.stdin
        assert self.process.stdout
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        self.seen: list[str] = []
        self._listens = True
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        rest = b""
        while self._listens:
            # Never within a read, so that close_output really closes the pipe.
            if not select.select([self.stdout], [], [], 0.05)[0]:
                continue
            data = os.read(self.stdout.fileno(), 1 << 16)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._lines.put(line.decode("latin-1"))
        if rest:
            self._lines.put(f"{rest.decode('latin-1')} without a line feed")
        self._lines.put(None)

    def close_output(self) -> None:
        """Listen no more."""
        self._listens = False
        self._reader.join()
        self.stdout.close()

    def send(self, *lines: str) -> None:
        """Write lines, all at once."""
        self.send_bytes("".join(f"{line}\n" for line in lines).encode("latin-1"))

    def send_bytes(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def line(self, seconds: float = PATIENCE) -> str | None:
        """The next line; None at the end of the output.  Raises queue.Empty if none comes."""
        line = self._lines.get(timeout=seconds)
        if line is not None:
            self.seen.append(line)
        return line

    def until(self, is_last: str | Callable[[str], bool], seconds: float = PATIENCE) -> list[str]:
        """The lines up to the first that starts so (or of which this holds), with it."""
        lines: list[str] = []
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.line(max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {is_last} in {seconds} s after {lines[-20:]}") from None
            assert line is not None, f"the engine ended without {is_last} after {lines[-20:]}"
            lines.append(line)
            if line.startswith(is_last) if isinstance(is_last, str) else is_last(line):
                return lines

    def ask(self, *lines: str) -> list[str]:
        """Send lines, and all that is said until the engine is ready."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def search(self, *lines: str) -> list[str]:
        """Send lines of which the last is a limited go; what is said up to its answer."""
        self.send(*lines)
        return self.until("bestmove")

    def silence(self, seconds: float) -> None:
        """Nothing may be said for so long."""
        try:
            line = self.line(seconds)
        except queue.Empty:
            return
        raise AssertionError(f"{line!r} out of turn")

    def silence_of_answers(self, seconds: float) -> None:
        """No bestmove may be said for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                line = self.line(left)
            except queue.Empty:
                return
            assert line is not None
            assert not line.startswith("bestmove"), f"{line!r} before its time"

    def rest(self, seconds: float = PATIENCE) -> list[str]:
        """All that is still said up to the end of the output."""
        lines: list[str] = []
        end = time.monotonic() + seconds
        while (line := self.line(max(0.0, end - time.monotonic()))) is not None:
            lines.append(line)
        return lines

    def processor_seconds(self) -> float:
        """Processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, key: str) -> int:
        """Bytes: VmRSS now, or VmHWM at most so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(f"{key}:")[1].split()[0]) << 10

    def wait(self, seconds: float = PATIENCE) -> int:
        """Its exit code."""
        return self.process.wait(seconds)

    @property
    def errors(self) -> str:
        """What it has written to standard error."""
        self._errors.flush()
        self._errors.seek(0)
        return self._errors.read().decode("latin-1")

    def close(self) -> None:
        """Leave nothing behind."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.close_output()
        for stream in (self.stdin, self._errors):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


class Output(io.TextIOBase):
    """An output stream that keeps what was written since it was last taken."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def write(self, text: str) -> int:
        self._texts.append(text)
        return len(text)

    def take(self) -> str:
        texts, self._texts = self._texts, []
        return "".join(texts)


class LocalEngine:
    """A server in this process: for what threads and pipes have no part in."""

    def __init__(self) -> None:
        self.output = Output()
        self.errors = Output()
        self.server = Server(cast(TextIO, self.output), errors=cast(TextIO, self.errors))

    def ask(self, *lines: str) -> list[str]:
        """What is said to these lines, each carried out to its end; an infinite search is
        not ended by this, but by a stop among the lines."""
        for line in lines:
            self.server.handle(line)
            if not self.server.is_endless:
                self.server.finish()
        errors = self.errors.take()
        assert not errors, errors
        return self.output.take().splitlines()

    def state(self) -> str:
        """The state string of the position."""
        return state_of(self.ask("d"))


def state_of(lines: Sequence[str]) -> str:
    """The state string among the lines that ``d`` or ``view`` says."""
    found = [line.removeprefix("state: ") for line in lines if line.startswith("state: ")]
    assert len(found) == 1, lines
    return found[0]


def error_of(lines: Sequence[str]) -> str:
    """The one error among the lines, without the words before the command at fault."""
    found = [line.removeprefix(ERROR) for line in lines if line.startswith(ERROR)]
    assert len(found) == 1, lines
    return found[0]


def best_of(lines: Sequence[str]) -> str:
    """The answer of the one search among the lines."""
    found = [line.split()[1] for line in lines if line.startswith("bestmove")]
    assert len(found) == 1, lines
    return found[0]


def infos_of(lines: Sequence[str]) -> list[dict[str, Any]]:
    """The infos about the search among the lines, each read by ``parse_info``."""
    return [parse_info(line) for line in lines
            if line.startswith("info ") and not line.startswith("info string")]


def parse_info(line: str) -> dict[str, Any]:
    """An info line as its numbers, and ``pv`` as a list; it must have nothing else."""
    words = line.split(" ")
    assert words[0] == "info", line
    info: dict[str, Any] = {}
    at = 1
    while at < len(words):
        key = words[at]
        assert key not in info, line
        if key == "pv":
            info["pv"] = words[at + 1:]
            assert all(info["pv"]), line
            break
        if key == "wdl":
            info["wdl"] = [int(word) for word in words[at + 1:at + 4]]
            at += 4
        elif key == "score":
            assert words[at + 1] == "cp", line
            assert re.fullmatch(r"-?[0-9]+", words[at + 2]), line
            info["cp"] = int(words[at + 2])
            at += 3
        else:
            assert key in COUNTS, line
            assert re.fullmatch(r"[0-9]+", words[at + 1]), line
            info[key] = int(words[at + 1])
            at += 2
    return info


def timeless(lines: Sequence[str]) -> list[str]:
    """The lines without what depends on the clock."""
    return [re.sub(r" (nps|time) [0-9]+", "", line) for line in lines]
