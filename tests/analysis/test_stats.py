"""Annotations pooled: right sums by hand, the same from JSON as from records."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command_line import cirulla
from support.judged import by_chance

from cirulla_ai.analysis import strength
from cirulla_ai.analysis.annotate import Terms, annotate
from cirulla_ai.analysis.dialect import schema, written
from cirulla_ai.analysis.marking import marked
from cirulla_ai.analysis.stats import Stats
from cirulla_ai.analysis.strength import falling, level_of, load_table
from cirulla_ai.records import write_records

QUICK = Terms(nodes=60, deep=120)


def decision(seat: int, loss: float, name: str, **more: Any) -> dict[str, Any]:
    return {"seat": seat, "round": 1, "kind": "lay", "class": name, "loss": loss,
            "match_loss": loss / 50, "punished": None, **more}


def annotation(*decisions: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"kind": "annotation", "rules": "cirulla", "players": ["A", "B"], "points": [5, 3],
            "result": "5/3 normal", "limit": {"nodes": 10, "deep": 20}, "viewer": None,
            "decisions": list(decisions),
            "deals": [{"round": 1, "luck": [0.5, -0.5]}, {"round": 2, "luck": [0.75, -0.75]}],
            **more}


FIRST = annotation(
    decision(0, 0.0, "best"), decision(1, 0.6, "mistake", punished=True, kind="capture"),
    decision(0, 0.2, "fine", round=6), decision(1, 0.0, "forced"))
SECOND = annotation(
    decision(0, 1.0, "blunder", punished=False, kind="claim"), decision(1, 0.0, "best"),
    {"seat": 0, "class": None}, points=[1, 4], result="1/4 normal")


def pooled(*annotations: dict[str, Any]) -> dict[str, Any]:
    stats = Stats()
    for one in annotations:
        stats.add(one)
    words: dict[str, Any] = json.loads(written(stats.as_dict()))
    jsonschema.Draft202012Validator(schema()).validate(words)
    return words


def test_by_hand() -> None:
    words = pooled(FIRST, SECOND)
    assert words["records"] == 2
    a, b = words["players"]
    assert (a["player"], a["decisions"], a["forced"]) == ("A", 3, 0)
    assert (b["player"], b["decisions"], b["forced"]) == ("B", 2, 1)
    assert a["loss"] == 0.4 and b["loss"] == 0.3
    # Sums by record are 0.2 of 2 and 1.0 of 1, against 0.4 a decision.
    assert a["loss_error"] == pytest.approx(sqrt(2 * (0.6 ** 2 + 0.6 ** 2)) / 3, abs=1e-4)
    assert a["match_loss"] == 0.008
    assert a["by_class"] == {"best": 1, "fine": 1, "doubtful": 0, "mistake": 0, "blunder": 1}
    assert b["rates"]["mistake"] == 0.5
    assert (a["punished"], a["unpunished"], b["punished"], b["unpunished"]) == (0, 1, 1, 0)
    assert [(one["round"], one["decisions"], one["loss"]) for one in a["rounds"]] == [
        (1, 2, 0.5), (6, 1, 0.2)]
    assert [(one["kind"], one["loss"]) for one in a["kinds"]] == [("claim", 1.0), ("lay", 0.1)]
    assert a["last_rounds"]["loss"] == 0.2 and b["last_rounds"] is None
    assert (a["result"], a["luck"], a["adjusted"]) == (-0.5, 1.25, -1.75)
    assert (b["result"], b["luck"], b["adjusted"]) == (0.5, -1.25, 1.75)
    assert words["all"]["decisions"] == 5 and words["all"]["loss"] == 0.36
    assert words["all"]["luck"] is None


def test_of_one_record_errors_are_those_of_its_decisions() -> None:
    a, b = pooled(FIRST)["players"]
    assert a["loss_error"] == pytest.approx(0.1, abs=1e-9)
    assert b["loss_error"] is None


def test_who_was_not_judged_was_not_there() -> None:
    words = pooled(annotation(decision(0, 0.5, "mistake"), {"seat": 1, "class": None},
                              viewer=0, deals=[]))
    assert [one["player"] for one in words["players"]] == ["A"]
    assert words["players"][0]["luck"] is None


def test_a_player_on_both_seats_and_players_without_names() -> None:
    both, = pooled({**FIRST, "players": ["A", "A"]})["players"]
    assert both["decisions"] == 3 and both["luck"] is None
    assert [one["player"] for one in pooled({**FIRST, "players": [None, "A"]})["players"]] == [
        "A", "seat 0"]


@pytest.mark.parametrize(("words", "says"), [
    ({**FIRST, "kind": "analysis"}, "kind 'analysis': an annotation is needed"),
    ({**FIRST, "rules": "tombola"}, "tombola"), ({**FIRST, "rules": 3}, "rules 3: a text"),
    ({**FIRST, "players": ["A"]}, "players"), ({**FIRST, "decisions": 3}, "decisions 3: a list"),
    ({**FIRST, "decisions": [3]}, "decisions: objects"),
    (annotation(decision(2, 0.5, "best")), "seat 2: there are 0 … 1"),
    (annotation(decision(0, 0.5, "good")), "class 'good'"),
    (annotation(decision(0, float("nan"), "best")), "loss nan: a number"),
    (annotation(decision(0, 0.1, "best", round="1")), "round '1'"),
    ({**FIRST, "points": [1]}, "points"), ({**FIRST, "deals": [{}]}, "luck None: a list"),
    ({**FIRST, "deals": [{"luck": [1]}]}, "for each of 2 sides"),
    ({**FIRST, "deals": [{"luck": ["a", 1]}]}, "luck 'a': a number")])
def test_what_is_no_annotation(words: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Stats().add(words)


def test_json_and_records_say_the_same(tmp_path: Path) -> None:
    records = [by_chance("cirulla", seed) for seed in range(2)]
    # One that was won outright, another that breaks off, and what one seat saw.
    records += [next(one for one in (by_chance("cirulla target=21", seed) for seed in range(4000))
                     if one.result.ending == "cappotto"),
                by_chance("scopa", 1, 7), by_chance("cirulla", 3).seen_by(0)]
    found = [annotate(record, QUICK, number=k).as_dict() for k, record in enumerate(records, 1)]
    records.append(by_chance("cirulla", 4))
    found.append(annotate(records[-1], Terms(nodes=60, deep=120, seat=1), number=6).as_dict())
    with (tmp_path / "a.txt").open("w", encoding="utf-8") as file:
        write_records((marked(*pair) for pair in zip(records, found, strict=True)), file)
    (tmp_path / "a.jsonl").write_text("".join(written(one) + "\n" for one in found))
    answers = [cirulla(tmp_path, "stats", name, "--json") for name in ("a.txt", "a.jsonl")]
    assert [answer.returncode for answer in answers] == [0, 0], answers[0].stderr
    assert answers[0].stdout == answers[1].stdout
    words = json.loads(answers[0].stdout)
    assert words["records"] == 6 and [one["player"] for one in words["players"]] == ["P0", "P1"]
    said = cirulla(tmp_path, "stats", "a.txt").stdout
    assert "P1: " in said and "points lost a decision" in said
    assert max(map(len, said.splitlines())) <= 80


def test_what_can_not_be_read_is_said_and_the_rest_pooled(tmp_path: Path) -> None:
    record = by_chance("cirulla", 1)
    with (tmp_path / "a.txt").open("w", encoding="utf-8") as file:
        write_records([record, marked(record, annotate(record, QUICK).as_dict())], file)
    (tmp_path / "b.jsonl").write_text(
        "\n".join([written(FIRST), "{", "[]", '{"kind":"error"}', ""]), encoding="utf-8-sig")
    (tmp_path / "c.txt").write_text('[Rules "x"]\n')
    answer = cirulla(tmp_path, "stats", "a.txt", "b.jsonl", "c.txt", "--json")
    assert answer.returncode == 2
    assert json.loads(answer.stdout)["records"] == 2
    said = answer.stderr.splitlines()
    assert said[0].endswith("a.txt, record 1: it is not annotated; cirulla annotate does that")
    assert [line.partition(": no")[0] for line in said[1:2]] == ["cirulla stats: b.jsonl, line 2"]
    assert "line 3: []: an object" in said[2] and "line 4: kind 'error'" in said[3]
    assert "c.txt" in said[4] and "no cards" not in said[3]
    assert cirulla(tmp_path, "stats", "none.txt").returncode == 2


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), st.text(),
              st.sampled_from(["cirulla", "ciapano", "forced", "5/3 normal", 0, 1, -1])),
    lambda inner: st.one_of(st.lists(inner, max_size=3),
                            st.dictionaries(st.sampled_from(sorted(FIRST)), inner, max_size=3)),
    max_leaves=5)


@given(st.data())
def test_whatever_was_spoilt_is_refused_or_pooled(data: st.DataObject) -> None:
    words = json.loads(json.dumps(FIRST))
    place, key = words, data.draw(st.sampled_from(sorted(words)))
    while place[key] and isinstance(place[key], (dict, list)) and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(
            sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(JSON)
    stats = Stats()
    with suppress(ValueError):
        stats.add(words)
        json.loads(written(stats.as_dict()))


# --- levels ---------------------------------------------------------------------------

TABLE = {"rules": "rules=cirulla", "nodes": 10, "deep": 20, "command": "…", "levels": [
    {"level": 0, "loss": 1.0, "loss_error": 0.0}, {"level": 10, "loss": 0.5, "loss_error": 0.03},
    {"level": 20, "loss": 0.1, "loss_error": 0.0}]}


def test_between_the_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "load_table", lambda: TABLE)
    level = level_of("rules=cirulla", (10, 20), 0.75, 0.0)
    assert level is not None and level.level == 5.0
    level = level_of("rules=cirulla", (10, 20), 0.5, 0.04)
    assert level is not None and level.level == 10.0 and not level.is_beyond
    # 0.05 of a point, on both sides of a bend: 1 level below, 1.25 above.
    assert level.error == pytest.approx((1.0 + 1.25) / 2)
    for loss, end in ((2.0, 0.0), (0.05, 20.0)):
        level = level_of("rules=cirulla", (10, 20), loss, 0.01)
        assert level is not None and (level.level, level.is_beyond) == (end, True)
    for rules, limit in (("rules=scopa", (10, 20)), ("rules=cirulla", (10, 21)),
                         ("rules=cirulla", None)):
        assert level_of(rules, limit, 0.5, 0.1) is None
    assert pooled(FIRST, SECOND)["players"][0]["level"]["level"] == pytest.approx(12.5)


def test_losses_that_never_rise() -> None:
    assert falling([3, 2, 1], [1, 1, 1]) == [3, 2, 1]
    assert falling([3, 1, 2, 0], [1, 1, 1, 1]) == [3, 1.5, 1.5, 0]
    # A number that is known twice as well counts four times.
    assert falling([1, 2], [1, 2]) == pytest.approx([1.2, 1.2])


def test_the_table_that_is_shipped() -> None:
    table = load_table()
    terms = Terms()
    assert (table["rules"], table["nodes"], table["deep"]) == (
        "rules=cirulla", terms.nodes, terms.deep)
    levels = [row["level"] for row in table["levels"]]
    losses = [row["loss"] for row in table["levels"]]
    assert levels[0] == 0 and levels[-1] == 20 and levels == sorted(levels)
    assert all(a > b - 0.05 for a, b in pairwise(losses))
    assert losses[0] > 0.5 > 0.05 > losses[-1]
