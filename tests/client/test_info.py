"""Info lines as typed values, however they look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cirulla_ai import Action
from cirulla_ai.info import Info, Score, Wdl, parse_info
from cirulla_ai.records import Comment

FULL = ("info depth 6 nodes 2000 nps 166873 time 11 hashfull 1 multipv 2 score cp -172 "
        "wdl 465 0 535 se 18 visits 1997 pv 3C 2Dx5CJS")


def test_everything_that_the_protocol_names_is_read() -> None:
    info = parse_info(FULL)
    assert (info.nps, info.milliseconds) == (166873, 11)
    assert info == Info(
        depth=6, nodes=2000, hashfull=1, multipv=2, score=Score(-172, error=18),
        wdl=Wdl(465, 0, 535), visits=1997, pv=(Action("3C"), Action("2Dx5CJS")))


def test_what_is_not_said_is_none() -> None:
    assert parse_info("info depth 3") == Info(depth=3)
    assert parse_info("info") == Info()


@pytest.mark.parametrize(("line", "info"), [
    ("info score cp 1400 exact 1", Info(score=Score(1400, exact=True))),
    ("info score cp 5 exact 0 se 3", Info(score=Score(5, error=3))),
    ("info colour blue depth 3 mood good or bad nodes 7", Info(depth=3, nodes=7)),
    ("info nodes 1e9 depth 2", Info(depth=2)),
    ("info depth nodes 7", Info(nodes=7)),
    ("info wdl 1 2 nodes 7", Info(nodes=7)),
    ("info nodes 99999999999999999999 depth 1", Info(depth=1)),
    ("info pv 7H what 8H depth 2", Info(depth=2, pv=(Action("7H"),))),
    ("info string depth 3 is  deep ", Info(string="depth 3 is  deep")),
    ("info depth 3 string", Info(depth=3, string="")),
    ("info score mate 3 depth 1", Info(depth=1)),
    # What can't be is not believed, and spoils nothing else.
    ("info score cp 10000000000000000 nodes 7", Info(nodes=7)),
    ("info score cp -9223372036854775808", Info()),
    ("info score cp 1000000000", Info(score=Score(1000000000))),
    ("info score cp 1000000001", Info()),
    ("info score cp nan nodes 7", Info(nodes=7)),
    ("info score cp 12.5", Info()),
    ("info score cp 5 se -3", Info(score=Score(5))),
    ("info score cp 5 se 9999999999999999999", Info(score=Score(5))),
    ("info nodes -5 nps -1 time -7 depth -1 visits -2 hashfull -3", Info()),
    ("info nodes 9223372036854775807 nps inf time 1e400 visits NaN", Info()),
    ("info nodes 1000000000000000", Info(nodes=10**15)),
    ("info hashfull 1001 depth 2", Info(depth=2)),
    ("info multipv 0 depth 2", Info(depth=2)),
    ("info multipv -1 depth 2", Info(depth=2)),
    ("info wdl 1000 0 0", Info(wdl=Wdl(1000, 0, 0))),
    ("info wdl 333 333 333", Info(wdl=Wdl(333, 333, 333))),
    ("info wdl 1000 1000 1000", Info()),
    ("info wdl -100 100 1000", Info()),
    ("info wdl 0 0 0", Info()),
    ("info wdl 5000 0 -4000", Info()),
    ("info\tdepth\t4", Info(depth=4)),
])
def test_lines_of_all_sorts(line: str, info: Info) -> None:
    assert parse_info(line) == info


def test_what_is_left_out_is_remarked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", "cirulla_ai.info"):
        parse_info("info score cp 10000000000000000 wdl 1 2 3")
    assert "-1000000000 to 1000000000 after cp 10000000000000000" in caplog.text
    assert "wdl 1 2 3 is not 1000 together" in caplog.text


@given(st.sampled_from([*FULL.split()]), st.integers())
def test_no_number_is_more_than_a_record_holds(key: str, number: int) -> None:
    info = parse_info(FULL.replace(key, f"{key} {number}", 1))
    Comment(info.score.centipoints if info.score else None, info.milliseconds, info.nodes)


@given(st.lists(st.sampled_from([*FULL.split(), "exact", "string", "-", "x", "\x00"])))
def test_no_line_is_an_error(words: list[str]) -> None:
    parse_info(" ".join(["info", *words]))


@given(st.text(st.characters(max_codepoint=255)))
def test_no_text_is_an_error(text: str) -> None:
    parse_info(text)


def test_scores_for_people() -> None:
    assert str(Score(132)) == "+1.32"
    assert str(Score(-132, error=5)) == "-1.32 ± 0.05"
    assert str(Score(1400, exact=True)) == "+14.00 exactly"


def test_seen_from_the_other_side() -> None:
    assert -Score(132, error=5) == Score(-132, error=5)
    assert -Wdl(600, 100, 300) == Wdl(300, 100, 600)
    assert Wdl(600, 100, 300).expectation == 0.65
    assert Wdl(0, 0, 0).expectation == 0.5


def test_the_action_of_a_line() -> None:
    assert parse_info(FULL).action == Action("3C")
    assert Info().action is None
