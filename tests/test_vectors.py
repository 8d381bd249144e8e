"""Every vector, through the public API."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from support.vectors import rows

from cirulla_ai import MisdealError, Rules, State

Row = dict[str, Any]


@pytest.mark.parametrize("row", rows("legal"))
def test_legal(row: Row) -> None:
    state = State.parse(row["state"])
    assert str(state) == row["state"]
    assert [str(action) for action in state.legal_actions()] == row["legal"]
    assert state.position.count_legal() == len(row["legal"])


@pytest.mark.parametrize("row", rows("apply"))
def test_apply(row: Row) -> None:
    state = State.parse(row["state"])
    assert str(state.apply(row["action"])) == row["next"]
    assert str(state) == row["state"], "the state before has changed"


@pytest.mark.parametrize("row", rows("view"))
def test_view(row: Row) -> None:
    view = State.parse(row["state"]).view(row["seat"])
    assert str(view) == row["view"]
    assert State.parse(row["view"]) == view


@pytest.mark.parametrize("row", rows("score"))
def test_score(row: Row) -> None:
    state = State.parse(row["state"])
    items = [asdict(points) for points in state.points()]
    assert [{k: n for k, n in item.items() if k != "total"} for item in items] == row["items"]
    assert [points.total for points in state.points()] == row["total"]
    assert list(state.match_scores()) == row["scores"]
    assert list(state.match_winners()) == row["winners"]
    winner = state.match_winner()
    assert winner == (row["winners"][0] if len(row["winners"]) == 1 else None)


@pytest.mark.parametrize("row", rows("perft"))
def test_perft(row: Row) -> None:
    divide = State.parse(row["state"]).perft(row["depth"])
    assert {str(action): count for action, count in divide.items()} == row["divide"]
    assert sum(divide.values()) == row["total"]


@pytest.mark.parametrize("row", rows("deal"))
def test_deal(row: Row) -> None:
    def deal() -> State:
        return State.deal(
            Rules.parse(row["rules"]), dealer=row["dealer"], scores=row["scores"],
            misdeals=row.get("misdeals", 0), pack=row["pack"],
        )

    if row["outcome"] == "misdeal":
        with pytest.raises(MisdealError):
            deal()
        return
    state = deal()
    assert state.won == row.get("won")
    assert state.is_over == (row["outcome"] in ("win", "loss"))
    if "misdeals" in row:
        assert state.misdeals == row["misdeals"]
    # A lost deal has no state of its own in the vectors: nothing of it is played.
    if row["state"] is not None:
        assert str(state) == row["state"]


@pytest.mark.parametrize("row", rows("refuse", what="state"))
def test_refuse_state(row: Row) -> None:
    with pytest.raises(ValueError) as refused:
        State.parse(row["state"])
    assert_names(refused.value, row)


@pytest.mark.parametrize("row", rows("refuse", what="option"))
def test_refuse_option(row: Row) -> None:
    with pytest.raises(ValueError) as refused:
        Rules.parse(row["rules"])
    assert_names(refused.value, row)


@pytest.mark.parametrize("row", rows("refuse", what="action"))
def test_refuse_action(row: Row) -> None:
    state = State.parse(row["state"])
    with pytest.raises(ValueError) as refused:
        state.apply(row["action"])
    assert_names(refused.value, row)


def assert_names(error: ValueError, row: Row) -> None:
    """The message must say which of the things that are wrong it is."""
    assert any(name in str(error) for name in row["names"]), (str(error), row["names"])


@pytest.mark.parametrize("row", rows("read"))
def test_read(row: Row) -> None:
    assert str(State.parse(row["text"])) == row["state"]


@pytest.mark.parametrize("row", rows("track"))
def test_track(row: Row) -> None:
    assert str(State.parse(row["state"]).play(*row["moves"])) == row["next"]
