"""Annotations in records, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.judged import by_chance

from cirulla_ai.analysis.annotate import Terms, annotate
from cirulla_ai.analysis.marking import is_annotated, marked, read_marked
from cirulla_ai.records import Comment, Ply, Record, RecordError, read_records, write_record

QUICK = Terms(nodes=60, deep=120)
MARKS = {"doubtful": "?!", "mistake": "?", "blunder": "??"}


@pytest.mark.parametrize("rules", ["cirulla", "cirulla players=3", "scopone", "ciapano"])
def test_an_annotated_record_says_all_that_is_pooled(rules: str) -> None:
    record = by_chance(rules, 2)
    words = annotate(record, QUICK).as_dict()
    made = marked(record, words)
    back, = read_records(write_record(made))
    assert back == made and write_record(back) == write_record(made)
    assert is_annotated(made) and not is_annotated(record)
    for ply, one in zip(made.plies, words["decisions"], strict=True):
        assert ply.mark == MARKS.get(one["class"], "")
        if one["class"] == "forced":
            assert not ply.comment or set(ply.comment.notes) <= {"luck"}
        else:
            assert ply.comment is not None
            notes = ply.comment.notes
            assert {"best", "points", "loss", "match"} <= set(notes)
            assert float(notes["loss"]) == one["loss"] and notes["best"] == one["best"]
    assert made.tags["Annotator"].startswith("cirulla-ai ")
    assert "60/120 nodes" in made.tags["Annotator"]
    assert [float(luck) for luck in made.tags["Luck"].split("/")] == [
        side["luck"] for side in words["sides"]]
    read = read_marked(back)
    assert read["limit"] == words["limit"]
    for mine, theirs in zip(read["decisions"], words["decisions"], strict=True):
        if theirs["class"] != "forced":
            assert mine == {key: theirs[key] for key in mine}
        assert mine["class"] == theirs["class"]
    assert read["deals"] == [
        {"round": deal["round"], "luck": deal["luck"]} for deal in words["deals"]]


def test_luck_stands_with_the_first_action_of_each_round() -> None:
    record = by_chance("cirulla", 2)
    made = marked(record, annotate(record, QUICK).as_dict())
    rounds = [state.round for state, ply in made.moves()
              if ply.comment and "luck" in ply.comment.notes]
    assert rounds == [1, 2, 3, 4, 5, 6]
    firsts = [k for k, (state, _) in enumerate(made.moves())
              if not k or state.round != made.states()[k - 1].round]
    assert firsts == [k for k, ply in enumerate(made.plies)
                      if ply.comment and "luck" in ply.comment.notes]


def test_what_was_annotated_is_annotated_anew() -> None:
    record = by_chance("cirulla", 2)
    mine = Comment(centipoints=5, nodes=7, text="a pity [%clock 3] [%loss 9] [%luck 3]")
    plies = (Ply(record.plies[0].word, mine, "!"), Ply(record.plies[1].word, None, "??"),
             *record.plies[2:])
    spoken = replace(record, plies=plies, tags={**record.tags, "luck": "x", "annotator": "y",
                                                "Event": "a"}, comment="well [%best 7H]")
    words = annotate(spoken, QUICK).as_dict()
    made = marked(spoken, words)
    assert marked(made, words) == made
    assert annotate(made, QUICK).decisions == annotate(record, QUICK).decisions
    first = made.plies[0]
    assert first.comment is not None
    assert (first.comment.centipoints, first.comment.nodes) == (5, 7)
    assert first.comment.text.endswith("a pity [%clock 3]")
    assert first.comment.text.count("[%luck") == 1
    assert first.mark == MARKS.get(words["decisions"][0]["class"], "!")
    assert made.plies[1].mark == MARKS.get(words["decisions"][1]["class"], "")
    assert set(made.tags) == {"Annotator", "Luck", "Event", "Seat0", "Seat1"}
    assert made.comment == "well [%best 7H]"


def test_one_seats_record() -> None:
    record = by_chance("cirulla", 2).seen_by(1)
    made = marked(record, annotate(record, QUICK).as_dict())
    assert next(iter(read_records(write_record(made)))) == made
    assert "Luck" not in made.tags
    for state, ply in made.moves():
        assert state.turn == 1 or (not ply.mark and not ply.comment)


@pytest.mark.parametrize(("note", "says"), [
    ("[%loss x]", "loss 'x' is no number"), ("[%loss nan]", "is no number"),
    ("[%luck 1]", "a number for each of 2 sides"), ("[%class good]", "class 'good'; there are")])
def test_notes_that_can_not_be_read(note: str, says: str) -> None:
    record = by_chance("cirulla", 2)
    first = Ply(record.plies[0].word, Comment(text=note))
    bad = Record(record.start, (first, *record.plies[1:]), {"Annotator": "me"})
    with pytest.raises(RecordError, match=says):
        read_marked(bad)
    with pytest.raises(RecordError, match="not annotated"):
        read_marked(record)
