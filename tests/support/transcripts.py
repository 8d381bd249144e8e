"""Conversations in the documents: played again, and written anew when the engine has changed.

    python tests/support/transcripts.py docs/*.md README.md     rewrites the engine's lines

A conversation is a ``text`` block with lines ``> …`` to the engine and ``< …`` from it;
``< …`` alone stands for any lines that are left out.
"""

from __future__ import annotations

import io
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from cirulla_ai.protocol.server import Server

BLOCK = re.compile(r"(```text\n)(.*?)(```)", re.DOTALL)
LEFT_OUT = "< …"


def conversations(text: str) -> Iterator[list[str]]:
    """The lines of each conversation in a document."""
    for match in BLOCK.finditer(text):
        lines = match[2].splitlines()
        if any(line.startswith("> ") for line in lines):
            yield lines


def timeless(line: str) -> str:
    """A line without what differs from one run or build to the next."""
    line = re.sub(r" nps \d+ time \d+", " nps N time N", line.rstrip())
    line = re.sub(r"^(< id name .*) \(.*\)$", r"\1 (BUILD)", line)
    return re.sub(r"^< Nodes/second: \d+", "< Nodes/second: N", line)


def replay(lines: list[str]) -> list[str]:
    """The conversation as it goes now, ``LEFT_OUT`` nowhere."""
    output = io.StringIO()
    server = Server(output)
    ended = threading.Event()
    server.on_job_end = ended.set
    now: list[str] = []
    read = 0

    def take() -> None:
        nonlocal read
        text = output.getvalue()
        now.extend(f"< {line}".rstrip() for line in text[read:].splitlines())
        read = len(text)

    for line in lines:
        if not line.startswith("> "):
            continue
        command = line[2:]
        ended.clear()
        now.append(line)
        server.handle(command)
        if command.startswith(("go nodes", "go movetime", "perft", "bench", "go searchmoves")):
            # Until its last word, or the refusal that comes at once.
            while not ended.is_set() and "error" not in output.getvalue()[read:]:
                time.sleep(0.01)
        elif command.startswith("go"):
            time.sleep(0.3)
        take()
    server.end()
    take()
    return now


def agrees(written: list[str], now: list[str]) -> bool:
    """Whether a written conversation is the one of now, with lines left out where it says."""
    parts = [""]
    for line in written:
        if line.rstrip() == LEFT_OUT:
            parts.append("")
        else:
            parts[-1] += re.escape(timeless(line)) + "\n"
    pattern = "(?:.*\n)*".join(parts)
    return re.fullmatch(pattern, "".join(timeless(line) + "\n" for line in now)) is not None


def shortened(written: list[str], now: list[str]) -> list[str]:
    """The new conversation with the answers shortened where the old one's were.

    An answer that was cut keeps as many of its first and last lines.
    """
    def answers(lines: list[str]) -> list[list[str]]:
        out: list[list[str]] = []
        for line in lines:
            if line.startswith("> "):
                out.append([line])
            elif out:
                out[-1].append(line)
        return out

    result = []
    for old, new in zip(answers(written), answers(now), strict=True):
        if LEFT_OUT in old:
            at = old.index(LEFT_OUT)
            tail = len(old) - at - 1
            new = [*new[:at], LEFT_OUT, *(new[-tail:] if tail else [])]
        result += new
    return result


def update(path: Path) -> None:
    """Write a document's conversations as they go now."""
    def rewrite(match: re.Match[str]) -> str:
        lines = match[2].splitlines()
        if not any(line.startswith("> ") for line in lines):
            return match[0]
        now = replay(lines)
        if agrees(lines, now):
            return match[0]
        return match[1] + "\n".join(shortened(lines, now)) + "\n" + match[3]

    path.write_text(BLOCK.sub(rewrite, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        update(Path(name))
