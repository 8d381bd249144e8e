"""``cirulla match --luck``: the mean without the luck of the deals, beside the plain one."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from support.command_line import cirulla

from cirulla_ai import Rules
from cirulla_ai.analysis.luck import deal_luck, luck_of
from cirulla_ai.records import read_records
from cirulla_ai.tournament.standing import without_luck
from cirulla_ai.tournament.store import check_set

PLAYERS = ["--engine", "name=A,player=random", "--engine", "name=B,player=greedy"]


def match(folder: Path, *words: str) -> dict[str, Any]:
    done = cirulla(folder, "match", *PLAYERS, "--luck", "--json", *words)
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    value["text"] = done.stdout
    return value


def test_it_says_both_and_which_is_surer(tmp_path: Path) -> None:
    found = match(tmp_path, "--deals", "40", "--out", "a.jsonl", "--records", "a.txt")
    luck = found["luck"]
    assert luck["of"] == "points"
    assert (luck["plain_mean"], luck["plain_error"]) == (
        found["summary"]["mean"], found["summary"]["error"])
    assert abs(luck["mean"] - luck["plain_mean"]) < 4 * luck["plain_error"]
    assert luck["smaller"] == ("luck" if luck["error"] < luck["plain_error"] else "plain")
    (line,) = [line for line in found["text"].splitlines() if line.startswith("luck")]
    assert f"{luck['mean']:+.3f} ± {luck['error']:.3f}" in line
    assert f"plain {luck['plain_mean']:+.3f} ± {luck['plain_error']:.3f}" in line
    # What the file has is the luck of the games as the records have them, and what is said of
    # the mean follows from it by hand.
    stored = [json.loads(text) for text in (tmp_path / "a.jsonl").read_text().splitlines()[1:]]
    games = [game for line in sorted(stored, key=lambda line: line["index"])
             for game in line["games"]]
    with (tmp_path / "a.txt").open(encoding="utf-8") as file:
        for game, record in zip(games, read_records(file), strict=True):
            points, chances = luck_of(deal_luck(record))
            assert game["luck"] == pytest.approx(points, abs=1e-6)
            assert game["match_luck"] == pytest.approx(chances, abs=1e-6)
    sets = []
    for line in stored:
        of_a = []
        for game in line["games"]:
            side = game["seats"].index(0)
            of_a.append(game["points"][side] - game["points"][1 - side] - game["luck"][side])
        sets.append(sum(of_a) / 2)
    mean = sum(sets) / 40
    assert luck["mean"] == pytest.approx(mean)
    assert luck["error"] == pytest.approx(
        sqrt(sum((one - mean) ** 2 for one in sets) / 39 / 40))


def test_a_run_that_is_gone_on_with_says_the_same(tmp_path: Path) -> None:
    whole = match(tmp_path, "--deals", "12", "--out", "whole.jsonl")
    match(tmp_path, "--deals", "5", "--out", "part.jsonl")
    part = match(tmp_path, "--deals", "12", "--out", "part.jsonl")
    assert part["luck"] == whole["luck"]
    without = cirulla(tmp_path, "match", *PLAYERS, "--deals", "12", "--out", "part.jsonl")
    assert without.returncode == 2
    assert "different are: luck" in without.stderr


def test_of_matches_it_is_their_chances(tmp_path: Path) -> None:
    found = match(tmp_path, "--deals", "6", "--matches", "--rules", "scopa", "--out", "a.jsonl")
    luck = found["luck"]
    assert luck["of"] == "matches"
    assert luck["plain_mean"] == pytest.approx(found["matches"]["score"])
    assert "of the matches won by A" in found["text"]


def test_three_seats_share_it(tmp_path: Path) -> None:
    found = match(tmp_path, "--deals", "3", "--rules", "cirulla players=3", "--out", "a.jsonl")
    assert found["luck"]["mean"] != found["luck"]["plain_mean"]
    lines = (tmp_path / "a.jsonl").read_text().splitlines()[1:]
    for game in json.loads(lines[0])["games"]:
        assert sum(game["luck"]) == pytest.approx(0, abs=1e-5)


def test_taking_it_out_leaves_margins_less_luck() -> None:
    line = {"index": 0, "games": [
        {"seats": [0, 1], "points": [9, 4], "luck": [2.0, -2.0], "match_luck": [0.1, -0.1],
         "won": [1.0, 0.0]}]}
    (two,) = (without_luck(Rules("cirulla"), line) or {})["games"]
    assert two["points"][0] - two["points"][1] == pytest.approx(5 - 2)
    assert two["won"] == pytest.approx([0.9, 0.1])
    line = {"index": 0, "games": [
        {"seats": [0, 1, 1], "points": [6, 3, 0], "luck": [3.0, -1.5, -1.5]}]}
    (three,) = (without_luck(Rules("cirulla", players=3), line) or {})["games"]
    points = three["points"]
    assert points[0] - (points[1] + points[2]) / 2 == pytest.approx(6 - 1.5 - 3)
    assert points[1] - (points[0] + points[2]) / 2 == pytest.approx(3 - 3 + 1.5)
    assert without_luck(Rules("cirulla"), {"games": [{"points": [1, 2]}]}) is None


def test_wrong_luck_is_no_deal_set() -> None:
    game = {"seats": [0, 1], "points": [9, 4], "luck": [2.0, -2.0]}
    check_set({"index": 0, "games": [game]})
    for wrong in ([1.0], [float("nan"), 0.0], "ab", None):
        with pytest.raises((ValueError, TypeError)):
            check_set({"index": 0, "games": [{**game, "luck": wrong}]})


def test_more_than_two_engines_are_refused(tmp_path: Path) -> None:
    done = cirulla(tmp_path, "match", *PLAYERS, "--engine", "player=careful", "--luck")
    assert done.returncode == 2
    assert "--luck compares two engines, here are 3" in done.stderr
