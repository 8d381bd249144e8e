"""``cirulla solve`` from the shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import cirulla
from support.dialect import objects
from support.vectors import rows

from cirulla_ai import State
from cirulla_ai.analysis import solve
from cirulla_ai.analysis.solution_report import solution_lines

# The second seat of a small last round but one, in which two plays are mixed.
MIXED = ("state rules=cirulla rounds=14,2,2 dealer=1 turn=0 round=2 hands=5HKH/?2 table=2HJD "
         "scopa=10/6 last=1 taken=AHADACAS2D2S3H3D3C3S4D4S5C5S6H7H7C7SJHJSQHKDKCKS/4H4C6C6SQDQS "
         "stock=?4 viewer=0")
EXACT = ("state rules=cirulla dealer=1 turn=1 round=6 hands=JH/4HQC table=3C4CQHKS scopa=2/17 "
         "last=0 taken=AHADAC2C4D4S5H5D5C6H6D6C6S7C7SJDJCJSQSKD/AS2H2D2S3H3D3S5S7H7DQDKHKC")


def same_but_for_time(words: dict[str, object], other: dict[str, object]) -> bool:
    return {**words, "seconds": 0} == {**other, "seconds": 0}


@pytest.mark.parametrize("position", [[MIXED], ["position", *MIXED.split()], MIXED.split()])
def test_json_says_what_the_library_says(tmp_path: Path, position: list[str]) -> None:
    done = cirulla(tmp_path, "solve", "--gap", "0.002", *position, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (words,) = objects(done.stdout)
    found = solve(State.parse(MIXED.removeprefix("state ")), gap=0.002)
    assert same_but_for_time(words, found.as_dict())
    assert words["kind"] == "solution" and words["limit"]["gap"] == 0.002


def test_options_reach_the_solver(tmp_path: Path) -> None:
    done = cirulla(tmp_path, "solve", MIXED, "--iterations", "7", "--gap", "0", "--inference",
                   "--movetime", "1e6", "--json")
    (words,) = objects(done.stdout)
    assert words["iterations"] == 7
    assert words["beliefs"] == "inference"
    assert words["limit"] == {"gap": 0, "iterations": 7, "movetime": 1e6}


def test_every_row_with_an_answer(tmp_path: Path) -> None:
    wanted = [row.values[0] for row in rows("endgame")]
    (tmp_path / "rows").write_text("# last rounds\n\n" + "".join(
        f"state {row['state']}\n" for row in wanted))
    done = cirulla(tmp_path, "solve", "--file", "rows", "--json")
    assert done.returncode == 0
    for words, row in zip(objects(done.stdout), wanted, strict=True):
        best = [one["action"] for one in words["actions"] if one["loss"] == 0]
        assert sorted(best) == row["actions"]
        assert all(one["exact"] for one in words["actions"])


def test_the_table_of_an_equilibrium(tmp_path: Path) -> None:
    text = cirulla(tmp_path, "solve", MIXED, "--gap", "0.001").stdout
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert "round 2 of 3" in lines[0] and "seat 0's view" in lines[0]
    first, second = (line for line in lines if line[:3].strip().isdigit())
    assert first.split()[:2] == ["1", "5Hx2HJD"] and "%" in first and "takes 2H JD" in first
    assert second.split()[:2] == ["2", "KHx2HJD"] and "%" in second
    assert sum(float(line.split()[2]) for line in (first, second)) == pytest.approx(100)
    flat = " ".join(lines)
    for words in ("only to play always the same one would lose",
                  "all 28 hands that seat 0 may hold", "28 of seat 1, all alike likely",
                  "points from perfect", "100 iterations"):
        assert words in flat
    assert "\x1b" not in text


def test_the_table_of_exact_values(tmp_path: Path) -> None:
    text = cirulla(tmp_path, "solve", EXACT).stdout
    assert max(map(len, text.splitlines())) <= 80
    lines = text.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("  1 "))
    assert lines[at].split() == ["1", "4Hx4C", "100.0", "%", "+14.00", "takes", "4C"]
    assert lines[at + 1] == "      then JH QCxQH"
    assert lines[at + 2].split() == ["2", "QCxQH", "-", "+13.00", "1.00", "takes", "QH"]
    assert "Exact: all cards are known" in text
    equal = next(row.values[0] for row in rows("endgame") if len(row.values[0]["actions"]) == 4)
    text = cirulla(tmp_path, "solve", "state", *equal["state"].split()).stdout
    assert "The first 4 are equally good" in text
    assert text.count("25.0 %") == 4


def test_colour_marks_what_is_played() -> None:
    solution = solve(State.parse(EXACT.removeprefix("state ")))
    bold = [line for line in solution_lines(solution, colour=True) if line.startswith("\x1b[1m")]
    assert len(bold) == 1 and "4Hx4C" in bold[0]
    plain = list(solution_lines(solution))
    assert [line for line in plain if "\x1b" in line] == []


def test_what_can_not_be_solved_is_said_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "some").write_text(f"startpos seed 1\nstate nonsense\n{EXACT}\n")
    done = cirulla(tmp_path, "solve", "--file", "some")
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first.startswith("cirulla solve: some, line 1: round 1 of 6: only the last round")
    assert first.endswith("analyse compares its plays by search")
    assert second.startswith("cirulla solve: some, line 2: ")
    assert "some, line 3\n" in done.stdout
    done = cirulla(tmp_path, "solve", "--file", "some", "--json")
    assert (done.returncode, done.stderr) == (2, "")
    kinds = [(words["kind"], words.get("line")) for words in objects(done.stdout)]
    assert kinds == [("error", 1), ("error", 2), ("solution", None)]


@pytest.mark.parametrize("words", [
    (), ("--file", "a", "startpos"), ("startpos", "--gap", "-1"), ("startpos", "--iterations", "0"),
    ("startpos", "rules=ciapano"), ("startpos", "rules=scopone"), ("neither",)])
def test_wrong_uses(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = cirulla(tmp_path, "solve", *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr and done.stderr.strip()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cirulla_ai", "solve", "--file", "nowhere"], cwd=tmp_path,
        capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "cirulla: nowhere: No such file or directory\n"
