"""Whatever ends a match, its processes end with it, and its results are whole."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from uuid import uuid4

import pytest

from cirulla_ai.workers.ending import EndedError, Ending, signals_put

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="where /proc says what runs")

SECONDS = 2.0
PYTHON = sys.executable
# As a shell takes it, whatever the folder is called.
QUOTED = shlex.quote(PYTHON)
# An engine, one behind a shell that stays, and one that no end of its input or polite signal ends.
ENGINES = {
    "engine": f"{QUOTED} -m cirulla_ai",
    "wrapped": f'sh -c "{QUOTED} -m cirulla_ai | cat"',
    "deaf": f'sh -c "trap : HUP INT TERM; {QUOTED} -m cirulla_ai; sleep 60; sleep 60"',
}


class Match:
    """A match that is under way, and all processes that it has started."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.mark = f"mark-{uuid4()}"
        self.results = folder / "r"
        self.process = subprocess.Popen(
            [PYTHON, "-m", "cirulla_ai", "match", *words, "--out", "r", "--concurrency", "2"],
            cwd=folder, env={**os.environ, "MARK": self.mark}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def processes(self) -> dict[int, str]:
        """Those that have not ended, by number, and what they are."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if f"MARK={self.mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
        return found

    def wait_for(self, word: str, count: int) -> list[int]:
        """The numbers of the processes whose command has a word, once there are so many."""
        for _ in range(600):
            found = [pid for pid, line in self.processes().items() if word in line]
            if len(found) >= count:
                return found
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.1)
        raise AssertionError(self.processes())

    def wait_for_sets(self, count: int) -> None:
        """Wait until so many deal sets are stored."""
        for _ in range(600):
            if self.results.exists() and self.results.read_bytes().count(b"\n") > count:
                return
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.1)
        raise AssertionError("no deal set is finished")

    def check_gone(self) -> None:
        """All of it is gone within two seconds."""
        began = time.monotonic()
        while (left := self.processes()) and time.monotonic() - began < SECONDS:
            time.sleep(0.02)
        assert not left


@contextmanager
def playing(folder: Path, *words: str) -> Iterator[Match]:
    match = Match(folder, *words)
    try:
        yield match
    finally:
        match.process.kill()
        match.process.communicate()
        for pid in match.processes():
            os.kill(pid, signal.SIGKILL)


def engine(command: str) -> list[str]:
    return ["--engine", f"name=A,cmd={command}", "--engine", "name=B,player=greedy",
            "--deals", "9999", "--movetime", "60000", "--margin", "60000"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("kind", ENGINES)
def test_engines_and_workers_end_with_the_match(
    tmp_path: Path, kind: str, number: signal.Signals
) -> None:
    with playing(tmp_path, *engine(ENGINES[kind])) as match:
        match.wait_for("spawn_main", 2)
        # The match itself, and each worker's engine, with the shell before it.
        match.wait_for("-m cirulla_ai", 3 if kind == "engine" else 5)
        match.process.send_signal(number)
        match.check_gone()
        _, errors = match.process.communicate()
        if number == signal.SIGKILL:
            assert match.process.returncode == -number
        else:
            assert match.process.returncode == 128 + number
            assert errors.endswith(f"ended by {number.name}; the same command goes on\n")
            assert "Traceback" not in errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_engines_end_with_their_worker(tmp_path: Path, number: signal.Signals) -> None:
    with playing(tmp_path, *engine(ENGINES["deaf"])) as match:
        workers = match.wait_for("spawn_main", 2)
        match.wait_for("-m cirulla_ai", 5)
        os.kill(workers[0], number)
        match.process.wait(timeout=60)
        match.check_gone()
        _, errors = match.process.communicate()
        assert match.process.returncode == 1
        assert "a worker has died" in errors


def test_a_search_of_a_worker_itself_ends(tmp_path: Path) -> None:
    words = ["--engine", "player=engine", "--engine", "player=careful", "--deals", "9999",
             "--movetime", "60000"]
    with playing(tmp_path, *words) as match:
        match.wait_for("spawn_main", 2)
        time.sleep(2)
        match.process.kill()
        match.check_gone()


def test_what_is_stored_is_whole_and_is_gone_on_with(tmp_path: Path) -> None:
    words = ["--engine", "name=A,player=random", "--engine", "name=B,player=greedy"]
    with playing(tmp_path, *words, "--deals", "99999") as match:
        match.wait_for_sets(5)
        match.process.terminate()
        match.check_gone()
    text = (tmp_path / "r").read_bytes()
    assert text.endswith(b"\n")
    stored = [json.loads(line) for line in text.splitlines()[1:]]
    assert len(stored) >= 5
    deals = max(line["index"] for line in stored) + 3
    with playing(tmp_path, *words, "--deals", str(deals)) as match:
        assert match.process.wait(timeout=60) == 0
    again = (tmp_path / "r").read_bytes()
    assert again.startswith(text)
    assert sorted(json.loads(line)["index"] for line in again.splitlines()[1:]) == [*range(deals)]


def test_after_the_second_interrupt_nothing_is_waited_for(tmp_path: Path) -> None:
    with playing(tmp_path, *engine(ENGINES["engine"])) as match:
        match.wait_for("-m cirulla_ai", 3)
        match.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        match.process.send_signal(signal.SIGINT)
        match.check_gone()
        assert match.process.wait() == 130


def test_engines_are_asked_to_leave_where_all_is_played(tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text(f"{QUOTED} -m cirulla_ai\necho $? >> {tmp_path}/left\n")
    words = ["--engine", f"name=A,cmd={shlex.join(['sh', str(script)])}",
             "--engine", "player=random", "--deals", "3", "--nodes", "1"]
    with playing(tmp_path, *words) as match:
        assert match.process.wait(timeout=120) == 0
        match.check_gone()
    # The one that was tried first, and a worker's two.
    assert (tmp_path / "left").read_text().split() in (["0"] * 3, ["0"] * 5)


def test_a_test_that_is_decided_waits_for_nothing(tmp_path: Path) -> None:
    """Of sets that are played when it is, nothing is left."""
    words = ["--engine", "name=A,player=random", "--engine",
             f"name=B,cmd={QUOTED} -m cirulla_ai,nodes=1", "--deals", "9999",
             "--sprt", "points0=-50,points1=50"]
    with playing(tmp_path, *words) as match:
        assert match.process.wait(timeout=120) == 0
        match.check_gone()
        out, errors = match.process.communicate()
        assert "accepted" in out
        assert not errors.count("Traceback")


def test_a_full_disk_is_said_and_what_is_stored_is_gone_on_with(tmp_path: Path) -> None:
    words = [PYTHON, "-m", "cirulla_ai", "match", "--engine", "name=A,player=random", "--engine",
             "name=B,player=greedy", "--deals", "60", "--out", "r"]

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    full = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False,
                          preexec_fn=small)
    assert full.returncode == 2
    assert full.stderr.splitlines()[-1].startswith("cirulla match: r: File too large; ")
    assert "Traceback" not in full.stderr
    text = (tmp_path / "r").read_bytes()
    assert text.endswith(b"\n") and 2000 < len(text) <= 3000
    again = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "r").read_bytes().startswith(text)
    whole = subprocess.run([*words[:-1], "whole"], cwd=tmp_path, capture_output=True, text=True,
                           check=False)
    assert again.stdout.splitlines()[:-1] == whole.stdout.splitlines()[:-1]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 120 KiB, where one can be had."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120k", "tmpfs", str(folder)],
                             capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_small_disk(small_disk: Path) -> None:
    words = [PYTHON, "-m", "cirulla_ai", "match", "--engine", "name=A,player=random", "--engine",
             "name=B,player=greedy", "--records", "games", "--out", "r", "--deals"]
    full = subprocess.run([*words, "5000"], cwd=small_disk, capture_output=True, text=True,
                          check=False)
    assert full.returncode == 2
    assert full.stderr.splitlines()[-1].startswith("cirulla match: r: No space left on device; ")
    text = (small_disk / "r").read_bytes()
    assert text.endswith(b"\n")
    # Fewer deals are all there, and no room is left for the records.
    deals = str(min(set(range(5000)) - {json.loads(line)["index"]
                                        for line in text.splitlines()[1:]}))
    again = subprocess.run([*words, deals], cwd=small_disk, capture_output=True, text=True,
                           check=False)
    assert again.returncode == 2
    assert "cirulla match: games: No space left on device; the same command writes it again" \
        in again.stderr
    assert "Traceback" not in again.stderr
    assert (small_disk / "r").read_bytes() == text


@pytest.mark.parametrize("words", [
    ["--records", "games"], ["--plot", "p.png"], ["--plot", "p.svg"]])
def test_files_that_do_not_fit_are_said_after_the_result(tmp_path: Path, words: list[str]) -> None:
    if words[0] == "--plot":
        pytest.importorskip("matplotlib")
        # So that its own cache is no matter.
        __import__("matplotlib.font_manager")
    command = [PYTHON, "-m", "cirulla_ai", "match", "--engine", "name=A,player=random", "--engine",
               "name=B,player=greedy", "--deals", "3", "--out", "r", *words]
    # The results are there; just what comes out of them no longer fits.
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / words[1]).unlink()

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    full = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False,
                          preexec_fn=small)
    assert full.returncode == 2, full.stderr
    assert f"cirulla match: {words[1]}: File too large; the same command writes it again" \
        in full.stderr
    assert "Traceback" not in full.stderr
    assert "3 deal sets" in full.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_standard_output_is_said(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PYTHON, "-m", "cirulla_ai", "match", "--engine", "name=A,player=random", "--engine",
             "name=B,player=greedy", "--deals", "3", "--out", "r", "--json", "--records", "games"],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "standard output: No space left on device; the results are in r" in done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    assert (tmp_path / "games").read_text().count("[Rules ") == 6


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_nobody_who_hears_of_its_progress_is_no_matter(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PYTHON, "-m", "cirulla_ai", "match", "--engine", "name=A,player=random", "--engine",
             "name=B,player=greedy", "--deals", "12", "--out", "r"],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, text=True, check=False)
    assert done.returncode == 0
    assert "12 deal sets" in done.stdout


# --- signals ------------------------------------------------------------------------------

def test_a_signal_ends_the_block_and_is_named() -> None:
    with Ending() as ending:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)
        raise AssertionError("it went on")
    assert ending.signal is signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_what_comes_of_it_on_the_way_out_is_part_of_it() -> None:
    with Ending() as ending:
        try:
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(5)
        except EndedError:
            raise OSError("the terminal is gone") from None
    assert ending.signal is signal.SIGHUP


def test_other_errors_are_no_end() -> None:
    with pytest.raises(ZeroDivisionError), Ending():
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Ending() as ending:
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(0.05)
        assert ending.signal is None
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signals_that_are_put_raise_where_they_are_called() -> None:
    events: SimpleQueue[Callable[[], object]] = SimpleQueue()
    with Ending() as ending:
        with signals_put(events.put):
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGTERM)
            with pytest.raises(KeyboardInterrupt):
                events.get(timeout=5)()
            term = events.get(timeout=5)
            term()
        raise AssertionError("it went on")
    assert ending.signal is signal.SIGTERM
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_no_moment_is_a_bad_one_for_an_interrupt(tmp_path: Path) -> None:
    words = ["--engine", "name=A,player=random", "--engine", "name=B,player=greedy"]
    for k in range(6):
        folder = tmp_path / str(k)
        folder.mkdir()
        with playing(folder, *words, "--deals", "99999") as match:
            match.wait_for_sets(1 + 5 * k)
            match.process.send_signal(signal.SIGINT)
            assert match.process.wait(timeout=60) == 130
            match.check_gone()
