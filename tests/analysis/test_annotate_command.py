"""The command annotate: records in, records or JSON out, by any number of workers, gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from support.command_line import cirulla
from support.engines import fake, is_gone
from support.judged import by_chance

from cirulla_ai.analysis.annotate import Terms, annotate
from cirulla_ai.analysis.dialect import schema, written
from cirulla_ai.analysis.marking import marked
from cirulla_ai.records import read_records, write_record, write_records

QUICK = ("--nodes", "60", "--deep", "120")
COMMAND = [sys.executable, "-m", "cirulla_ai", "annotate"]
RULES = ("cirulla", "scopone", "ciapano", "cirulla players=3", "cirulla", "cirulla")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of records by several rules."""
    path = tmp_path_factory.mktemp("games") / "games.txt"
    with path.open("w", encoding="utf-8") as file:
        write_records((by_chance(rules, k) for k, rules in enumerate(RULES)), file)
    return path


def run(
    *words: str, cwd: Path | None = None, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=120,
                          cwd=cwd, input=given)


def test_records_come_out_annotated(games: Path, tmp_path: Path) -> None:
    done = cirulla(tmp_path, "annotate", str(games), *QUICK)
    assert (done.returncode, done.stderr) == (0, "")
    records = list(read_records(games))
    assert list(read_records(done.stdout)) == [
        marked(record, annotate(record, Terms(nodes=60, deep=120), number=k).as_dict())
        for k, record in enumerate(records, 1)]
    # What is annotated is annotated again, and is the same.
    (tmp_path / "a.txt").write_text(done.stdout, encoding="utf-8")
    assert cirulla(tmp_path, "annotate", "a.txt", *QUICK).stdout == done.stdout


def test_json_is_a_line_a_record(games: Path, tmp_path: Path) -> None:
    done = cirulla(tmp_path, "annotate", str(games), *QUICK, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    validator = jsonschema.Draft202012Validator(schema())
    for line in lines:
        validator.validate(line)
    assert [line["record"] for line in lines] == list(range(1, len(RULES) + 1))
    assert [line["rules"] for line in lines] == list(RULES)
    record = next(iter(read_records(games)))
    assert done.stdout.splitlines()[0] == written(
        annotate(record, Terms(nodes=60, deep=120)).as_dict())


def test_any_number_of_workers_writes_the_same(games: Path, tmp_path: Path) -> None:
    one = cirulla(tmp_path, "annotate", str(games), *QUICK, "--json")
    two = run(str(games), *QUICK, "--json", "--workers", "2")
    assert (two.returncode, two.stderr) == (0, "")
    assert two.stdout == one.stdout
    # From standard input, and into a file.
    three = run("-", *QUICK, "--json", "--workers", "3", "-o", str(tmp_path / "out.jsonl"),
                given=games.read_text(encoding="utf-8"))
    assert (three.returncode, three.stdout, three.stderr) == (0, "", "")
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == one.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_was_killed_is_gone_on_with(games: Path, tmp_path: Path, workers: int) -> None:
    out = tmp_path / "out.txt"
    words = [str(games), "--nodes", "1500", "--workers", str(workers), "-o", str(out)]
    journal = tmp_path / "out.txt.unfinished"
    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE) as killed:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and killed.poll() is None:
            if journal.exists() and journal.read_bytes().count(b"\n") > 1:
                break
            time.sleep(0.01)
        workers_of = Path(f"/proc/{killed.pid}/task/{killed.pid}/children")
        children = [int(pid) for pid in workers_of.read_text().split()] if (
            workers_of.exists()) else []
        killed.kill()
    assert not out.exists() and journal.exists()
    assert all(is_gone(pid) for pid in children)
    kept = journal.read_bytes().count(b"\n") - 1
    assert 1 <= kept < len(RULES)
    # As a kill in the midst of writing leaves it.
    with journal.open("ab") as file:
        file.write(b'{"index":5,"annot')
    other = run(*words, "--seed", "2")
    assert other.returncode == 2 and "different are: seed" in other.stderr
    again = run(*words)
    assert again.returncode == 0
    assert again.stderr == f"{kept} of {len(RULES)} records are in {journal} already\n"
    assert not journal.exists()
    assert out.read_text(encoding="utf-8") == run(str(games), "--nodes", "1500").stdout


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(("number", "code", "says"), [
    (signal.SIGTERM, 143, "ended by SIGTERM; the same command goes on"),
    (signal.SIGINT, 130, "interrupted; the same command goes on")])
@pytest.mark.parametrize("workers", [1, 2])
def test_it_ends_in_order(
    games: Path, tmp_path: Path, number: signal.Signals, code: int, says: str, workers: int
) -> None:
    journal = tmp_path / "out.unfinished"
    with subprocess.Popen(
        [*COMMAND, str(games), "--nodes", "20000", "--workers", str(workers), "-o",
         str(tmp_path / "out")], stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not journal.exists():
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in said) == (code, False), said
    assert says in said
    assert journal.exists() and not (tmp_path / "out").exists()


def test_bad_records_are_named_and_left_out(games: Path, tmp_path: Path) -> None:
    text = games.read_text(encoding="utf-8")
    (tmp_path / "a.txt").write_text(f'[Rules "cirulla"]\n1. 0:7H\n\n{text}', encoding="utf-8")
    done = cirulla(tmp_path, "annotate", "a.txt", *QUICK)
    assert done.returncode == 2
    assert done.stderr.startswith("cirulla annotate: a.txt, line 1: no cards")
    assert len(list(read_records(done.stdout))) == len(RULES)


@pytest.mark.parametrize(("words", "says"), [
    (["none.txt"], "none.txt: No such file"), (["empty.txt"], "no records there"),
    (["a.txt", "--seat", "3"], "seat 3: there are 0 … 1"),
    (["a.txt", "--thresholds", "1,2"], "three numbers are needed"),
    (["a.txt", "--thresholds", "3,2,1"], "thresholds are above 0 and rise"),
    (["a.txt", "--option", "Depth=3"], "there is no option 'Depth'"),
    (["a.txt", "--option", "Depth"], "it takes NAME=VALUE"),
    (["a.txt", "--nodes", "0"], "--nodes"), (["a.txt", "--engine", "player=greedy"], "cmd=COMMAND"),
    (["a.txt", "-o", "no/where"], "there is no folder no"),
    (["a.txt", "--engine", "cmd=./nothing"], "./nothing")])
def test_wrong_uses(tmp_path: Path, words: list[str], says: str) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "a.txt").write_text(write_record(by_chance("cirulla", 1)), encoding="utf-8")
    done = cirulla(tmp_path, "annotate", *words)
    assert done.returncode in (1, 2) and says in done.stderr, done.stderr
    assert done.stdout == ""
    assert not list(tmp_path.glob("*.unfinished"))


def test_an_engine_that_fails_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(write_record(by_chance("cirulla", 1)), encoding="utf-8")
    command = " ".join(fake("crash-search"))
    for workers in ("1", "2"):
        done = run("a.txt", *QUICK, "--engine", f"cmd={command}", "--workers", workers,
                   cwd=tmp_path)
        assert done.returncode == 1
        assert done.stderr.startswith("cirulla annotate: --engine: ")
        assert "Traceback" not in done.stderr
