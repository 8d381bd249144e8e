"""Records as text: round trips, what is read although it is written oddly, what is refused."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from random import Random

import pytest
from hypothesis import currently_in_test_context, example, given, note, settings
from hypothesis import strategies as st
from support.strategies import SEEDS, Game, games, positions, rules_of
from support.vectors import rows

from cirulla_ai import PRESETS, Action, ActionError, State
from cirulla_ai.records import (
    MARKS,
    Comment,
    Forfeit,
    Ply,
    Record,
    RecordError,
    Result,
    read_records,
    write_record,
    write_records,
)

DOCUMENT = Path(__file__).parent.parent / "docs" / "records.md"
# Parametrised by preset, a test runs fifteen times: a share of the examples for each.
FEW = max(settings().max_examples // 10, 1)

# The deck in canonical order, dealt by seat 1 under scopa: seat 0 holds AH AC 2H, seat 1
# AD AS 2D, and 2C 2S 3H 3D lie on the table.  Seat 0 lays the ace, seat 1 takes a two, and
# with it has the most cards and the most diamonds so far.
PACK = "".join(rank + suit for rank in "A234567JQK" for suit in "HDCS")
PLAIN = f"""\
[Event "by hand"]
[Seat0 "A"]
[Seat1 "B"]
[Rules "scopa"]
[Dealer "1"]
[Scores "3/4"]
[Misdeals "0"]
[Pack "{PACK[:40]}"
   "{PACK[40:]}"]
[Result "0/2 unfinished"]

{{the deck as it came out of the box}}
1. 0:AH {{-0.50/0.3s/12000n nothing to take}} 1:2Dx2C {{+1.00}} *
"""

VIEW = """\
[Rules "cirulla"]
[Dealer "1"]
[Scores "0/0"]
[Misdeals "0"]
[Viewer "0"]
[State "rules=cirulla dealer=1 turn=0 round=1 hands=3C4D7H/?3 shown=-/- "
   "claimed=0/0 declared=- table=AS5D6CKD taken=-/- scopa=0/0 last=- "
   "stock=?30 scores=0/0 misdeals=0 won=- viewer=0 phase=play"]
[Result "6/0 unfinished"]

