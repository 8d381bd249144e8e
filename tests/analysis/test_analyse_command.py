"""``cirulla analyse`` from the shell."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import cirulla
from support.dialect import objects

from cirulla_ai import PRESETS, Limit, State
from cirulla_ai.analysis import analyse
from cirulla_ai.analysis.report import report_lines

README = "state rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0"


def test_json_says_what_the_library_says(tmp_path: Path) -> None:
    done = cirulla(tmp_path, "analyse", *README.split(), "--nodes", "900", "--seed", "7", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (words,) = objects(done.stdout)
    found = analyse(State.parse(README.removeprefix("state ")), Limit(nodes=900), seed=7).as_dict()
    found["seconds"] = words["seconds"]
    assert words == found


@pytest.mark.parametrize("position", [
    [README], ["position", *README.split()], ["\ufeffposition " + README]])
def test_however_the_position_is_written(tmp_path: Path, position: list[str]) -> None:
    done = cirulla(tmp_path, "analyse", "--nodes", "100", *position, "--json", "--top", "2")
    (words,) = objects(done.stdout)
    assert words["limit"] == {"nodes": 100}
    assert words["round"] == 1
    assert len(words["actions"]) == 2


def test_moves_are_played_and_remembered(tmp_path: Path) -> None:
    start = State.deal("cirulla", dealer=1, seed=1)
    action = start.legal_actions()[0]
    done = cirulla(tmp_path, "analyse", "startpos", "dealer=1", "seed", "1", "moves", str(action),
                   "--nodes", "100", "--json")
    (words,) = objects(done.stdout)
    assert words["seat"] == 1
    assert words["state"] == str(start.apply(action).view(1))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_table_fits(tmp_path: Path, preset: str) -> None:
    done = cirulla(tmp_path, "analyse", "startpos", f"rules={preset}", "seed", "2", "--nodes", "99")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout
    assert done.stdout.count("±") >= 1
    # Each legal play is a row, with its rank.
    legal = len(State.deal(preset, seed=2).legal_actions())
    ranks = [line.split()[0] for line in lines if line[:3].strip().isdigit()]
    assert ranks == [str(rank) for rank in range(1, legal + 1)]


def test_what_the_table_says(tmp_path: Path) -> None:
    text = cirulla(tmp_path, "analyse", *README.split(), "--nodes", "4000").stdout
    assert text.startswith("cirulla, round 1 of 6, match 0-0 to 51, seat 0's view\n")
    assert "!3C4D7H=1" in text.split("what it does")[1].splitlines()[1]
    for words in ("claims, +3", "takes 5D 6C", "takes AS KD", "then ", "4,000 iterations",
                  "match: chance to win", "seat 1, 3 cards   9: each of 33 cards"):
        assert words in text
    assert "too close" not in text
    close = "state rules=scopa dealer=1 hands=JHJCJS/?3 table=2H2C5DKS viewer=0"
    text = cirulla(tmp_path, "analyse", *close.split(), "--nodes", "1000").stdout
    assert "1, 2 and 3 are too close to call." in text
    exact = ("state rules=scopa dealer=1 turn=1 round=6 hands=-/7D table=7H "
             "taken=AHADACAS2H2D2C2S3H3D3C3S4H4D4C4S5H5D5C5S/6H6D6C6SJHJDJCJSQHQDQCQSKHKDKCKS7S7C "
             "scopa=0/0 last=0 stock=- phase=play")
    text = cirulla(tmp_path, "analyse", *exact.split(), "--nodes", "1000").stdout
    assert "There is nothing else to play." in text
    assert "all cards are known" in text
    assert "±" not in text.split("what it does")[1].splitlines()[1]


def test_colours_only_on_a_terminal(tmp_path: Path) -> None:
    plain = list(report_lines(analyse(State.parse(README[6:]), Limit(nodes=500))))
    lit = list(report_lines(analyse(State.parse(README[6:]), Limit(nodes=500)), colour=True))
    bare = [line.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "")
            for line in lit]
    assert lit != plain
    # All but the time that it took.
    assert [line for line in bare if "iterations" not in line] == [
        line for line in plain if "iterations" not in line]

    def shown(**environment: str) -> bytes:
        ours, theirs = pty.openpty()
        clean = {name: value for name, value in os.environ.items()
                 if name not in ("NO_COLOR", "TERM")}
        with subprocess.Popen(
                [sys.executable, "-m", "cirulla_ai", "analyse", README, "--nodes", "100"],
                stdout=theirs, cwd=tmp_path, env={**clean, **environment}) as process:
            os.close(theirs)
            out = b""
            while True:
                try:
                    piece = os.read(ours, 65536)
                except OSError:
                    break
                if not piece:
                    break
                out += piece
            assert process.wait(60) == 0
        os.close(ours)
        return out

    assert b"\x1b[1m" in shown(TERM="xterm")
    assert b"\x1b" not in shown(TERM="xterm", NO_COLOR="1")
    assert b"\x1b" not in shown(TERM="dumb")


# --- files ------------------------------------------------------------------------------------

LINES = b"""\
\xef\xbb\xbf# a remark

