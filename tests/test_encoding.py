"""Text in and out: UTF-8 in files and lines, replaced letters where a stream can't show them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.engines import ASCII

from cirulla_ai.basics import encoding
from cirulla_ai.basics.encoding import argument_text, decode_text, file_name, forgive, read_text
from cirulla_ai.records import read_records

# Standard streams that can't show …, and one that shows é but not that.
ENVIRONMENTS = [
    pytest.param({"PYTHONIOENCODING": "ascii"}, id="ascii"),
    pytest.param({"PYTHONIOENCODING": "latin-1"}, id="latin-1"),
    ASCII,
]


def cirulla(
    folder: Path, environment: dict[str, str], *words: str | bytes,
) -> subprocess.CompletedProcess[bytes]:
    # With the names of files in UTF-8, whatever locale the tests run in.
    octets = [word if isinstance(word, bytes) else word.encode() for word in words]
    return subprocess.run(
        [sys.executable, "-m", "cirulla_ai", *octets], cwd=folder, capture_output=True,
        timeout=120, check=False, env={**os.environ, **environment})


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize(("words", "code", "says"), [
    (["match", "--help"], 0, b"KEY=VALUE,?"),
    (["rules", "cirulla"], 0, b"2 ? 4"),
    (["compliance", "--list"], 0, b"isready"),
    (["perft", "0"], 2, b"1 ? 36"),
    (["rules", "perché"], 2, b"no such preset"),
    (["rules", b"perch\xe9"], 2, b"no such preset"),
    (["perft", "1", "state", "rules=perché"], 2, b"no such preset"),
    (["compliance", "./perché"], 2, b"no such program"),
    (["match", "--engine", "perché"], 2, b"is not KEY=VALUE"),
    (["met", "--eval", "perché"], 2, b"no such file"),
])
def test_what_a_stream_can_not_show_is_replaced(
    tmp_path: Path, environment: dict[str, str], words: list[str | bytes], code: int, says: bytes
) -> None:
    done = cirulla(tmp_path, environment, *words)
    assert done.returncode == code
    said = (done.stderr if code else done.stdout).replace(b"\xb7", b"?")
    assert says in said
    assert b"Traceback" not in done.stderr and b"codec" not in done.stderr


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_match_writes_everything(tmp_path: Path, environment: dict[str, str]) -> None:
    done = cirulla(
        tmp_path, environment, "match", "--engine", "name=perché [/b],player=random",
        "--engine", b"name=\xe9 $x^,player=random", "--engine", "name=\u2026,player=random",
        "--deals", "1", "--out", "più.jsonl", "--records", "più.txt", "--json")
    assert done.returncode == 0, done.stderr
    assert b"perch" in done.stdout
    names = ["perché [/b]", "\ufffd $x^", "\u2026"]
    assert json.loads(done.stdout.splitlines()[-1])["engines"] == names
    folder = os.fsencode(tmp_path)
    with open(os.path.join(folder, "più.txt".encode()), "rb") as file:
        seats = {name for record in read_records(file) for name in record.names}
    assert seats == set(names)
    with open(os.path.join(folder, "più.jsonl".encode()), "rb") as file:
        assert json.loads(file.readline())["engines"][0]["name"] == names[0]


def test_streams_that_are_none_or_take_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)
    monkeypatch.setattr(sys, "stderr", None)
    forgive()
    print("1 … 36 \udce9", flush=True)
    assert narrow.buffer.getvalue() == b"1 ? 36 ?\n"
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    forgive()
    print("…")


@pytest.mark.parametrize("close", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("words", ["rules", "compliance --list", "perft 1"])
def test_streams_that_are_closed(tmp_path: Path, words: str, close: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m cirulla_ai {words} {close}', sys.executable], cwd=tmp_path,
        capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("data", [
    b"caff\xc3\xa8\n\nb", b"\xef\xbb\xbfcaff\xc3\xa8\n\nb", b"caff\xc3\xa8\r\n\r\nb",
    b"\xef\xbb\xbfcaff\xc3\xa8\r\rb"])
def test_text_with_and_without_a_mark_and_with_any_ends_of_lines(
    data: bytes, tmp_path: Path
) -> None:
    assert decode_text(data) == "caffè\n\nb"
    (tmp_path / "text").write_bytes(data)
    assert read_text(tmp_path / "text") == "caffè\n\nb"


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_wide_text_is_refused_by_name(codec: str) -> None:
    with pytest.raises(ValueError, match="it is UTF-16 or UTF-32; save it as UTF-8"):
        decode_text("7H\n".encode(codec))
    if codec != "utf-32-be":
        assert encoding.wrong_encoding(("\ufeff7H" if "e" in codec[5:] else "7H").encode(codec))


def test_what_is_no_utf_8_is_said_with_its_line() -> None:
    with pytest.raises(ValueError, match="line 2: 0xe8 is no UTF-8"):
        decode_text(b"a\ncaff\xe8\n")


@pytest.mark.parametrize("octets", [b"perch\xc3\xa9", b"perch\xe9", b"a  b "])
def test_names_of_files_are_octets(octets: bytes) -> None:
    text = argument_text(os.fsdecode(octets))
    assert text.encode("utf-8", "surrogateescape") == octets
    assert os.fsencode(file_name(text)) == octets
    assert argument_text(os.fsdecode(b"\xe9"), "replace") == "\ufffd"