1. 0:!3C4D7H=2 0:3CxAS5D6C 1:2H 0:4D 1:JS 0:7Hx2H 1:6H
2. @AH3H5H *
"""


def only(text: str) -> Record:
    """The one record of a text."""
    record, = read_records(text)
    return record


def check(record: Record) -> None:
    """There and back, twice, within eighty columns."""
    text = write_record(record)
    if currently_in_test_context():
        note(text)
    back = only(text)
    assert back == record
    assert back.final == record.final
    assert back.result == record.result
    assert write_record(back) == text
    for line in text.splitlines():
        assert len(line) <= 80 or " " not in line.strip(), line


# --- by hand --------------------------------------------------------------------------

def test_a_record_by_hand() -> None:
    start = State.deal("scopa", dealer=1, scores=(3, 4), pack=PACK)
    record = Record.from_play(
        start,
        [Ply("AH", Comment(-50, 300, 12000, "nothing to take")), Ply("2dx2c", Comment(100))],
        names=("A", "B"), tags={"Event": "by hand"},
        comment="the deck as it came out of the box")
    assert write_record(record) == PLAIN
    assert only(PLAIN) == record
    assert record.names == ("A", "B")
    assert record.result == Result((0, 2), "unfinished")
    assert [state.turn for state in record.states()] == [0, 1, 0]
    assert [(state.turn, ply.word) for state, ply in record.moves()] == [(0, "AH"), (1, "2Dx2C")]
    assert record.final == start.play("AH", "2Dx2C")


def test_a_view_by_hand() -> None:
    record = only(VIEW)
    assert write_record(record) == VIEW
    assert record.start.viewer == 0
    assert [ply.word for ply in record.plies][-2:] == ["6H", "@AH3H5H"]
    assert record.final.hands == (("AH", "3H", "5H"), ())
    assert len(record.states()) == 9
    assert [ply.word for _, ply in record.moves()][-1] == "6H"


def test_the_document_shows_what_is_so() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    records = [block for block in blocks if "[Rules" in block]
    assert records
    for text in records:
        assert write_record(only(text)) == text


def test_the_example_of_the_document_is_what_its_program_prints() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    [program] = re.findall(r"^```python\n(from cirulla_ai.*?)^```", text, re.DOTALL | re.MULTILINE)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(program, {})
    shown = text.split("```text\n")[1].split("```")[0]
    assert timeless(shown) == timeless(printed.getvalue())


def timeless(text: str) -> list[str]:
    """The words of a record without the seconds, which also decide where lines end."""
    return re.sub(r"/[0-9.]+s", "", text).split()


# --- round trips ----------------------------------------------------------------------

WORDS = st.text(max_size=60)
NUMBERS = st.one_of(st.none(), st.integers(0, 10**14 - 1))
COMMENTS = st.one_of(
    st.none(),
    st.builds(Comment, centipoints=st.one_of(st.none(), st.integers(-(10**6), 10**6)),
              milliseconds=NUMBERS, nodes=NUMBERS, text=WORDS))
PLY_MARKS = st.sampled_from(("", *MARKS))
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True)
TAGS = st.dictionaries(st.one_of(NAMES, st.sampled_from(("Event", "Date", "Seat0", "Seed"))),
                       WORDS, max_size=4)


@st.composite
def records(draw: st.DrawFn, game: Game) -> Record:
    """A record of a part of a game, or of the whole, with all sorts of things said."""
    first = draw(st.integers(0, len(game.actions)))
    last = draw(st.integers(first, len(game.actions)))
    plies = tuple(Ply(str(action), draw(COMMENTS), draw(PLY_MARKS))
                  for action in game.actions[first:last])
    forfeit = None
    if not game.states[last].is_over and draw(st.booleans()):
        points = tuple(draw(st.integers(0, 60)) for _ in range(game.rules.sides))
        forfeit = Forfeit(draw(st.integers(0, game.rules.players - 1)), points, draw(WORDS))
    try:
        return Record(game.states[first], plies, draw(TAGS), draw(WORDS), forfeit)
    except RecordError:
        # A free tag that happens to have the name of another.
        return Record(game.states[first], plies, {}, draw(WORDS), forfeit)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=FEW)
@given(data=st.data())
def test_round_trips_of_a_preset(preset: str, data: st.DataObject) -> None:
    game = data.draw(games(st.just(rules_of(f"rules={preset}"))))
    whole = Record.from_play(game.states[0], game.actions)
    check(whole)
    assert whole.states() == list(game.states)
    assert whole.final.is_over
    check(data.draw(records(game)))


@given(games(), st.data())
def test_round_trips_under_any_rules(game: Game, data: st.DataObject) -> None:
    check(data.draw(records(game)))


@given(positions())
def test_round_trips_from_any_position(state: State) -> None:
    """Also from positions that no deal has come to."""
    check(Record(state))


@given(games(), st.data())
def test_round_trips_of_what_one_seat_saw(game: Game, data: st.DataObject) -> None:
    whole = data.draw(records(game))
    for seat in range(game.rules.players):
        seen = whole.seen_by(seat)
        check(seen)
        assert seen.final == whole.final.view(seat)
        assert seen.result.points == whole.result.points
        assert seen.seen_by(seat) == seen
        assert [ply.word for _, ply in seen.moves()] == [ply.word for ply in whole.plies]


@given(st.lists(games().flatmap(records), max_size=4))
def test_round_trips_of_many(several: list[Record]) -> None:
    file = io.StringIO()
    write_records(several, file)
    assert list(read_records(file.getvalue())) == several
    file.seek(0)
    assert list(read_records(file)) == several


@given(COMMENTS)
@example(Comment(text="+1.25 is no figure"))
@example(Comment(text="0.3s/5n"))
@example(Comment(text="- 12n"))
@example(Comment(text="-"))
@example(Comment(text="} { \\ \\} \\\\{"))
@example(Comment(centipoints=0, text="- +1.00"))
@example(Comment(centipoints=-5, milliseconds=0, nodes=0))
def test_round_trips_of_comments(comment: Comment | None) -> None:
    assert Comment.parse(str(comment or "")) == (comment or Comment())
    check(Record(State.parse(only(PLAIN).start.__str__()), (Ply("AH", comment),)))


@pytest.mark.parametrize(("comment", "text"), [
    (Comment(125, 300, 12000), "+1.25/0.3s/12000n"), (Comment(-5), "-0.05"), (Comment(0), "+0.00"),
    (Comment(milliseconds=61001), "61.001s"), (Comment(milliseconds=0), "0s"),
    (Comment(nodes=7, text="so so"), "7n so so"), (Comment(100, nodes=1), "+1.00/1n"),
    (Comment(text="  two\n lines "), "two lines"), (Comment(text="7n"), "- 7n"),
])
def test_figures(comment: Comment, text: str) -> None:
    assert str(comment) == text
    assert Comment.parse(text) == comment


@pytest.mark.parametrize("text", [
    "+1.255", "1.25", "+1.25/", "12000n/0.3s", "0.3s/0.3s", "+1.25/x", "+", "0.3 s", "+١", "s",
])
def test_what_is_no_figure_is_text(text: str) -> None:
    assert Comment.parse(text) == Comment(text=text)


# --- endings --------------------------------------------------------------------------

def test_a_cappotto() -> None:
    """Every row of the vectors in which the tenth diamond is taken."""
    found = 0
    for row in (parameters.values[0] for parameters in rows("apply")):
        if "phase=done" in row["next"] and " won=" in row["next"] and (
            "won=-" not in row["next"]
        ):
            record = Record.from_play(State.parse(row["state"]), [row["action"]])
            assert record.result.ending == "cappotto"
            check(record)
            found += 1
    assert found


def test_first_tables_that_decide() -> None:
    found = {"win": 0, "loss": 0}
    for row in (parameters.values[0] for parameters in rows("deal")):
        if row["outcome"] in found:
            start = State.deal(row["rules"].removeprefix("rules="), dealer=row["dealer"],
                               scores=row["scores"], misdeals=row["misdeals"], pack=row["pack"])
            record = Record(start)
            assert record.result.ending == {"win": "table", "loss": "misdeals"}[row["outcome"]]
            assert "[Pack" in write_record(record)
            check(record)
            found[row["outcome"]] += 1
    assert all(found.values())


def test_forfeits() -> None:
    start = State.deal("cirulla", dealer=1, seed=7)
    record = Record(start, forfeit=Forfeit(1, (10, 0), "out of time:  1.2 s [late]"))
    assert record.result == Result((10, 0), "forfeit", 1, "out of time: 1.2 s [late]")
    assert '[Result "10/0 forfeit of seat 1: out of time: 1.2 s [late]"]' in write_record(record)
    assert write_record(record).endswith("\n\n10/0\n")
    check(record)
    check(Record(start, forfeit=Forfeit(0, (0, 0))))
    for forfeit in (Forfeit(2, (0, 0)), Forfeit(0, (0,)), Forfeit(0, (-1, 0)),
                    Forfeit(0, (0.5, 0))):  # type: ignore[arg-type]
        with pytest.raises(RecordError, match="forfeit"):
            Record(start, forfeit=forfeit)


def play_out(start: State, seed: int = 0) -> list[Action]:
    """Random actions to the end."""
    random, state, actions = Random(seed), start, []
    while legal := state.legal_actions():
        actions.append(random.choice(legal))
        state = state.apply(actions[-1])
    return actions


def test_no_forfeit_of_what_is_played_out() -> None:
    start = State.deal("cirulla", seed=7)
    with pytest.raises(RecordError, match="played out"):
        Record.from_play(start, play_out(start), forfeit=Forfeit(0, (0, 10)))


@pytest.mark.parametrize("text", [
    "8", "8/5 won", "8/5 normal of seat 1", "8/5 forfeit", "-1/5 normal", "8/ 5 normal", "a/b",
    "8/5  normal x", "", "8/5 forfeit of seat x", "1" * 40 + "/5",
])
def test_results_that_are_none(text: str) -> None:
    with pytest.raises(RecordError, match="is no result"):
        Result.parse(text)


# --- what a record can't be -----------------------------------------------------------

def test_records_that_cannot_be() -> None:
    start = State.deal("scopa", dealer=1, pack=PACK)
    with pytest.raises(RecordError, match=r"action 2: action 2D .*2Dx2C"):
        Record(start, (Ply("AH"), Ply("2D")))
    with pytest.raises(RecordError, match="the whole truth has the cards"):
        Record(start, (Ply("@AHAC2H"),))
    with pytest.raises(RecordError, match="Rules is written from the start"):
        Record(start, tags={"rules": "scopa"})
    for name in ("no good", "", "1st", "é", "K" * 41):
        with pytest.raises(RecordError, match="letters, digits"):
            Record(start, tags={name: ""})
    with pytest.raises(RecordError, match="Event stands twice"):
        Record(start, tags={"Event": "", "event": ""})
    with pytest.raises(ActionError):
        Ply("8H")
    with pytest.raises(ActionError):
        Ply("@8H")
    for numbers in ((1.5, None, None), (None, -1, None), (None, None, True), (10**20, None, None)):
        with pytest.raises(RecordError, match="a whole number"):
            Comment(*numbers)


def test_dealt_hands_in_the_whole_truth_are_checked_and_left_out() -> None:
    start = State.deal("scopa", dealer=1, pack=PACK)
    words = ["AH", "2Dx2C", "ACxAH", "AD", "2Hx2S", "ASxAD"]
    hand = "".join(start.play(*words).hands[0])
    record = Record.from_play(start, [*words, f"@{hand}"])
    assert [ply.word for ply in record.plies] == words
    text = write_record(record)
    assert only(text.replace(" *", f"\n2. 0:@{hand} {{new cards}} *")).plies[:5] == record.plies[:5]
    with pytest.raises(RecordError, match="@KHKDKS"):
        Record.from_play(start, [*words, "@KSKHKD"])


# --- read although it is written oddly -------------------------------------------------

ODD = {
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "CR": PLAIN.replace("\n", "\r"),
    "a byte order mark": "\ufeff" + PLAIN,
    "white space": PLAIN.replace("[", "  [ ").replace(" \"", "\t \"").replace("]", " ]")
                        .replace("0:AH", "\n\n 0:AH\v\n").replace("1. ", "\n  1.\t"),
    "no end": PLAIN.replace(" *", ""),
    "no line break at the end": PLAIN.rstrip(),
    "empty lines about it": "\n\n" + PLAIN + "\n\n",
    "empty lines between tags": PLAIN.replace("]\n[", "]\n\n[").replace("]\n\n[", "]\n[", 1),
    "a pack in one piece": PLAIN.replace('"\n   "', ""),
    "a pack in many pieces": PLAIN.replace('AHADACAS2H', 'AHAD" "ACAS" "" "2H'),
    "lower case": PLAIN.replace("0:AH", "0:ah").replace("2Dx2C", "2dX2c").replace("Seat", "seat")
                       .replace("Pack", "PACK").replace("Rules", "rules"),
    "rules as a state string has them": PLAIN.replace('"scopa"', '"rules=scopa"'),
    "scores with a dash": PLAIN.replace('"3/4"', '"3-4"'),
    "no optional tags": PLAIN.replace('[Misdeals "0"]\n', "").replace('[Dealer "1"]\n', "")
                             .replace('[Result "0/2 unfinished"]\n', ""),
    "unknown values": PLAIN.replace('Misdeals "0"', 'Misdeals "?"').replace(
        "0/2 unfinished", "*"),
    "points without an ending": PLAIN.replace("0/2 unfinished", "0/2"),
    "points at the end": PLAIN.replace(" *", " 0/2"),
    "points with a dash": PLAIN.replace(" *", " 0-2"),
    "no round marks": PLAIN.replace("1. ", ""),
    "round marks anywhere": PLAIN.replace("1. ", "1.").replace("1:2D", "1... 1:2D"),
    "no seats": PLAIN.replace("0:", "").replace("1:", ""),
    "seats apart": PLAIN.replace("0:", "0: ").replace("1:", "1:\n"),
    "glyphs": PLAIN.replace("0:AH", "0:AH???? $14").replace("2Dx2C", "2Dx2C!?! $1$2"),
    "a mark before all": PLAIN.replace("0:AH", "?? 0:AH"),
    "stray brackets": PLAIN.replace("*", "} ) *"),
    "remarks": PLAIN.replace("0:AH", "; 9. nothing { [\n0:AH").replace("1. ", "\n% { \n1. "),
    "other lines": PLAIN.replace("1:2D", "(0:AC {or (so)} 1:2D (1:AS)) 1:2D"),
    "comments in pieces": PLAIN.replace("{-0.50/0.3s/12000n nothing to take}",
                                        "{nothing} {-0.50/0.3s/12000n} {to take}"),
    "comments without spaces": PLAIN.replace("0:AH {", "0:AH{").replace("} 1:", "}1:"),
    "no empty line before the actions": PLAIN.replace("]\n\n{", "]\n{").replace("]\n{", "] {"),
    "an ending in dots": PLAIN.replace("1. ", "1... "),
}


@pytest.mark.parametrize("text", ODD.values(), ids=list(ODD))
def test_odd_writing(text: str) -> None:
    assert only(text) == only(PLAIN)
    # And so between others.
    assert list(read_records(f"{VIEW}\n{text}\n{VIEW}"))[1] == only(PLAIN)


def test_nested_comments_are_text() -> None:
    text = PLAIN.replace("nothing to take", "a { nested {one} \\} } and [Event \"x\"] ; % $1")
    comment = only(text).plies[0].comment
    assert comment is not None
    assert comment.text == 'a { nested {one} } } and [Event "x"] ; % $1'
    check(only(text))


def test_unknown_tags_are_kept() -> None:
    record = only(PLAIN.replace("[Event", "[annotator \"A \\\"quoted\\\" \\\\ name\"]\n[Event"))
    assert record.tags["annotator"] == 'A "quoted" \\ name'
    check(record)


def test_a_seed_deals() -> None:
    start = State.deal("cirulla", dealer=0, seed=7, scores=(1, 2))
    text = '[Rules "cirulla"]\n[Dealer "0"]\n[Scores "1/2"]\n[Seed "7"]\n\n*\n'
    record = only(text)
    assert record == Record(start, tags={"Seed": "7"})
    check(record)


def test_a_seed_with_misdeals() -> None:
    """The tag counts those that the seed makes, and those before."""
    seed = next(n for n in range(1000) if State.deal(seed=n).misdeals == 1)
    for before in (0, 2):
        start = State.deal(seed=seed, misdeals=before)
        assert start.misdeals == before + 1
        record = only(f'[Seed "{seed}"]\n[Misdeals "{before + 1}"]\n\n*\n')
        assert record.start == start
        check(record)
    assert only(f'[Seed "{seed}"]').start == State.deal(seed=seed)
    with pytest.raises(RecordError, match="more than Misdeals 0"):
        only(f'[Seed "{seed}"]\n[Misdeals "0"]\n')


@pytest.mark.parametrize("source", ["path", "text file", "binary file", "lines", "bytes"])
def test_sources(source: str, tmp_path: Path) -> None:
    path = tmp_path / "records.txt"
    path.write_bytes(b"\xef\xbb\xbf" + f"{PLAIN}\n{VIEW}".replace("\n", "\r\n").encode())
    want = [only(PLAIN), only(VIEW)]
    if source == "path":
        assert list(read_records(path)) == want
    elif source == "text file":
        with path.open(encoding="utf-8") as file:
            assert list(read_records(file)) == want
    elif source == "binary file":
        with path.open("rb") as binary:
            assert list(read_records(binary)) == want
    else:
        lines = path.read_bytes().splitlines(keepends=True)
        assert list(read_records(lines if source == "bytes" else
                                 [line.decode() for line in lines])) == want


def test_the_name_of_a_file_is_not_taken_for_a_record(tmp_path: Path) -> None:
    path = tmp_path / "records.txt"
    path.write_text(PLAIN, encoding="utf-8")
    with pytest.raises(RecordError, match=r"read from Path\("):
        list(read_records(str(path)))
    with pytest.raises(RecordError, match="no cards"):
        list(read_records(str(tmp_path / "other.txt")))


@pytest.mark.parametrize("mark", ["", "!", "?", "?!", "??"])
def test_a_card_that_was_not_seen_keeps_its_mark(mark: str) -> None:
    start = State.deal("ciapano", dealer=2, seed=7)
    whole = Record.from_play(start, [str(start.legal_actions()[0])])
    seen = whole.seen_by(2)
    text = write_record(seen)
    assert "0:>?" in text
    assert text.count("0:>?") == 1
    marked = only(text.replace("0:>?", f"0:>?{mark}"))
    assert marked.plies == (Ply(">?", mark=mark),)
    assert marked.start == seen.start
    check(marked)


# --- marks and notes ------------------------------------------------------------------

@pytest.mark.parametrize("mark", ["!!", "!", "!?", "?!", "?", "??"])
def test_marks_are_kept(mark: str) -> None:
    text = PLAIN.replace("0:AH", f"0:AH{mark}")
    record = only(text)
    assert [ply.mark for ply in record.plies] == [mark, ""]
    assert write_record(record) == text
    # Typed with a space, and where there is one already.
    assert only(PLAIN.replace("0:AH", f"0:AH {mark}")) == record
    assert only(PLAIN.replace("0:AH", f"0:AH{mark} !!")) == record


def test_a_mark_behind_a_claim() -> None:
    text = VIEW.replace("0:!3C4D7H=2", "0:!3C4D7H=2?!").replace("0:7Hx2H", "0:7Hx2H??")
    record = only(text)
    assert [ply.mark for ply in record.plies if ply.mark] == ["?!", "??"]
    assert record.plies[0].word == "!3C4D7H=2"
    assert write_record(record) == text


@pytest.mark.parametrize(("word", "mark"), [("7H", "???"), ("7H", "x"), ("@7H", "?"), ("7H", None)])
def test_marks_that_can_not_be(word: str, mark: str) -> None:
    with pytest.raises(RecordError) as error:
        Ply(word, mark=mark)
    assert word in str(error.value) and "?! ? ??" in str(error.value)


def test_notes_stand_amid_the_text() -> None:
    comment = Comment.parse("+1.00/0.3s [%best 7Hx3S5C] a pity [%LOSS 0.52] [%alone] [%best 2]")
    assert comment.centipoints == 100
    assert comment.notes == {"best": "7Hx3S5C", "loss": "0.52", "alone": ""}
    noted = comment.with_notes({"loss": "0.10", "punished": "no", "best": None})
    assert str(noted) == "+1.00/0.3s [%loss 0.10] [%punished no] a pity [%alone]"
    assert noted.with_notes({"loss": None, "punished": None, "alone": None}).text == "a pity"
    assert Comment.parse(str(noted)) == noted
    record = only(PLAIN.replace("nothing to take", "[%best AC] [%loss 0.50] nothing to take"))
    assert record.plies[0].comment is not None
    assert record.plies[0].comment.notes == {"best": "AC", "loss": "0.50"}
    check(record)


@pytest.mark.parametrize(("name", "value"), [
    ("9", "1"), ("a b", "1"), ("", "1"), ("loss", "1]"), ("loss", "[1"), ("loss", "{1}"),
    ("x" * 41, "1")])
def test_notes_that_can_not_be(name: str, value: str) -> None:
    with pytest.raises(RecordError):
        Comment().with_notes({name: value})


def test_what_one_seat_saw_of_an_annotated_record() -> None:
    text = PLAIN.replace("0:AH", "0:AH?").replace(
        "nothing to take", "[%luck +0.50/-0.50] [%best AC] [%punished yes] x").replace(
        "1:2Dx2C {+1.00}", "1:2Dx2C?? {[%best 2Dx2S]}").replace(
        "[Result", '[Luck "+0.50/-0.50"]\n[Annotator "A"]\n[Result')
    seen = only(text).seen_by(0)
    # Neither what another seat was thought of, nor what is judged by the hidden cards.
    assert [(ply.word, ply.mark, str(ply.comment or "")) for ply in seen.plies] == [
        ("AH", "?", "-0.50/0.3s/12000n [%best AC] x"), ("2Dx2C", "", "")]
    assert seen.tags["Annotator"] == "A" and "Luck" not in seen.tags


def test_reading_is_as_lazy_as_its_source() -> None:
    def lines() -> Iterator[str]:
        for line in f"{PLAIN}\n{PLAIN}".splitlines():
            taken.append(line)
            yield line

    taken: list[str] = []
    found = read_records(lines())
    next(found)
    assert len(taken) < 16


def test_nothing() -> None:
    for text in ("", "\n\n", "% a remark\n; another\n", "\ufeff", " \t\n"):
        assert list(read_records(text)) == []


# --- refused, with the line -----------------------------------------------------------

BAD = [
    (PLAIN.replace("0:AH", "0:KH"), 13, r"action KH is not legal for seat 0; legal are 2Hx2C"),
    (PLAIN.replace("1:2D", "0:2D"), 13, "0:2Dx2C stands where seat 1 is to play"),
    (PLAIN.replace("1:2Dx2C", "1:8H"), 13, "'8H'"),
    (PLAIN.replace("1:2Dx2C {+1.00} *", "1: *"), 13, "no action follows 1:"),
    (PLAIN.replace("1. ", "2. "), 13, "2. stands where round 1 is played"),
    (PLAIN.replace(" *", " 1/0"), 13, "1/0 ends the record; the actions give 0/2 unfinished"),
    (PLAIN.replace(" *", " * 0:AC"), 13, r"'0:AC' stands after the end of the record, \*"),
    (PLAIN.replace("unfinished", "normal"), 10, "the actions give '0/2 unfinished'"),
    (PLAIN.replace('"0/2 unf', '"0/1 unf'), 10, "the actions give '0/2 unfinished'"),
    (PLAIN.replace("unfinished", "lost"), 10, "is no result; one is the points"),
    (PLAIN.replace("0/2 unfinished", "0/10 forfeit of seat 7"), 1, r"there are 0 … 1"),
    (PLAIN.replace("+1.00}", "+1.00"), 13, "is never closed; it ends with }"),
    (PLAIN.replace("1:2D", "(1:2D"), 13, r"is never closed; it ends with \)"),
    (PLAIN.replace("1:2D", '[Event "x"] 1:2D'), 13, "amid the actions"),
    (PLAIN.replace('Rules "scopa"', 'Rules "scoppa"'), 4, "no such preset"),
    (PLAIN.replace('Rules "scopa"', 'Rules "scopa players=9"'), 4, "players takes 2 … 4"),
    (PLAIN.replace('Rules "scopa"', "Rules scopa"), 4, "is no tag"),
    (PLAIN.replace('Rules "scopa"', 'Rules "scopa'), 4, "the value in quotes"),
    (PLAIN.replace('Dealer "1"', 'Dealer "2"'), 8, r"dealer: 2 is not in 0 … 1"),
    (PLAIN.replace('Dealer "1"', 'Dealer "one"'), 5, "Dealer: 'one' is not a whole number"),
    (PLAIN.replace('"3/4"', '"3/4/5"'), 8, "3 of them; there are 2 sides"),
    (PLAIN.replace('"3/4"', '"3/x"'), 6, "Scores: 'x' is not a whole number"),
    (PLAIN.replace("KHKD", "KHKH"), 8, "Pack: "),
    (PLAIN.replace("KHKD", "KH"), 8, "39 cards, without KD"),
    (PLAIN.replace("[Pack", "[Unpack"), 1, "one of the tags Pack, State and Seed is needed"),
    (PLAIN.replace('[Event "by hand"]', '[Viewer "0"]'), 1, "dealt with Viewer -"),
    (PLAIN.replace("[Seat1", "[Seat0"), 3, "tag Seat0 stands twice"),
    (VIEW.replace('Dealer "1"', 'Dealer "0"'), 2, "dealt with Dealer 1"),
    (VIEW.replace('Rules "cirulla"', 'Rules "scopa"'), 1, "dealt with Rules rules=cirulla"),
    (VIEW.replace("taken=-/-", "taken=AH/-"), 6, "State: stock: 41 cards"),
    (VIEW.replace("@AH3H5H", "@AH3H5D"), 12, "5D has been seen elsewhere"),
    (VIEW.replace("@AH3H5H", "1:@AH3H5H"), 12, "stands where seat 0 is dealt"),
    (VIEW.replace("2. @AH3H5H", "3. @AH3H5H"), 12, "3. stands where round 2 is played"),
    (VIEW.replace("2. @AH3H5H", "2. 0:AH"), 12, "cards must be dealt first"),
    ('[Seed "-1"]\n\n*\n', 1, "not a whole number"),
    (f'[Seed "{2**64}"]\n\n*\n', 1, "Seed: "),
    (f'[Rules "cirulla"]\n[Pack "{PACK[12:24]}{PACK[:12]}{PACK[24:]}"]\n\n*\n', 2, "misdeal"),
]


@pytest.mark.parametrize(("text", "line", "says"), BAD)
def test_refused(text: str, line: int, says: str) -> None:
    with pytest.raises(RecordError, match=says) as caught:
        list(read_records(text))
    assert caught.value.line == line
    place = f"line {line}" + (f", column {caught.value.column}" if caught.value.column else "")
    assert str(caught.value).startswith(f"{place}: ")
    # After a good one, and skipped before another.
    before = f"{VIEW}\n"
    errors: list[RecordError] = []
    found = list(read_records(f"{before}{text}\n\n{VIEW}", on_error=errors.append))
    assert [error.line for error in errors] == [line + before.count("\n")]
    assert found == [only(VIEW), only(VIEW)]


@pytest.mark.parametrize("text", ["1. 0:7H", "hello\nworld", "*", '[Event "x"]', "\0"])
def test_no_cards(text: str) -> None:
    with pytest.raises(RecordError, match="line 1: no cards: one of the tags Pack, State and"):
        list(read_records(text))


def test_two_packs_and_a_state_must_agree() -> None:
    start = only(PLAIN).start
    state = f'[State "{start}"]\n'
    assert only(state + PLAIN) == only(PLAIN)
    other = str(start).replace("scores=3/4", "scores=3/5")
    with pytest.raises(RecordError, match="another state"):
        only(f'[State "{other}"]\n{PLAIN}')


# --- hostile --------------------------------------------------------------------------

def read(text: str) -> tuple[list[Record], RecordError | None]:
    """The records before the first error, and the error."""
    found = []
    try:
        for record in read_records(text):
            found.append(record)
    except RecordError as error:
        return found, error
    return found, None


def survive(text: str) -> None:
    """Nothing but RecordError, raised or reported; what is read is a record."""
    errors: list[RecordError] = []
    records = list(read_records(text, on_error=errors.append))
    for record in records:
        check(record)
    found, error = read(text)
    assert found == records[:len(found)]
    assert str(error) == str(errors[0] if errors else None)
    for error in errors:
        assert 1 <= (error.line or 0) <= text.count("\n") + text.count("\r") + 1


PARTS = st.sampled_from([
    "[", "]", '"', "\\", "{", "}", "(", ")", ";", "%", "$", "!", "?", "*", "@", "1.", "2...", "0:",
    "1:", "=", "x", "/", "8/5", "\n", "\r", "\n\n", " ", "\0", "\ufeff", "\u2028", "²", "٣", "é",
    "AH", "2Dx2C", "pass", "!3C4D7H=2", "@AH3H5H", '[Event "x"]', '[Rules "cirulla"]', '[Seed "7"]',
    '[Pack "', "+1.25/0.3s/12000n", "9" * 30, '[Result "', '[State "', "rules=", "forfeit of seat",
    "\ud800", "[Scores \"", "1/0", "-", "K" * 90,
])


@given(st.lists(st.one_of(PARTS, st.text(max_size=5)), max_size=40))
def test_any_text(parts: list[str]) -> None:
    survive("".join(parts))


@settings(max_examples=4 * settings().max_examples)
@given(st.sampled_from((PLAIN, VIEW, f"{PLAIN}\n{VIEW}")), st.data())
def test_any_change(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        upto = min(len(text), at + data.draw(st.sampled_from((0, 0, 1, 1, 2, 10, 100))))
        text = text[:at] + data.draw(st.one_of(PARTS, st.just(""))) + text[upto:]
    survive(text)


@given(st.text(alphabet='{}()[]"\\;%$!?*@.:x/ AH2D01\n', min_size=1))
def test_the_next_record_is_read_whatever_the_actions_before_it(junk: str) -> None:
    head, actions = PLAIN.split("\n\n")
    bad = f"{head}\n\n1. 0:AH {junk.replace(chr(10), chr(10) + ' ')} {actions}"
    found = list(read_records(f"{bad}\n\n{VIEW}", on_error=lambda error: None))
    assert found[-1] == only(VIEW)


@pytest.mark.parametrize("text", [
    "{" * 100_000, "(" * 100_000, "[" * 100_000, '[A "' * 50_000, '[A "' + "\\" * 100_001,
    "!" * 100_000, "$" * 100_000, "[Seed \"7\"]\n" + "{a}" * 100_000,
    "[Seed \"7\"]\n" + "1." * 100_000, "[Seed \"7\"]\n" + "()" * 100_000,
    "[Seed \"7\"]\n" + "\n" * 100_000, "[Seed \"7\"]\n0:" + "7H" * 100_000, "; {\n" * 50_000,
    "[Seed \"7\"]" + "\\{" * 100_000, '[Seed "' + "7" * 100_000 + '"]',
    '[Rules "' + "a" * 100_000 + '"]\n[Seed "7"]', '[Scores "' + "1/" * 50_000 + '1"]\n[Seed "7"]',
])
@pytest.mark.timeout(20)
def test_huge(text: str) -> None:
    for _ in read_records(text, on_error=lambda error: None):
        pass
    assert len(str(read(text)[1])) < 1000


@given(games(), SEEDS)
def test_reading_its_own_text_cut_short(game: Game, seed: int) -> None:
    """A file that ends in the midst of a record: an error, or the part that is whole."""
    text = write_record(Record.from_play(game.states[0], game.actions, names=("A", "B")))
    survive(text[:Random(seed).randrange(len(text))])


WRITTEN = ("[Event \"caffè\"]\n[Rules \"scopa\"]\n[Seed \"5\"]\n\n"
           "[Event \"b\"]\n[Rules \"scopa\"]\n[Seed \"6\"]\n")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_marks_and_ends_of_lines(tmp_path: Path, mark: bytes, end: bytes) -> None:
    data = mark + WRITTEN.encode().replace(b"\n", end)
    path = tmp_path / "records"
    path.write_bytes(data + end + data)
    want = 2 * list(read_records(WRITTEN))
    assert len(want) == 4 and want[0].tags["Event"] == "caffè"
    assert list(read_records(path)) == want
    assert list(read_records(path.read_bytes().decode())) == want
    with path.open("rb") as binary:
        assert list(read_records(binary)) == want
    with path.open(encoding="utf-8") as text:
        assert list(read_records(text)) == want


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-32"])
def test_wide_text_is_refused(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "records"
    path.write_text(WRITTEN, encoding=codec)
    for source in (path, path.read_bytes().splitlines(keepends=True)):
        with pytest.raises(RecordError, match="line 1: it is UTF-16 or UTF-32; save it as UTF-8"):
            list(read_records(source))
    errors: list[RecordError] = []
    with path.open(encoding="utf-8", errors="replace") as text:
        assert list(read_records(text, errors.append)) == []
    assert len(errors) == 1


@pytest.mark.parametrize(("text", "message"), [
    ('[Dealer "x"]\n[Rules "bridge"]', "line 2, column 8: Rules: .*no such preset"),
    ('[Dealer "x"]\n[Rules "scopa"]', "line 1: no cards"),
    ('[State "hands=7H/7S"]\n[Rules "bridge"]', "line 2, column 8: Rules"),
])
def test_the_rules_and_then_the_cards_are_complained_of_first(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        list(read_records(text))
