"""Random and mutated lines: whatever comes in, the engine goes on and loses nothing.

``CIRULLA_FUZZ_SEED`` changes the lines.  The long run takes their number from
``CIRULLA_FUZZ_LINES``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from support.client import EngineProcess, LocalEngine, state_of
from support.vectors import rows

from cirulla_ai import PRESETS, State
from cirulla_ai.engine.options import OPTIONS
from cirulla_ai.games.fishing.rules import OPTIONS as RULES

SEED = int(os.environ.get("CIRULLA_FUZZ_SEED", "20261"))
LONG = int(os.environ.get("CIRULLA_FUZZ_LINES", "10000000"))
BATCH = 500

COMMANDS = (
    "uci", "isready", "setoption", "debug", "register", "ponderhit", "ucinewgame", "position",
    "go", "stop", "quit", "d", "legal", "view", "score", "perft", "eval", "bench", "rules", "help",
)
WORDS = (
    *COMMANDS, "name", "value", "state", "startpos", "moves", "seed", "searchmoves", "movetime",
    "nodes", "time", "inc", "infinite", "on", "off", "true", "false", "-", "0", "1", "2", "9",
    "-1", "x", "7H", "7HxAS6C", "!3C4D7H=2", "!ACAS2H", "pass", "@3C4D7H", ">7H", "=", "hands=?",
    "99999999999999999999", "4294967296", "-9223372036854775809", "1e9", "0x1", "NaN", "\0",
    "\xff\xfe", "\u00a0", "\x85", "\x1b[2J", "%s%n", "'", '"', "\\", "caff\xe8", "depth", "wtime",
)


@cache
def positions() -> dict[str, list[str]]:
    """The words after ``position`` of vectors, right and wrong, by their rules."""
    found: dict[str, list[str]] = {}
    for name in ("legal", "view", "apply", "track", "read", "refuse", "score"):
        for row in (parameters.values[0] for parameters in rows(name)):
            state = row["text"] if name == "read" else row.get("state", "")
            moves = [*row.get("moves", []), *([row["action"]] if "action" in row else [])]
            rules = sorted(token for token in state.lower().split()
                           if token.partition("=")[0] in ("rules", *RULES))
            found.setdefault(" ".join(rules), []).append(
                " ".join(["state", state, *(["moves", *moves] if moves else [])]))
    return found


class Lines:
    """The lines of one batch, the same for the same seed and number."""

    def __init__(self, seed: int, number: int) -> None:
        self.random = Random(f"{seed} {number}")
        # One game a batch, since new rules take a while to set up.
        self.rules = self.random.choice(list(positions()))
        self.positions = positions()[self.rules]

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(BATCH):
            line = self.line()
            if not self.is_costly(line):
                yield line.encode("latin-1", "replace").replace(b"\n", b" ")

    @staticmethod
    def is_costly(line: str) -> bool:
        """Whether it would take long, or write where a test has no business."""
        words = line.lower().split()
        return "threads" in words or ("debug" in words and "/" in line)

    def line(self) -> str:
        pick = self.random.random()
        if pick < 0.03:
            return "".join(chr(self.random.randrange(256))
                           for _ in range(self.random.randrange(200)))
        if pick < 0.06:
            return " ".join(self.random.choices(WORDS, k=self.random.randrange(12)))
        if pick < 0.061:
            return self.random.choice(WORDS) * self.random.randrange(20000)
        line = self.valid()
        if pick < 0.5:
            for _ in range(self.random.randrange(1, 4)):
                line = self.mutated(line)
        return line

    def valid(self) -> str:
        """A line that is right, or as near as a vector of what is refused."""
        r = self.random
        kinds: list[Callable[[], str]] = [
            lambda: f"position {r.choice(self.positions)}",
            lambda: f"position {r.choice(self.positions)}",
            self.startpos, self.startpos, self.go, self.go, self.go, self.setoption,
            lambda: f"view {r.randrange(4)}",
            lambda: f"perft {r.choice((1, 1, 2))}" if r.random() < 0.3 else "legal",
            lambda: f"rules {r.choice(PRESETS)}" if r.random() < 0.3 else "score",
            lambda: r.choice(("uci", "isready", "debug on", "register later", "ponderhit",
                              "ucinewgame", "stop", "d", "legal", "score", "eval", "rules",
                              "help", "bench 1 1" if r.random() < 0.05 else "stop")),
        ]
        return r.choice(kinds)()

    def startpos(self) -> str:
        words = self.rules.split()
        if self.random.random() < 0.05:
            option = self.random.choice(list(RULES.values()))
            values = [*getattr(option, "choices", ()), "yes", "0", "3"]
            words.append(f"{option.name}={self.random.choice(values)}")
        if self.random.random() < 0.3:
            words.append(f"dealer={self.random.randrange(4)}")
        self.random.shuffle(words)
        line = f"position startpos {' '.join(words)} seed {self.random.randrange(1000)}"
        return f"{line} moves {self.random.choice(WORDS)}" if self.random.random() < 0.2 else line

    def go(self) -> str:
        words = ["go"]
        for limit in self.random.sample(("nodes", "movetime", "time", "inc", "infinite"),
                                        k=self.random.choice((0, 1, 1, 1, 2))):
            words.append(limit)
            if limit != "infinite":
                words.append(str(self.random.randrange(-2, 9)))
        if self.random.random() < 0.1:
            words += ["searchmoves", *self.random.choices(WORDS, k=2)]
        return " ".join(words)

    def setoption(self) -> str:
        option = self.random.choice(list(OPTIONS.values()))
        values = [*option.choices, "true", "false", "0", "1", "3", "20", str(option.low),
                  str(option.high), "log", ""]
        return f"setoption name {option.name} value {self.random.choice(values)}"

    def mutated(self, line: str) -> str:
        r = self.random
        words = line.split(" ")
        at, other = r.randrange(len(words)), r.randrange(len(words))
        kind = r.randrange(8)
        if kind == 0:
            del words[at]
        elif kind == 1:
            words.insert(other, words[at])
        elif kind == 2:
            words[at], words[other] = words[other], words[at]
        elif kind == 3:
            words[at] = r.choice(WORDS)
        elif kind == 4:
            words.insert(at, r.choice(WORDS))
        elif kind == 5 and words[at]:
            word = words[at]
            place = r.randrange(len(word))
            words[at] = word[:place] + chr(r.randrange(256)) + word[place + r.randrange(2):]
        elif kind == 6:
            words[at] = words[at].swapcase()
        elif kind == 7 and r.random() < 0.2:
            return line[:r.randrange(len(line) + 1)]
        return r.choice((" ", " ", " ", "  ", "\t", "\r")).join(words)


def command_of(line: str) -> str:
    """The first known command among the words, which is what the line is."""
    return next((word for word in line.split() if word in COMMANDS), "")


def check_text(lines: list[str], about: str) -> None:
    for line in lines:
        assert line == "" or (line.isascii() and line.isprintable()), (about, line)


def fuzz_server(seed: int, number: int) -> int:
    """One batch for a server in this process; returns the number of lines."""
    engine = LocalEngine()
    server = engine.server
    asked = answered = lines = 0
    line = ""
    try:
        for raw in Lines(seed, number):
            line = raw.decode("utf-8", "surrogateescape")
            command = command_of(line)
            before = server.game
            server.handle(line)
            said = engine.output.take().splitlines()
            check_text(said, line)
            lines += 1
            asked += command == "go"
            answered += sum(text.startswith("bestmove ") for text in said)
            refused = any(text.startswith("info string error: position:") for text in said)
            assert (server.game is not before) == (command == "position" and not refused), line
            errors = engine.errors.take()
            assert not errors, errors
        server.handle("stop")
        said = engine.output.take().splitlines()
        answered += sum(text.startswith("bestmove ") for text in said)
        assert answered == asked
        assert engine.ask("isready") == ["readyok"]
        state = engine.state()
        assert str(State.parse(state)) == state
    except BaseException:
        print(f"CIRULLA_FUZZ_SEED={seed}, batch {number}, line {lines}: {line!r}")
        raise
    return lines


def test_a_server_survives_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where a mutated Debug Log File may come to lie
    done = number = 0
    while done < 100_000:
        done += fuzz_server(SEED, number)
        number += 1


@pytest.mark.long
@pytest.mark.timeout(0)
def test_a_server_survives_anything_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    seed = int(os.environ.get("CIRULLA_FUZZ_SEED") or Random().getrandbits(32))
    print(f"CIRULLA_FUZZ_SEED={seed}")
    done = number = 0
    while done < LONG:
        done += fuzz_server(seed, number)
        number += 1


def test_a_process_survives_anything(start: Callable[..., EngineProcess]) -> None:
    engine = start()
    state = state_of(engine.ask("d"))
    for number in range(10):
        lines = [raw for raw in Lines(SEED, 1_000_000 + number)
                 if command_of(raw.decode("utf-8", "surrogateescape")) != "quit"]
        for at in range(0, len(lines), 50):
            batch = [*lines[at:at + 50], b"stop", b"isready"]
            texts = [raw.decode("utf-8", "surrogateescape") for raw in batch]
            engine.send_bytes(b"".join(raw + b"\n" for raw in batch))
            commands = [command_of(text) for text in texts]
            said = [line for _ in range(commands.count("isready"))
                    for line in engine.until("readyok")]
            check_text(said, str(batch))
            answers = sum(line.startswith("bestmove ") for line in said)
            assert answers == commands.count("go"), batch
            refused = sum(line.startswith("info string error: position:") for line in said)
            before, state = state, state_of(engine.ask("d"))
            assert str(State.parse(state)) == state
            if refused == commands.count("position"):
                assert state == before, batch
    engine.send("quit")
    engine.rest()
    assert engine.wait() == 0
    assert engine.errors == ""
