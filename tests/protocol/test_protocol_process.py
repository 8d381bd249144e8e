"""The engine as a process: its streams, its text, its end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.client import (
    MEASURABLE,
    EngineProcess,
    best_of,
    error_of,
    infos_of,
    state_of,
)

from cirulla_ai import State
from cirulla_ai.protocol.server import MAX_LINE

Start = Callable[..., EngineProcess]
ENDLESS = "go infinite"


def finish(engine: EngineProcess, seconds: float = 5.0) -> list[str]:
    """The rest of what is said by an engine that is to end within so long."""
    lines = engine.rest(seconds)
    assert engine.wait(seconds) == 0
    assert engine.errors == ""
    return lines


def test_nothing_is_said_before_it_is_asked(engine: EngineProcess) -> None:
    engine.silence(0.4)
    engine.send("uci")
    lines = engine.until("uciok")
    assert lines[0].startswith("id name cirulla-ai ")
    assert lines[1].startswith("id author ")
    assert all(line.startswith("option name ") for line in lines[2:-1])


def test_every_line_ends_with_a_line_feed_and_is_ascii(start: Start) -> None:
    engine = start()
    commands = ("uci", "d", "help", "rules", "rules scopa", "eval", "score", "legal", "view 1",
                "perft 2", "bench 1 1", "go nodes 3", "setoption name Hash value 0", "caffè",
                "position state rules=è", "go searchmoves è", "view è", "perft \0\x1b[1m",
                "setoption name \x07 value \xff")
    engine.send(*commands)
    engine.stdin.close()
    lines = finish(engine, 30)
    assert len(lines) > 100
    for line in lines:
        assert line == "" or line.isascii(), line
        assert line.isprintable(), line
        assert "\\u2026" not in line


@pytest.mark.parametrize("data", [
    b"isready\r\n", b"\tisready \n", b"\n\n  \r\n isready\n", b"\xef\xbb\xbfisready\n",
    b"\xef\xbb\xbf\r\nisready\r\n", b"hello world isready\n", b"isready   now\n", b"\x0cisready\n",
])
def test_white_space_and_byte_order_mark(engine: EngineProcess, data: bytes) -> None:
    engine.send_bytes(data)
    assert engine.line() == "readyok"
    assert engine.ask() == []


def test_white_space_within_a_command(engine: EngineProcess) -> None:
    engine.send_bytes(b"  position\tstartpos   seed\t5 moves  \r\nsetoption  name\tMulti"
                      b"PV   value  3 \r\ngo\t nodes\t  20\r\n")
    assert len(infos_of(engine.until("bestmove"))) >= 3
    assert engine.ask("position startpos seed 5", "d") == engine.ask("d")


@pytest.mark.parametrize("line", ["xyzzy", "Isready", "GO", "go2", "\x00", "\xff\xfe", "=" * 5000])
def test_unknown_commands_are_said_to_be_unknown(engine: EngineProcess, line: str) -> None:
    said = engine.ask(line)
    assert len(said) == 1
    assert said[0].startswith("info string unknown command: ")
    assert len(said[0]) < 1000


def test_unknown_words_before_a_command_are_skipped(engine: EngineProcess) -> None:
    assert engine.ask("joho legal") == engine.ask("legal")


def test_a_line_without_an_end_is_read(start: Start) -> None:
    engine = start()
    engine.send_bytes(b"isready\ngo nodes 5")
    engine.stdin.close()
    assert best_of(finish(engine)) != "(none)"


def test_a_line_of_a_hundred_thousand_words(engine: EngineProcess) -> None:
    state = engine.ask("d")
    words = "7H " * 100_000
    for line in (f"position startpos moves {words}", f"position state {words}",
                 f"go searchmoves {words}", f"setoption name {words}", f"view {words}",
                 f"go nodes {words}", f"perft {words}"):
        assert len(error_of(engine.ask(line))) < 2000
    assert len(engine.ask(words)) == 1
    assert len(engine.ask(f"legal {words}")) == 1
    assert engine.ask("d") == state


def test_a_line_that_is_too_long_is_refused(engine: EngineProcess) -> None:
    state = engine.ask("d")
    for command in ("position startpos seed 5 moves", "legal"):
        assert "bytes" in error_of(engine.ask(f"{command} {'x' * MAX_LINE}"))
    # Also then a client is not left waiting for its answer.
    said = engine.ask(f"go nodes 5 {'x' * (3 * MAX_LINE)}")
    assert "bytes" in error_of(said)
    assert said[-1] == "bestmove (none)"
    assert len(engine.ask("x" * 2 * MAX_LINE)) == 1
    assert engine.ask("d") == state


@pytest.mark.parametrize("commands", [
    [], ["isready"], [ENDLESS], ["go"], ["go infinite nodes 5"], ["setoption name Threads value 2",
                                                                  ENDLESS],
])
def test_the_end_of_the_input_ends_what_has_no_limit(start: Start, commands: list[str]) -> None:
    engine = start()
    engine.send("isready", *commands)
    engine.until("readyok")
    started = time.monotonic()
    engine.stdin.close()
    lines = finish(engine)
    assert time.monotonic() - started < 3
    if any(command.startswith("go") for command in commands):
        assert best_of(lines) != "(none)"


def test_the_end_of_the_input_lets_a_limited_search_finish(start: Start) -> None:
    engine = start()
    engine.send("go nodes 30000")
    engine.stdin.close()
    lines = finish(engine, 30)
    assert infos_of(lines)[-1]["nodes"] == 30000
    assert best_of(lines) != "(none)"


def test_the_end_of_the_input_lets_counts_and_what_waits_finish(start: Start) -> None:
    engine = start()
    engine.send("bench 1 3000", "position startpos rules=scopa seed 1", "perft 3", "d",
                "go nodes 20", "bench 1 10", "go nodes 30")
    engine.stdin.close()
    lines = finish(engine, 60)
    assert sum(line.startswith("Nodes searched: ") for line in lines) == 3
    assert " ".join(lines).count("rules=scopa") == 1
    assert lines[-1].startswith("bestmove")
    assert sum(line.startswith("bestmove") for line in lines) == 2


def test_the_end_of_the_input_with_an_endless_search_that_waits(start: Start) -> None:
    engine = start()
    engine.send("bench 1 1000", "go infinite", "bench 1 10", "go infinite")
    engine.stdin.close()
    assert sum(line.startswith("bestmove") for line in finish(engine, 60)) == 2


def test_an_ordinary_session(engine: EngineProcess) -> None:
    """The commands in the order in which graphical front ends send them."""
    engine.send("uci")
    assert engine.until("uciok")
    engine.send("debug off", "setoption name Hash value 32", "setoption name Threads value 2",
                "setoption name MultiPV value 1", "setoption name Ponder value false", "isready")
    # Of what it does not have it says so, and goes on.
    assert "Ponder" in error_of(engine.until("readyok"))
    state = State.deal("cirulla", dealer=1, seed=12)
    view, words = state.view(0), ""
    for _ in range(2):
        engine.send("ucinewgame", "isready")
        engine.until("readyok")
    while not state.is_over:
        last = state.round
        if state.turn == 0:
            engine.send(f"position state {view} moves{words}", "isready")
            assert engine.until("readyok") == ["readyok"]
            engine.send("go time 500 inc 5" if state.stock_count else "go infinite")
            if not state.stock_count:
                engine.until("info")
                engine.send("stop")
            action = best_of(engine.until("bestmove"))
        else:
            action = str(state.legal_actions()[0])
        state = state.apply(action)
        words += f" {action}"
        if state.round > last:
            words += " @" + "".join(state.hands[0])
    engine.send(f"position state {view} moves{words}", "score")
    assert engine.line() == f"score 0 total {state.points()[0].total} " + engine.seen[-1].split(
        " ", 4)[4]


@MEASURABLE
def test_a_flood_of_commands_that_wait_takes_little_memory(start: Start) -> None:
    engine = start()
    engine.ask("position startpos rules=cirullone-9 seed 1", "perft 1")
    before = engine.memory("VmRSS")

    def flood() -> None:
        with contextlib.suppress(OSError):
            while True:
                engine.send_bytes(b"perft 30\n" * 5000)

    writer = threading.Thread(target=flood)
    writer.start()
    time.sleep(2)
    memory = engine.memory("VmHWM")
    engine.process.kill()
    writer.join(30)
    assert not writer.is_alive()
    assert memory - before < 6 << 20


def test_quit_is_quick_whatever_runs(start: Start) -> None:
    for commands in ([], [ENDLESS], ["go movetime 60000"], ["perft 30"], ["bench 2 2000000000"],
                     ["setoption name Threads value 4", ENDLESS]):
        engine = start()
        engine.ask("position startpos rules=cirullone-9 seed 1")
        engine.send(*commands)
        engine.silence_of_answers(0.3)
        started = time.monotonic()
        engine.send("quit")
        lines = finish(engine)
        # 0.2 s where nothing else runs.
        assert time.monotonic() - started < 2
        if commands and commands[-1].startswith("go"):
            assert best_of(lines) != "(none)"


@pytest.mark.parametrize("command", ["isready", "d", ENDLESS, "go movetime 60000"])
def test_a_closed_output_ends_the_engine_quietly(start: Start, command: str) -> None:
    engine = start()
    engine.ask()
    engine.send(command)
    engine.close_output()
    for _ in range(3):
        try:
            engine.send("isready")
        except BrokenPipeError:
            break
    assert engine.wait(10) == 0
    assert engine.errors == ""


def test_a_dead_front_end_is_noticed_also_by_a_silent_count(start: Start) -> None:
    engine = start()
    engine.ask("position startpos rules=cirullone-9 seed 1")
    engine.send("perft 30")
    engine.close_output()
    engine.stdin.close()
    assert engine.wait(10) == 0
    assert engine.errors == ""


@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 0), ("2>&-", 0),
                                              ("<&- >&- 2>&-", 0)])
def test_closed_streams_from_the_start(tmp_path: Path, closed: str, code: int) -> None:
    script = f'exec "$0" -m cirulla_ai {closed}'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], input=b"uci\ngo depth 1\ngo nodes 5\nquit\n",
        capture_output=True, timeout=30, cwd=tmp_path, check=False)
    assert done.returncode == code
    assert done.stderr == b""
    if closed == "2>&-":
        assert done.stdout.count(b"bestmove") == 2


def test_a_full_disk_under_the_output_ends_the_engine(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-m", "cirulla_ai"], input=b"uci\ngo\n",
                              stdout=full, stderr=subprocess.PIPE, timeout=30, cwd=tmp_path,
                              check=False)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize("command", ["isready", ENDLESS, "perft 30"])
def test_an_interrupt_ends_the_engine_without_a_traceback(start: Start, command: str) -> None:
    engine = start()
    engine.ask("setoption name Threads value 2", "position startpos rules=cirullone-9 seed 1")
    engine.send(command)
    engine.silence_of_answers(0.3)
    engine.process.send_signal(signal.SIGINT)
    assert engine.wait(5) == 130
    assert engine.errors == ""


def test_the_log_file_has_all_lines_both_ways(engine: EngineProcess, tmp_path: Path) -> None:
    log, other = tmp_path / "a log.txt", tmp_path / "other.txt"
    engine.ask(f"setoption name Debug Log File value {log}")
    engine.send("go nodes 3")
    said = engine.until("bestmove") + engine.ask("d", "è")
    engine.ask(f"setoption name Debug Log File value {other}", "legal")
    engine.ask("setoption name Debug Log File value", "uci")
    text = log.read_text(encoding="ascii").splitlines()
    assert [line[2:] for line in text if line.startswith("< ")][1:len(said) + 1] == said
    assert "> go nodes 3" in text
    assert "> legal" in other.read_text()
    assert "> legal" not in text
    assert "uciok" not in other.read_text()
    assert state_of(said)


@pytest.mark.parametrize("path", ["/", "/nowhere/log", "/dev/full"])
def test_a_log_file_that_cannot_be_written(engine: EngineProcess, path: str) -> None:
    said = engine.ask(f"setoption name Debug Log File value {path}")
    if path != "/dev/full":
        assert path in error_of(said)
    assert engine.search("go nodes 3")[-1].startswith("bestmove ")


def test_a_pipe_that_nobody_reads_is_no_log_file(engine: EngineProcess, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "pipe" in error_of(engine.ask(f"setoption name Debug Log File value {tmp_path}/pipe"))


FORKING = """
import io, os, sys
from cirulla_ai.protocol import Server

def search():
    output = io.StringIO()
    server = Server(output)
    for line in ("setoption name Seed value 3", "position startpos seed 4", "go nodes 500"):
        server.handle(line)
    server.end()
    return output.getvalue().splitlines()[-1]

before = search()
child = os.fork()
if child == 0:
    os._exit(0 if search() == before else 1)
assert os.waitpid(child, 0)[1] == 0
assert search() == before
"""


def test_an_engine_works_after_a_fork(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-W", "error::ResourceWarning", "-c", FORKING],
                          capture_output=True, timeout=60, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
