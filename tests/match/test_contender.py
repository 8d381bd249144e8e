"""``--engine`` as the command line has it: values in quotes, commands, names."""

from __future__ import annotations

from pathlib import Path

import pytest

from cirulla_ai.client.program import command_words
from cirulla_ai.tournament.contender import Contender, ContenderError, parse_contender


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with blanks and commas in the names of its programs, and others in their way."""
    for name in ("a", "a b", "a b/engine", "a b/it's, new", "più tardi"):
        path = tmp_path / name
        if name == "a b":
            path.mkdir()
            continue
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
    return tmp_path


def read(text: str) -> Contender:
    return parse_contender(text, {"nodes": 5})


@pytest.mark.parametrize(("cmd", "words"), [
    ('"{}/a b/engine"', ["{}/a b/engine"]),
    ("'{}/a b/engine'", ["{}/a b/engine"]),
    ("{}/a b/engine", ["{}/a b/engine"]),
    ("{}/più tardi", ["{}/più tardi"]),
    ("\"{}/a b/it's, new\"", ["{}/a b/it's, new"]),
    ("\"'{}/a b/engine' --flag\"", ["{}/a b/engine", "--flag"]),
    ("'{}/a b/engine' --flag", ["{}/a b/engine", "--flag"]),
    ("'{}/a b/engine' '--log a,b'", ["{}/a b/engine", "--log a,b"]),
    ("{}/a\\ b/engine --log='a,b'", ["{}/a b/engine", "--log=a,b"]),
    ("{}/a b", ["{}/a", "b"]),
    ("sh -c 'exit 3'", ["sh", "-c", "exit 3"]),
    ("'sh -c \"exit 3\"'", ["sh", "-c", "exit 3"]),
])
def test_a_command_is_a_program_or_words(folder: Path, cmd: str, words: list[str]) -> None:
    got = read(f"name=A,cmd={cmd.format(folder)},option.Hash=1")
    assert got.cmd == tuple(word.format(folder) for word in words)
    assert (got.name, got.options) == ("A", (("Hash", "1"),))


def test_a_program_that_can_not_be_run_is_not_split(folder: Path) -> None:
    (folder / "a b" / "engine").chmod(0o644)
    assert read(f"cmd={folder}/a b/engine").cmd == (f"{folder}/a b/engine",)


def test_a_program_on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    assert command_words("più tardi") == ["più tardi"]
    monkeypatch.chdir(folder)
    assert command_words("./più tardi") == ["./più tardi"]
    # A folder is no program, and what is in this one is not on the path.
    monkeypatch.setenv("PATH", "/nowhere")
    assert command_words("a b") == ["a", "b"]
    assert command_words("più tardi") == ["più", "tardi"]


@pytest.mark.parametrize(("text", "value"), [
    ("/a  b/c.eval", "/a  b/c.eval"), ("'/a, b.eval'", "/a, b.eval"), ('" a "', " a "),
    ("'say \"no\", then'", 'say "no", then'), ("it's", "it's"), ("a=b", "a=b"), ("", ""),
    ("perché", "perché"), ("'", "'"),
])
def test_values_of_options(text: str, value: str) -> None:
    got = read(f"name=O'Brien,cmd=/no/such,option.File={text},option.Other=1")
    assert got.name == "O'Brien"
    assert dict(got.options) == {"File": value, "Other": "1"}


@pytest.mark.parametrize(("text", "message"), [
    ("name=A,comand=x", "give either cmd=COMMAND or player=NAME .*; comand means nothing here"),
    ("cmd='/a b/x' 'y", "No closing quotation; a path with a quote"),
    ("cmd=x,option.Hash=1,option.hash=2", "an option stands twice"),
    ("cmd=''", "give either cmd"),
    ("cmd=x,level=3", "level means nothing here"),
])
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(ContenderError, match=message):
        read(text)
