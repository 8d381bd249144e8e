"""The command ``cirulla`` from the shell."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.command_line import cirulla

import cirulla_ai
from cirulla_ai import State, __version__
from cirulla_ai._core import VARIANT


def process(directory: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cirulla_ai", *arguments], input=text, capture_output=True,
        encoding="utf-8", timeout=60, cwd=directory, check=False)


def test_version_and_help(tmp_path: Path) -> None:
    assert process(tmp_path, "--version").stdout == f"cirulla-ai {__version__} ({VARIANT})\n"
    assert "perft" in cirulla(tmp_path, "--help").stdout


def test_the_protocol_is_what_it_speaks(tmp_path: Path) -> None:
    done = process(tmp_path, text="isready\ngo nodes 10\n")
    assert done.returncode == 0
    assert done.stdout.startswith("readyok\ninfo depth ")
    assert done.stdout.splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize("words", [
    [], ["startpos", "seed", "0"], ["startpos seed 0 moves"], [f"state {State.deal(seed=0)}"],
])
def test_perft(tmp_path: Path, words: list[str]) -> None:
    done = cirulla(tmp_path, "perft", "3", *words)
    counts = State.deal(seed=0).perft(3)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        *(f"{action}: {n}" for action, n in counts.items()),
        f"Nodes searched: {sum(counts.values())}"]


def test_rules(tmp_path: Path) -> None:
    assert "scopone-scientifico" in cirulla(tmp_path, "rules").stdout
    assert "target=11" in cirulla(tmp_path, "rules", "scopa").stdout


@pytest.mark.parametrize(("arguments", "names"), [
    (["perft"], "DEPTH"), (["perft", "0"], "1"), (["perft", "37"], "36"), (["perft", "x"], "x"),
    (["perft", "2", "nonsense"], "nonsense"), (["perft", "2", "startpos", "seed"], "seed"),
    (["bench", "0"], "THREADS"), (["bench", "1", "0"], "NODES"),
    (["rules", "nonsense"], "nonsense"), (["nonsense"], "nonsense"),
    (["match", "--rulez", "scopa"], "usage: cirulla match"),
    (["match", "--rulez", "scopa"], "there is no --rulez scopa here"),
    (["--nonsense"], "there is no --nonsense here"),
])
def test_a_wrong_use_is_said_in_a_line(tmp_path: Path, arguments: list[str], names: str) -> None:
    done = cirulla(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert names in done.stderr
    assert "Traceback" not in done.stderr


# An equilibrium of two cards each, that is never good enough.
ENDLESS = [
    "solve", "--gap", "0", "--iterations", "1000000", "state rules=cirulla rounds=14,2,2 dealer=1 "
    "turn=0 round=2 hands=5HKH/?2 table=2HJD scopa=10/6 last=1 taken=AHADACAS2D2S3H3D3C3S4D4S5C5S"
    "6H7H7C7SJHJSQHKDKCKS/4H4C6C6SQDQS stock=?4 viewer=0"]
COUNTER = """
import sys
from cirulla_ai.commands import main
print("imported", flush=True)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("arguments", [["perft", "30", "startpos", "rules=cirullone-9"],
                                       ["bench", "1", "2000000000"], ENDLESS])
def test_an_interrupt_ends_a_count(tmp_path: Path, arguments: list[str]) -> None:
    process = subprocess.Popen([sys.executable, "-c", COUNTER, *arguments], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    try:
        # However long the machine takes to start it.
        assert process.stdout.readline() == b"imported\n"
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
    finally:
        process.kill()
    assert process.returncode == -signal.SIGINT
    assert errors == b""


@pytest.mark.parametrize("arguments", [["rules", "scopa"], ["perft", "2"], ["--help"]])
def test_a_closed_pipe_is_no_traceback(tmp_path: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([sys.executable, "-m", "cirulla_ai", *arguments], stdout=writing,
                              stderr=subprocess.PIPE, timeout=60, cwd=tmp_path, check=False)
    finally:
        os.close(writing)
    assert b"Traceback" not in done.stderr


def test_a_full_disk_is_said_in_a_line(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-m", "cirulla_ai", "rules"], stdout=full,
                              stderr=subprocess.PIPE, timeout=60, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"cirulla: ")
    assert done.stderr.count(b"\n") == 1


def test_a_folder_of_sources_says_what_it_is(tmp_path: Path) -> None:
    package = Path(cirulla_ai.__file__).parent
    shutil.copytree(package, tmp_path / "cirulla_ai",
                    ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    done = process(tmp_path, "rules")
    assert done.returncode == 1
    assert "the compiled core is missing in" in done.stderr
    assert "pip install -e . builds it, in the folder of setup.py" in done.stderr
    (tmp_path / "setup.py").touch()
    done = process(tmp_path, "rules")
    assert f"-m pip install -e {shlex.quote(str(tmp_path))}" in done.stderr
