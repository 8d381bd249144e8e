"""The score sheet: its rows add up to the points, and say what each side has."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.tables import RULES, play_out

from cirulla_ai import State
from cirulla_ai.games.contract import SheetItem
from cirulla_ai.games.registry import game_of
from cirulla_ai.history import History
from cirulla_ai.play import Game

SCORES = [json.loads(line) for line in
          (Path(__file__).parents[1] / "data" / "score.jsonl").read_text("utf-8").splitlines()]
SCORED_IN_PLAY = ("scope", "claims", "bonus", "before")


def sheet(history: History) -> dict[str, SheetItem]:
    return {item.item: item for item in game_of(history.state.rules).sheet(history)}


@pytest.mark.parametrize("rules", RULES)
def test_rows_add_up_to_the_points_of_every_smazzata(rules: str) -> None:
    game = Game(f"{rules} target=30" if "target" not in rules else rules, seed=3)
    play_out(game, Random(rules), 12)
    assert game.records
    for record in game.records:
        history = History(record.start, *(ply.word for ply in record.plies))
        for seat in range(game.rules.players):
            # Whoever looks sees the same sheet.
            assert sheet(history.view(seat)) == sheet(history)
        rows = sheet(history).values()
        assert tuple(map(sum, zip(*(row.points for row in rows), strict=True))) == tuple(
            points.total for points in record.final.points())
        for row in rows:
            assert not (row.reason and any(row.points))


def test_rows_have_the_points_of_the_vectors() -> None:
    for vector in SCORES:
        state = State.parse(vector["state"])
        rows = sheet(History(state))
        wanted: list[dict[str, Any]] = vector["items"]
        for side, items in enumerate(wanted):
            in_play = sum(rows[name].points[side] for name in SCORED_IN_PLAY if name in rows)
            assert in_play == items.get("scopa", 0)
            for name in set(items) - {"scopa", "thirds"}:
                assert (rows[name].points[side] if name in rows else 0) == items[name]
            if "thirds" in items:
                assert rows["thirds"].counts[side] == items["thirds"]
        totals = tuple(map(sum, zip(*(row.points for row in rows.values()), strict=True)))
        assert list(totals) == vector["total"]


def over(first: str, second: str, rules: str = "cirulla", table: str = "-") -> History:
    """A smazzata that is over, with these cards taken."""
    return History(State.parse(
        f"rules={rules} dealer=0 turn=- round=6 hands=-/- table={table} stock=- last=0 phase=done "
        f"taken={first}/{second}"))


def test_it_says_what_each_side_has_and_why_nobody_gets_a_point() -> None:
    # Twenty cards and five diamonds each; one has A, 3 and K of diamonds, the other 7D and 2D.
    first = "AHADACAS3H3D3C3S5H5D5C5SJHJDJCJSKHKDKCKS"
    second = "2H2D2C2S4H4D4C4S6H6D6C6S7H7D7C7SQHQDQCQS"
    rows = sheet(over(first, second))
    assert rows["cards"] == SheetItem("cards", (0, 0), (20, 20), ((), ()), "tie")
    assert (rows["diamonds"].counts, rows["diamonds"].reason) == ((5, 5), "tie")
    assert rows["diamonds"].cards[1] == ("2D", "4D", "6D", "7D", "QD")
    assert (rows["settebello"].points, rows["settebello"].cards) == ((0, 1), ((), ("7D",)))
    # Four aces are 64, four sevens 84 (rules, section 3.4).
    assert (rows["primiera"].points, rows["primiera"].counts) == ((0, 1), (64, 84))
    assert rows["primiera"].cards == (("AH", "AD", "AC", "AS"), ("7H", "7D", "7C", "7S"))
    assert (rows["piccola"].counts, rows["piccola"].reason) == ((1, 0), "short")
    assert (rows["grande"].counts, rows["grande"].reason) == ((2, 1), "short")
    assert "cappotto" not in rows


def test_a_suit_that_is_missing_is_no_prime() -> None:
    spades = "AS2S3S4S5S6S7SJSQSKS"
    diamonds = spades.replace("S", "D")
    clubs, hearts = spades.replace("S", "C"), spades.replace("S", "H")
    rows = sheet(over(spades + clubs, hearts + diamonds, "cirulla cappotto=no"))
    assert (rows["primiera"].counts, rows["primiera"].reason) == ((0, 0), "none")
    assert rows["cards"].reason == "tie"
    # A to 6 are three and three more; J, Q, K are five; cappotto brings nothing here.
    assert (rows["piccola"].points, rows["grande"].points) == ((0, 6), (0, 5))
    rows = sheet(over(spades + clubs, hearts + diamonds, "cirulla cappotto=7"))
    assert rows["cappotto"] == SheetItem("cappotto", (0, 7), (0, 10))


def test_what_nobody_took_goes_to_nobody() -> None:
    rows = sheet(History(State.parse(
        "rules=cirulla dealer=0 turn=- round=6 hands=-/- stock=- last=- phase=done taken=-/- "
        "table=AHADACAS2H2D2C2S3H3D3C3S4H4D4C4S5H5D5C5S6H6D6C6S7H7D7C7SJHJDJCJSQHQDQCQSKHKDKCKS")))
    assert {rows[item].reason for item in ("cards", "diamonds", "settebello")} == {"nobody"}
    assert rows["primiera"].reason == "none"


def test_scopas_claims_and_the_bonus_are_rows_of_their_own() -> None:
    # The first table was fifteen, and went to the dealer.
    start = State.parse(
        "rules=cirulla dealer=1 hands=AH2C3C/KHKCKS table=- taken=-/2H2DACJS scopa=0/1 last=1 "
        "stock=ADAS2S3H3D3S4H4D4C4S5H5D5C5S6H6D6C6S7H7D7C7SJHJDJCQHQDQCQSKD")
    # Three and two and ten are fifteen, and all that lies there.
    rows = sheet(History(start, "!AH2C3C", "2C", "KC", "3Cx2CKC"))
    assert rows["bonus"].points == (0, 1)
    assert rows["claims"].points == (3, 0)
    assert rows["scope"].points == (1, 0)
