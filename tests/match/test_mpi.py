"""Matches whose deal sets MPI's processes play, where there is an MPI to try it with."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.command_line import cirulla

PLAYERS = ["--engine", "name=A,player=random", "--engine", "name=B,player=greedy"]
SECONDS = 90

needs_mpi = pytest.mark.skipif(
    not importlib.util.find_spec("mpi4py") or not shutil.which("mpiexec"),
    reason="needs mpi4py and mpiexec")


def environment() -> dict[str, str]:
    """More processes than processors, and root, are no matter here: Open MPI 4's words for it,
    and 5's."""
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A match by three processes: the one that gives out, and two workers."""
    return subprocess.Popen(
        ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m", "cirulla_ai", "match",
         *PLAYERS, "--scheduler", "mpi", "--out", "r", *words],
        cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def stored(path: Path) -> dict[int, str]:
    """The deal sets of a results file, by index; every line is whole."""
    text = path.read_text()
    assert text.endswith("\n")
    return {json.loads(line)["index"]: line for line in text.splitlines()[1:]}


@needs_mpi
def test_the_same_as_by_own_processes(tmp_path: Path) -> None:
    own = cirulla(tmp_path, "match", *PLAYERS, "--deals", "12", "--out", "own")
    process = start(tmp_path, "--deals", "12")
    out, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, errors
    assert out.splitlines()[:-1] == own.stdout.splitlines()[:-1]
    assert stored(tmp_path / "r") == stored(tmp_path / "own")


def wait_for_sets(process: subprocess.Popen[str], path: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while not path.exists() or path.read_bytes().count(b"\n") < 3:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.1)


def ranks(process: subprocess.Popen[str]) -> dict[int, int]:
    """The numbers of a job's processes, by rank."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            variables = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if parent == process.pid:
            values = dict(pair.split("=", 1) for pair in variables if "=" in pair)
            found[int(values["OMPI_COMM_WORLD_RANK"])] = int(folder.name)
    return found


def runs(pid: int) -> bool:
    """Whether a thread of the process runs.  One that has ended, which nobody has waited for, is
    a zombie; the first thread can be one before the others have let go of their files."""
    try:
        return any(stat.read_text().rpartition(")")[2].split()[0] != "Z"
                   for stat in Path(f"/proc/{pid}/task").glob("*/stat"))
    except OSError:
        return Path(f"/proc/{pid}").exists()


@needs_mpi
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="where /proc says what runs")
@pytest.mark.parametrize("what", ["interrupt", "a worker dies"])
def test_it_ends_and_goes_on(tmp_path: Path, what: str) -> None:
    """Ctrl-C and a dead worker end all of the job; nothing that was stored is lost."""
    process = start(tmp_path, "--deals", "99999")
    try:
        wait_for_sets(process, tmp_path / "r")
        job = ranks(process)
        assert set(job) == {0, 1, 2}
        if what == "interrupt":
            process.send_signal(signal.SIGINT)
        else:
            os.kill(job[1], signal.SIGKILL)
        process.communicate(timeout=30)
        assert process.returncode
        deadline = time.monotonic() + 5
        while any(map(runs, job.values())):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        process.kill()
    before = stored(tmp_path / "r")
    deals = max(before) + 3
    again = cirulla(tmp_path, "match", *PLAYERS, "--deals", str(deals), "--out", "r")
    assert again.returncode == 0, again.stderr
    after = stored(tmp_path / "r")
    assert set(after) == set(range(deals))
    assert before.items() <= after.items()


@pytest.mark.parametrize("module", ["mpi4py", "mpi4py.MPI"])
def test_what_is_missing_is_said(
    tmp_path: Path, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = cirulla(tmp_path, "match", *PLAYERS, "--scheduler", "mpi")
    assert done.returncode == 2
    assert done.stderr.startswith("cirulla match: --scheduler mpi: ")
    assert "-m pip install " in done.stderr
    assert "mpi4py" in done.stderr.partition(" pip install ")[2]


@needs_mpi
@pytest.mark.parametrize("words", [[], ["-m", "mpi4py.futures"]])
def test_without_workers_it_says_how_to_start(tmp_path: Path, words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *words, "-m", "cirulla_ai", "match", *PLAYERS, "--scheduler", "mpi"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=SECONDS,
        check=False)
    assert done.returncode == 2
    assert "--scheduler mpi: no workers; start it as mpiexec -n 4 python -m mpi4py.futures -m " \
        "cirulla_ai match …" in done.stderr
    assert "Traceback" not in done.stderr
    assert not [*tmp_path.iterdir()]