startpos seed 1
  position startpos rules=scopa seed 2 moves\t
state rubbish
startpos seed 3\xff
startpos seed 4 moves 8H
state rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=1
startpos seed 5\r
"""
GOOD = [3, 4, 9]
BAD = {5: "rules: is needed", 6: "0xff is no UTF-8", 7: "8H", 8: "viewer"}


@pytest.mark.parametrize("workers", ["1", "3"])
def test_a_bad_line_costs_the_others_nothing(tmp_path: Path, workers: str) -> None:
    (tmp_path / "positions.txt").write_bytes(LINES)
    done = cirulla(tmp_path, "analyse", "--file", "positions.txt", "--nodes", "100", "--json",
                   "--workers", workers)
    assert (done.returncode, done.stderr) == (2, "")
    answers = list(objects(done.stdout))
    # In the order of the lines.
    assert [words.get("line") for words in answers] == [None, None, 5, 6, 7, 8, None]
    for words in answers:
        if words["kind"] == "error":
            assert words["file"] == "positions.txt"
            assert BAD[words["line"]] in words["error"]
    text = cirulla(tmp_path, "analyse", "--file", "positions.txt", "--nodes", "100")
    assert text.returncode == 2
    assert [line for line in text.stdout.splitlines() if line.startswith("positions.txt")] == [
        f"positions.txt, line {number}" for number in GOOD]
    errors = text.stderr.splitlines()
    assert len(errors) == len(BAD)
    for line, (number, says) in zip(errors, BAD.items(), strict=True):
        assert line.startswith(f"cirulla analyse: positions.txt, line {number}: ")
        assert says in line


def test_workers_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(
        "".join(f"startpos rules={preset} seed {seed}\n" for seed in range(4)
                for preset in ("cirulla", "scopone", "ciapano")))

    def said(workers: int) -> list[dict[str, object]]:
        done = cirulla(tmp_path, "analyse", "--file", "many.txt", "--nodes", "300", "--json",
                       "--workers", str(workers))
        assert done.returncode == 0
        answers = list(objects(done.stdout))
        for words in answers:
            del words["seconds"]
        return answers

    assert len(said(1)) == 12
    assert said(1) == said(3)


def test_positions_from_a_pipe(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cirulla_ai", "analyse", "--file", "-", "--json", "--nodes", "50"],
        input="startpos seed 1\nnonsense\n", capture_output=True, encoding="utf-8", cwd=tmp_path,
        timeout=60, check=False)
    assert done.returncode == 2
    good, bad = objects(done.stdout)
    assert good["kind"] == "analysis"
    assert (bad["file"], bad["line"]) == ("-", 2)


def test_whoever_stops_listening_is_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("startpos seed 1\n" * 200)
    with subprocess.Popen(
            [sys.executable, "-m", "cirulla_ai", "analyse", "--file", "many.txt", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["kind"] == "analysis"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


# --- wrong uses -----------------------------------------------------------------------------

@pytest.mark.parametrize(("words", "says"), [
    ([], "a POSITION is needed"),
    (["startpos", "--file", "x"], "one of them only"),
    (["--json-lines", "startpos"], "one of them only"),
    (["nonsense"], "'nonsense' is neither state nor startpos"),
    (["startpos", "seed", "1", "--nodes", "0"], "--nodes"),
    (["startpos", "--nodes", "x"], "--nodes"),
    (["startpos", "--until", "-1"], "--until"),
    (["startpos", "--top", "0"], "--top"),
    (["startpos", "--seed", "-1"], "--seed"),
    (["startpos", "--threads", "0"], "--threads"),
    (["startpos", "--workers", "1e3"], "--workers"),
    (["startpos", "--rubbish"], "there is no --rubbish here"),
    (["startpos", "--option", "Objective"], "--option Objective: it takes NAME=VALUE"),
    (["startpos", "--option", "Colour=red"], "there is no option 'Colour'"),
    (["startpos", "--option", "Objective=fun"], "Objective takes points, match"),
    (["startpos", "seed", "1", "moves", "7H7H"], "7H7H"),
])
def test_wrong_uses_are_explained(tmp_path: Path, words: list[str], says: str) -> None:
    done = cirulla(tmp_path, "analyse", *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_position_that_can_not_be_read_as_json(tmp_path: Path) -> None:
    done = cirulla(tmp_path, "analyse", "nonsense", "--json")
    assert done.returncode == 2
    (words,) = objects(done.stdout)
    assert words["kind"] == "error"
    assert "neither state nor startpos" in words["error"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cirulla_ai", "analyse", "--file", "nowhere.txt"],
        capture_output=True, encoding="utf-8", cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == "cirulla: nowhere.txt: No such file or directory\n"


def test_options_reach_the_engine(tmp_path: Path) -> None:
    done = cirulla(tmp_path, "analyse", *README.split(), "--nodes", "100", "--json",
                   "--option", "Evaluation=false", "--option", "Objective=match")
    (words,) = objects(done.stdout)
    assert words["evaluation"] is None


def test_without_a_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cirulla_ai.commands import main

    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert main(["analyse", README, "--nodes", "50"]) == 0
