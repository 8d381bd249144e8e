"""Every vector, through the protocol."""

from __future__ import annotations

from typing import Any

import pytest
from support.client import LocalEngine, error_of, state_of
from support.vectors import rows

Row = dict[str, Any]


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    return LocalEngine()


def set_position(engine: LocalEngine, words: str) -> None:
    assert engine.ask(f"position {words}") == []


@pytest.mark.parametrize("row", rows("legal"))
def test_legal(engine: LocalEngine, row: Row) -> None:
    set_position(engine, f"state {row['state']}")
    assert engine.state() == row["state"]
    assert engine.ask("legal") == [" ".join(["legal", *row["legal"]])]


@pytest.mark.parametrize("row", rows("view"))
def test_view(engine: LocalEngine, row: Row) -> None:
    set_position(engine, f"state {row['state']}")
    view = state_of(engine.ask(f"view {row['seat']}"))
    assert view == row["view"]
    set_position(engine, f"state {view}")
    assert engine.state() == view
    assert engine.ask(f"view {row['seat']}") == [f"state: {view}"]
    other = 0 if row["seat"] else 1
    assert f"view of seat {row['seat']}" in error_of(engine.ask(f"view {other}"))


@pytest.mark.parametrize("row", rows("score"))
def test_score(engine: LocalEngine, row: Row) -> None:
    set_position(engine, f"state {row['state']}")
    assert engine.ask("score") == [
        " ".join([f"score {side} total {total}", *(f"{k} {n}" for k, n in items.items())])
        for side, (total, items) in enumerate(zip(row["total"], row["items"], strict=True))
    ]
    picture = "\n".join(engine.ask("d"))
    winners = row["winners"]
    if len(winners) > 1:
        assert f"sides {' and '.join(map(str, winners))} share the match" in picture
    for winner in winners[:1] if len(winners) == 1 else ():
        assert f"side {winner} has won the match" in picture
    assert ("has won the match" in picture) == (len(winners) == 1)


@pytest.mark.parametrize("row", rows("perft"))
def test_perft(engine: LocalEngine, row: Row) -> None:
    set_position(engine, f"state {row['state']}")
    assert engine.ask(f"perft {row['depth']}") == [
        *(f"{action}: {count}" for action, count in row["divide"].items()),
        f"Nodes searched: {row['total']}",
    ]


@pytest.mark.parametrize("row", rows("apply"))
def test_moves(engine: LocalEngine, row: Row) -> None:
    set_position(engine, f"state {row['state']} moves {row['action']}")
    assert engine.state() == row["next"]


@pytest.mark.parametrize("row", rows("track"))
def test_moves_as_a_viewer_sees_them(engine: LocalEngine, row: Row) -> None:
    set_position(engine, f"state {row['state']} moves {' '.join(row['moves'])}")
    assert engine.state() == row["next"]


@pytest.mark.parametrize("row", rows("read"))
def test_reading_in_any_order_and_case(engine: LocalEngine, row: Row) -> None:
    set_position(engine, f"state {row['text']}")
    assert engine.state() == row["state"]


@pytest.mark.parametrize("row", rows("deal"))
def test_dealing_a_pack(engine: LocalEngine, row: Row) -> None:
    set_position(engine, "startpos seed 0")
    before = engine.state()
    misdeals = f"misdeals={row['misdeals']} " if "misdeals" in row else ""
    said = engine.ask(
        f"position startpos {row['rules']} dealer={row['dealer']} {misdeals}"
        f"scores={'/'.join(map(str, row['scores']))} pack={row['pack']}")
    if row["outcome"] == "misdeal":
        assert "misdeal" in error_of(said)
        assert engine.state() == before
        return
    assert said == []
    state = engine.state()
    if row["outcome"] in ("win", "loss"):
        assert f" won={row['won']} " in state
        assert state.endswith(" phase=done")
    # A lost deal has no state of its own in the vectors: nothing of it is played.
    if row["state"] is not None:
        assert state == row["state"]


@pytest.mark.parametrize("row", rows("refuse"))
def test_refusing(engine: LocalEngine, row: Row) -> None:
    line = {
        "state": "state {state}",
        "option": "startpos {rules}",
        "action": "state {state} moves {action}",
    }[row["what"]].format_map(row)
    set_position(engine, "startpos seed 0")
    before = engine.state()
    error = error_of(engine.ask(f"position {line}")).removeprefix("position: ")
    assert any(name in error for name in row["names"]), (error, row["names"])
    assert engine.state() == before
