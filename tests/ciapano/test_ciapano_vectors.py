"""Every vector of Ciapa No."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from vectors import DATA

from cirulla_ai._core.cards import parse_sequence
from cirulla_ai._core.ciapano import CiapanoPosition, action_text
from cirulla_ai.ciapano import (
    CiapanoRules,
    explain_refusal,
    format_state,
    parse_action,
    parse_state,
)

Row = dict[str, Any]


def rows(name: str, **fields: object) -> list[Any]:
    """The rows of one file, named by line; only those that have these values."""
    with (DATA / f"{name}.jsonl").open(encoding="ascii") as lines:
        parsed = [(number, line, json.loads(line)) for number, line in enumerate(lines, 1)]
    return [
        pytest.param(row, id=f"line{number}")
        for number, line, row in parsed
        if "rules=ciapano" in line
        and all(row.get(field) == value for field, value in fields.items())
    ]


def play(position: CiapanoPosition, word: str) -> CiapanoPosition:
    """The position after an action; raises ValueError with the reason."""
    code = parse_action(word)
    if not position.accepts(code):
        raise ValueError(explain_refusal(position, code))
    return position.after(code)


@pytest.mark.parametrize("row", rows("legal"))
def test_legal(row: Row) -> None:
    rules, position = parse_state(row["state"])
    assert format_state(rules, position) == row["state"]
    assert sorted(map(action_text, position.legal())) == row["legal"]
    assert position.count_legal() == len(row["legal"])


@pytest.mark.parametrize("row", rows("apply"))
def test_apply(row: Row) -> None:
    rules, position = parse_state(row["state"])
    assert format_state(rules, play(position, row["action"])) == row["next"]
    assert format_state(rules, position) == row["state"], "the state before has changed"


@pytest.mark.parametrize("row", rows("view"))
def test_view(row: Row) -> None:
    rules, position = parse_state(row["state"])
    assert format_state(rules, position.view(row["seat"])) == row["view"]
    assert format_state(*parse_state(row["view"])) == row["view"]


@pytest.mark.parametrize("row", rows("score"))
def test_score(row: Row) -> None:
    rules, position = parse_state(row["state"])
    assert position.items() == [[item["thirds"]] for item in row["items"]]
    assert position.points() == row["total"]
    before = position.fields()["scores"]
    after = [a + b for a, b in zip(before, position.points(), strict=True)]
    assert after == row["scores"]
    assert list(rules.winners(after)) == row["winners"]


@pytest.mark.parametrize("row", rows("perft"))
def test_perft(row: Row) -> None:
    _, position = parse_state(row["state"])
    depth = row["depth"]
    assert row["divide"] == {
        action_text(code): position.after(code).perft(depth - 1) if depth > 1 else 1
        for code in position.legal()
    }
    assert position.perft(depth) == row["total"]


@pytest.mark.parametrize("row", rows("deal"))
def test_deal(row: Row) -> None:
    rules = CiapanoRules.parse(row["rules"])
    outcome, position = CiapanoPosition.deal(
        rules.table, row["dealer"], row["scores"], 0,
        parse_sequence(row["pack"]))
    assert outcome == row["outcome"]
    assert format_state(rules, position) == row["state"]


@pytest.mark.parametrize("row", rows("refuse", what="state"))
def test_refuse_state(row: Row) -> None:
    with pytest.raises(ValueError, match=names_of(row)):
        parse_state(row["state"])


@pytest.mark.parametrize("row", rows("refuse", what="option"))
def test_refuse_option(row: Row) -> None:
    with pytest.raises(ValueError, match=names_of(row)):
        CiapanoRules.parse(row["rules"])


@pytest.mark.parametrize("row", rows("refuse", what="action"))
def test_refuse_action(row: Row) -> None:
    _, position = parse_state(row["state"])
    with pytest.raises(ValueError, match=names_of(row)):
        play(position, row["action"])


def names_of(row: Row) -> str:
    """The message must say which of the things that are wrong it is: one of these names."""
    return "|".join(map(re.escape, row["names"]))


@pytest.mark.parametrize("row", rows("read"))
def test_read(row: Row) -> None:
    assert format_state(*parse_state(row["text"])) == row["state"]


@pytest.mark.parametrize("row", rows("track"))
def test_track(row: Row) -> None:
    rules, position = parse_state(row["state"])
    for word in row["moves"]:
        position = play(position, word)
    assert format_state(rules, position) == row["next"]
