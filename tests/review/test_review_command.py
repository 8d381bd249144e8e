"""``cirulla review``: from records or annotations to a page."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.annotations import annotation, match

from cirulla_ai import State
from cirulla_ai.commands import main
from cirulla_ai.records import Record, write_record
from cirulla_ai.review import review


def lines(found: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\n" for one in found)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file with the first actions of a smazzata."""
    state = start = State.deal("cirulla", dealer=1, seed=7)
    plies = []
    for _ in range(4):
        plies.append(state.legal_actions()[-1])
        state = state.apply(plies[-1])
    path = tmp_path / "games.txt"
    path.write_text(write_record(Record.from_play(start, plies, names=("A", "B"))))
    return path


def test_annotations_become_a_page(tmp_path: Path) -> None:
    found = list(match(seed=2))
    source, out = tmp_path / "annotations.jsonl", tmp_path / "report.html"
    source.write_text(lines(found))
    assert main(["review", str(source), "-o", str(out), "--lang", "it", "--anonymous"]) == 0
    assert out.read_text(encoding="utf-8") == review(found, "it", anonymous=True)


def test_records_are_annotated_first(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["annotate", str(records), "--json", "--nodes", "100", "--seed", "3"]) == 0
    source = tmp_path / "annotations.jsonl"
    source.write_text(capsys.readouterr().out)
    assert main(["review", str(source)]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!DOCTYPE html>")
    for workers in "1", "2":
        assert main(["review", str(records), "--nodes", "100", "--seed", "3",
                     "--workers", workers]) == 0
        assert capsys.readouterr().out == page


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                        ) -> None:
    found = [annotation(seed=4)]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(
        buffer=io.BytesIO(b"\xef\xbb\xbf\n" + lines(found).encode())))
    assert main(["review", "-"]) == 0
    assert capsys.readouterr().out == review(found)


def test_a_bad_record_among_others_is_said(
    records: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    records.write_text(f'{records.read_text()}\n[Rules "cirulla"]\n\n1. 0:7H *\n')
    assert main(["review", str(records), "--nodes", "50"]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("<!DOCTYPE html>")
    assert f"cirulla review: {records}, line " in said.err


@pytest.mark.parametrize(("text", "said"), [
    ('{"kind": "analysis"}', "record 1: kind: annotation is needed"),
    ('{"kind": ', "line 1: it is no JSON object"),
    ("{}\n\n[1]", "record 1: kind: annotation is needed"),
    ("", "no records there"),
    ("{\xff", "it is no UTF-8"),
])
def test_what_can_not_be_read_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str,
) -> None:
    source, out = tmp_path / "source", tmp_path / "report.html"
    source.write_bytes(text.encode("latin-1"))
    assert main(["review", str(source), "-o", str(out)]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "cirulla_ai", "review", str(tmp_path / "none")],
                          capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert "No such file" in done.stderr and "Traceback" not in done.stderr
    source = tmp_path / "annotations.jsonl"
    source.write_text(lines([annotation(seed=4)]))
    assert main(["review", str(source), "-o", str(tmp_path / "no" / "report.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err
