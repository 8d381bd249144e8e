"""Numbers and arguments of other kinds: taken where it is plain what is meant, else refused by
name, with what was given and what would be right."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cirulla_ai import Action, Engine, Knowledge, Limit, Match, Rules, RulesError, State, StateError
from cirulla_ai.basics.numbers import given, real, real_number, whole, whole_number
from cirulla_ai.client.announced import AnnouncedOptions, parse_option
from cirulla_ai.client.engine_protocol import EngineProtocol
from cirulla_ai.client.inprocess import InProcessEngine
from cirulla_ai.engine.options import OptionError, Options
from cirulla_ai.history import History
from cirulla_ai.players import make_player
from cirulla_ai.players.sampling import EnginePlayer
from cirulla_ai.protocol.limits import parse_go
from cirulla_ai.records import (
    Comment,
    Forfeit,
    Ply,
    Record,
    RecordError,
    read_records,
    write_record,
    write_records,
)
from cirulla_ai.tournament.schedule import Schedule
from cirulla_ai.tournament.statistics import Bounds, Scores, Tally

numpy = pytest.importorskip("numpy")

STATE = State.deal("cirulla", dealer=1, seed=7)
FIRST = STATE.legal_actions()[0]
FOUR = State.deal("scopone", seed=1)


class Three:
    """An integer of a library that nobody knows."""

    def __repr__(self) -> str:
        return "Three()"

    def __index__(self) -> int:
        return 3


# --- numbers --------------------------------------------------------------------------

THREES = [3, numpy.int64(3), numpy.uint8(3), numpy.int8(3), Three(), numpy.array(3)]
NO_THREES: list[Any] = [
    True, False, numpy.True_, 3.0, 2.5, float("nan"), float("inf"), numpy.float64(3), "3", b"3",
    None, Fraction(3), Decimal(3), 3j, [3], numpy.array([1, 2]), numpy.array(True), -1, 10**30,
    10**5000,
]


@pytest.mark.parametrize("value", THREES, ids=repr)
def test_a_whole_number_of_any_library_is_one(value: Any) -> None:
    number = whole(value, 0, 5)
    assert type(number) is int
    assert number == 3


@pytest.mark.parametrize("value", NO_THREES, ids=lambda value: given(value, 20))
def test_what_is_no_whole_number_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^seat .*is not (a whole number )?in 0 … 5$"):
        whole(value, 0, 5, "seat")


@pytest.mark.parametrize("value", [3, 3.0, numpy.float32(3), numpy.int64(3), Fraction(3), Three()])
def test_a_number_of_any_library_is_one(value: Any) -> None:
    assert real(value, 0, 5) == 3
    assert type(real(value, 0, 5)) in (int, float)


@pytest.mark.parametrize("value", [
    True, numpy.True_, float("nan"), numpy.float32("nan"), float("inf"), "3", None, 3j, -0.5, 5.5,
    10**400, Fraction(10**400)])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^inc .*is not (a number )?in 0 … 5$"):
        real(value, 0, 5, "inc")


NO_NUMBERS = ["", " 5", "5 ", "1_0", "１２", "²", "٣", "5.", "0x5", "five", "1e1", "--5",
              "9" * 5000]


@pytest.mark.parametrize("text", NO_NUMBERS, ids=lambda text: given(text, 9))
def test_what_is_no_number_in_text_is_none_anywhere(text: str) -> None:
    for signed in (False, True):
        with pytest.raises(ValueError, match="whole number"):
            whole_number(text, 0, 100, signed=signed)
    if text == text.strip():
        # The value of an option is the rest of its line, where blanks mean nothing.
        with pytest.raises(OptionError, match="MultiPV takes"):
            Options().set("MultiPV", text)
    with pytest.raises(ValueError, match="nodes takes a whole number"):
        parse_go(["nodes", text])
    with pytest.raises(RulesError, match="target takes 1 … 1000"):
        Rules("cirulla", target=text)
    if text.strip() == text and text:
        with pytest.raises(StateError, match="misdeals"):
            State.parse(str(STATE).replace("misdeals=0", f"misdeals={text}"))
        # Of what an engine announces, as well as it goes.
        option = parse_option(f"option name A type spin default {text} min 1 max 7")
        assert (option.default, option.low, option.high) == (1, 1, 7)


def test_a_sign_is_taken_where_numbers_can_be_negative() -> None:
    assert whole_number("-5", -9, 9, signed=True) == -5
    assert whole_number("+5", -9, 9, signed=True) == 5
    assert parse_go(["time", "-5"]).limit.time == -5
    for text in ("-5", "+5"):
        with pytest.raises(ValueError, match="is not a whole number in 0 … 9"):
            whole_number(text, 0, 9)


@pytest.mark.parametrize(("text", "number"), [
    ("5", 5), ("+5", 5), ("-0.5", -0.5), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-1", 0.1)])
def test_a_decimal_number(text: str, number: float) -> None:
    assert real_number(text, -1, 1000) == number


@pytest.mark.parametrize("text", [
    "nan", "inf", "-inf", "infinity", "1e400", "1_0", "１", "", " 1", "1e", ".", "0x1", "1001"])
def test_no_decimal_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not (a number )?in 0 … 1000"):
        real_number(text, 0, 1000)


def match_deal(seed: Any) -> Any:
    return Match("cirulla").deal(seed=seed)


def limit(**values: Any) -> Limit:
    return Limit(**values)


# Where a whole number is taken, and what is told by it: 3 is right everywhere.
TAKES_WHOLE: list[Callable[[Any], Any]] = [
    lambda n: State.deal("cirulla", seed=n),
    lambda n: State.deal("cirulla players=4", dealer=n, seed=1),
    lambda n: State.deal("cirulla", scores=(n, 0), seed=1),
    lambda n: State.deal("cirulla", misdeals=n, seed=1),
    lambda n: str(Match("cirulla", seed=n).deal()),
    lambda n: str(Match("cirulla players=4", dealer=n, seed=1)),
    lambda n: str(Match("cirulla", scores=[n, 0], seed=1)),
    match_deal,
    lambda n: Rules("cirulla", players=4).side(n),
    lambda n: Rules("cirulla", target=3).winners([n, 0]),
    FOUR.view,
    lambda n: FOUR.seen(FOUR.legal_actions()[0], n),
    lambda n: STATE.perft(n),
    lambda n: repr(Knowledge(FOUR, n)),
    lambda n: Knowledge(STATE).draw(n),
    lambda n: History.of(FOUR).view(n),
    lambda n: Record(FOUR).seen_by(n),
    lambda n: Comment(0, n, 0), lambda n: Comment(0, 0, n),
    lambda n: Record(FOUR, forfeit=Forfeit(n, (0, 0))),
    lambda n: Record(FOUR, forfeit=Forfeit(0, (n, 0))),
    lambda n: Schedule(Rules("scopa"), n, 5, 1), lambda n: Schedule(Rules("scopa"), 2, n, 1),
    lambda n: Schedule(Rules("scopa"), 2, 5, n),
    lambda n: Scores(n).counts, lambda n: Tally(n).sums, lambda n: Scores.of([n, 0, 0]).counts,
    lambda n: make_player("random", n).random.random(),
]


# The same, but -1 is right, or "3", or a list.
TAKES_MORE: list[Callable[[Any], Any]] = [
    lambda n: Limit(nodes=n), lambda n: Comment(n, 0, 0), lambda n: Rules("cirulla", players=n),
    lambda n: Rules("cirulla", rounds=[n] * 6),
]


@pytest.mark.parametrize("take", [*TAKES_WHOLE, *TAKES_MORE])
def test_all_take_whole_numbers_of_any_library(take: Callable[[Any], Any]) -> None:
    right = take(3)
    for value in THREES:
        assert take(value) == right
        assert repr(take(value)) == repr(right)


BAD: list[Any] = [True, 0.5, float("nan"), float("inf"), "x", b"3", 10**5000]


@pytest.mark.parametrize(("take", "value"), [
    *((take, value) for take in TAKES_WHOLE for value in (*BAD, "3", [3], -1)),
    *((take, value) for take in TAKES_MORE for value in BAD),
], ids=lambda value: given(value, 20))
def test_all_refuse_what_is_none(take: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(ValueError, match=r"in -?\d+ … |takes|whole number|are needed|there are"):
        take(value)


@pytest.mark.parametrize("value", [1e3, numpy.float64(1000), numpy.float32(1000), Fraction(1000)])
def test_a_float_that_is_whole_is_so_many_nodes(value: Any) -> None:
    assert type(Limit(nodes=value).nodes) is int
    assert Limit(nodes=value) == Limit(nodes=1000)


@pytest.mark.parametrize("name", ["movetime", "time", "inc"])
@pytest.mark.parametrize("value", ["5", True, float("nan"), b"5", [5], 5j, 10**400],
                         ids=lambda v: given(v, 9))
def test_a_limit_is_of_numbers(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name} .* is not a"):
        limit(**{name: value})
    assert limit(**{name: numpy.int64(5)}) == limit(**{name: 5})


def test_other_numbers() -> None:
    engine = Engine()
    engine.set("Hash", numpy.int64(3))
    assert engine.options["Hash"] == 3
    bad: list[Any] = [3.0, b"3", float("nan"), [3], 10**5000, True]
    for value in bad:
        with pytest.raises(OptionError, match="Hash"):
            engine.set("Hash", value)
    options = AnnouncedOptions([parse_option("option name Hash type spin default 1 min 1 max 9")])
    assert options.text("hash", numpy.int64(3)) == "3"
    with pytest.raises(ValueError, match=r"Hash: 3\.5 is no value"):
        options.text("hash", 3.5)  # type: ignore[arg-type]
    bad = ["5", True, float("nan"), -1]
    for value in bad:
        with pytest.raises(ValueError, match="timeout"):
            EngineProtocol(timeout=value)
    bad = ["0.1", float("nan"), True]
    for value in bad:
        with pytest.raises(ValueError, match="alpha"):
            Bounds(alpha=value)
        with pytest.raises(ValueError, match="finite"):
            Tally(1).add([value])


# --- arguments of other kinds -----------------------------------------------------------

def test_an_action_is_taken_wherever_its_text_is() -> None:
    after = STATE.apply(str(FIRST))
    assert STATE.play(FIRST) == STATE.apply(FIRST) == after
    assert Action(FIRST) == FIRST
    assert STATE.seen(FIRST, 0) == FIRST
    known = Knowledge(STATE)
    known.play(FIRST)
    assert known.state == after.view(0)
    known = Knowledge(STATE)
    known.watch(FIRST, after)
    assert known.state == after.view(0)
    assert Knowledge.replay(STATE, [FIRST], 0).state == after.view(0)
    assert Knowledge.replay(STATE, iter([str(FIRST)]), 0).state == after.view(0)
    assert History.of(STATE, FIRST).state == after
    assert Ply(FIRST) == Ply(str(FIRST))  # type: ignore[arg-type]
    assert Record.from_play(STATE, [FIRST]) == Record.from_play(STATE, iter([str(FIRST)]))
    assert next(iter(Engine().search(STATE, Limit(nodes=1), actions=iter([FIRST])))).lines
    assert History.of(STATE).choices(iter([str(FIRST)])) == [FIRST]


def test_other_kinds_that_are_plain_are_taken() -> None:
    rules = Rules("scopa", players=3)
    assert Rules.parse(rules) is rules
    assert State.deal(rules, seed=1).rules is rules
    assert Rules("cirulla", rounds=numpy.array([3] * 6)) == Rules("cirulla")
    assert State.deal("cirulla", seed=1, scores=iter([1, 2])).scores == (1, 2)
    assert State.deal("cirulla", seed=1, scores=numpy.array([1, 2])).scores == (1, 2)
    text = write_record(Record.from_play(STATE, [FIRST]))
    (record,) = read_records(text)
    assert list(read_records(text.encode())) == [record]
    assert list(read_records(b"\xef\xbb\xbf" + text.encode())) == [record]
    assert list(read_records(bytearray(text.encode()))) == [record]
    player = EnginePlayer(options={"Hash": "3"}.items())
    assert player.engine.options["Hash"] == 3


HIDDEN = State.deal("cirulla", seed=1).view(0)
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: State.parse(None), "state None"),  # type: ignore[arg-type]
    (lambda: State.parse(str(STATE).encode()), "state b'rules"),  # type: ignore[arg-type]
    (lambda: State.parse(Path("x")), "Path"),  # type: ignore[arg-type]
    (lambda: Rules.parse(None), "rules None"),  # type: ignore[arg-type]
    (lambda: Rules.parse(b"scopa"), "rules b'scopa'"),  # type: ignore[arg-type]
    (lambda: Rules(None), "rules=None: no such preset"),  # type: ignore[arg-type]
    (lambda: Rules(["scopa"]), r"rules=\['scopa'\]: no such"),  # type: ignore[arg-type]
    (lambda: State.deal(None), "rules None"),  # type: ignore[arg-type]
    (lambda: State.deal(STATE), "rules State"),  # type: ignore[arg-type]
    (lambda: State.deal(scores="00"), "scores: '00' is no list"),  # type: ignore[arg-type]
    (lambda: State.deal(scores=3), "scores: 3 is no list"),  # type: ignore[arg-type]
    (lambda: State.deal(scores=[1]), "scores: 1 of them; there are 2 sides"),
    (lambda: State.deal(pack=range(40)), r"pack range\(0, 40\)"),  # type: ignore[arg-type]
    (lambda: State.deal(pack=b"AH"), "pack b'AH'"),  # type: ignore[arg-type]
    (lambda: Match(None), "rules None"),  # type: ignore[arg-type]
    (lambda: Match().record(None), "None is no State"),  # type: ignore[arg-type]
    (lambda: Match().record(State.deal("scopa")), "not this match's next smazzata"),
    (lambda: Action(None), "action None"),  # type: ignore[arg-type]
    (lambda: Action(b"7H"), "action b'7H'"),  # type: ignore[arg-type]
    (lambda: STATE.play(None), "action None"),  # type: ignore[arg-type]
    (lambda: STATE.play(["7H"]), r"action \['7H'\]"),  # type: ignore[arg-type]
    (lambda: STATE.apply(7), "action 7"),  # type: ignore[arg-type]
    (lambda: HIDDEN.deal_round(b"7H"), "hand b'7H'"),  # type: ignore[arg-type]
    (lambda: HIDDEN.deal_round(None), "hand None"),  # type: ignore[arg-type]
    (lambda: STATE.view(None), "seat None is not"),  # type: ignore[arg-type]
    (lambda: Rules().side(9), "seat 9 is not in 0 … 1"),
    (lambda: Rules().side(-1), "seat -1 is not in 0 … 1"),
    (lambda: Rules().winners([51]), "1 of them; there are 2 sides"),
    (lambda: Rules().winners("51"), "'51' is no list"),  # type: ignore[arg-type]
    (lambda: STATE.seen(FIRST, 2), "seat 2 is not in 0 … 1"),
    (lambda: Knowledge(STATE, 2), "seat 2 is not in 0 … 1"),
    (lambda: Knowledge(str(STATE)), "knowledge of 'rules="),  # type: ignore[arg-type]
    (lambda: Knowledge.replay(STATE, "7H", 0), "words '7H'"),
    (lambda: Knowledge.replay(STATE, FIRST, 0), r"words Action\("),  # type: ignore[arg-type]
    (lambda: History.of(STATE).view(2), "seat 2 is not in 0 … 1"),
    (lambda: History.of(str(STATE)), "start 'rules="),  # type: ignore[arg-type]
    (lambda: History.of(STATE, b"7H"), "action b'7H'"),  # type: ignore[arg-type]
    (lambda: History.of(STATE).choices("7H"), "actions '7H'"),
    (lambda: History.of(STATE).choices([]), "no actions"),
    (lambda: Engine().play(STATE, 20), "limit 20: a Limit"),  # type: ignore[arg-type]
    (lambda: Engine().play(STATE, None), "limit None: a Limit"),  # type: ignore[arg-type]
    (lambda: Engine().play(str(STATE), Limit(nodes=1)), "can't be searched"),  # type: ignore[arg-type]
    (lambda: Engine().search(STATE, Limit(nodes=1), actions="3C"), "actions '3C'"),
    (lambda: Engine().search(STATE, Limit(nodes=1), actions=FIRST), "actions Action"),  # type: ignore[arg-type]
    (lambda: Engine().search(STATE, Limit(nodes=1), actions=[7]), "action 7"),  # type: ignore[list-item]
    (lambda: Engine({"Hash": 3}), "options {'Hash': 3}"),  # type: ignore[arg-type]
    (lambda: Engine().set(3, 3), "there is no option 3"),  # type: ignore[arg-type]
    (lambda: InProcessEngine().play(STATE, 20), "limit 20: a Limit"),  # type: ignore[arg-type]
    (lambda: InProcessEngine().analysis(STATE, 0), "limit 0: a Limit"),  # type: ignore[arg-type]
    (lambda: make_player(None), "there is no player None"),  # type: ignore[arg-type]
    (lambda: make_player("greedy").check("scopa"), "rules 'scopa': Rules"),  # type: ignore[arg-type]
    (lambda: list(read_records(None)), "None has no records"),  # type: ignore[arg-type]
    (lambda: list(read_records([1])), "1 is no line"),  # type: ignore[list-item]
    (lambda: write_record(STATE), "is no Record"),  # type: ignore[arg-type]
    (lambda: write_records([], Path("x")), "an open file is needed"),  # type: ignore[arg-type]
    (lambda: Ply(7), "7 is no action"),  # type: ignore[arg-type]
    (lambda: Ply("7H", "good"), "comment 'good'"),  # type: ignore[arg-type]
    (lambda: Comment(text=7), "7 is no text"),  # type: ignore[arg-type]
    (lambda: Record(str(STATE)), "start 'rules="),  # type: ignore[arg-type]
    (lambda: Record(STATE, ["7H"]), "'7H' is no Ply"),  # type: ignore[arg-type]
    (lambda: Record(STATE, tags=["A"]), "tags"),  # type: ignore[arg-type]
    (lambda: Record(STATE, tags={"Event": 7}), "tag Event, 7"),  # type: ignore[dict-item]
    (lambda: Record(STATE, forfeit="late"), "forfeit 'late'"),  # type: ignore[arg-type]
    (lambda: Record.from_play(STATE, "7H"), "actions '7H'"),
    (lambda: Record.from_play(STATE, [], names="AB"), "names 'AB'"),
    (lambda: Record(STATE).seen_by(2), "seat 2 is not in 0 … 1"),
    (lambda: Schedule("scopa", 2, 5, 1), "rules 'scopa': Rules"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_other_kinds_are_refused_by_name(call: Callable[[], Any], says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        call()


def test_nothing_else_is_equal() -> None:
    for value in (STATE, STATE.rules, FIRST, Limit(nodes=1)):
        assert value != str(value)
        assert value != None  # noqa: E711
        assert value != 7


def test_a_forfeit_of_a_seat_that_is_not_there() -> None:
    with pytest.raises(RecordError, match="forfeit of seat 2; there are 0 … 1"):
        Record(STATE, forfeit=Forfeit(2, (0, 0)))
    with pytest.raises(RecordError, match="for each of 2 sides"):
        Record(STATE, forfeit=Forfeit(1, (0, 0, 0)))


# --- the command line ---------------------------------------------------------------------

PAIR = ["match", "--engine", "player=greedy", "--engine", "player=careful", "--out", "out"]
WRONG = [
    ([*PAIR, "--deals", "100000000000000000000"], "--deals"), ([*PAIR, "--deals", "0"], "deals"),
    ([*PAIR, "--deals", "-1"], "--deals"), ([*PAIR, "--deals", "9" * 5000], "--deals"),
    ([*PAIR, "--deals", "²"], "--deals"), ([*PAIR, "--deals", "１"], "--deals"),
    *(([*PAIR, flag, value], flag) for flag, values in {
        "--concurrency": ("0", "-1", "1e9", "9" * 30, "9" * 5000, "x", "1_0", "１"),
        "--seed": ("-1", "0.5", "9" * 30, "9" * 5000, "nan", "1_0"),
        "--forfeit-points": ("-1", "0.5", "9" * 30, "nan"),
        "--movetime": ("nan", "inf", "-1", "0", "x", "1e400", "1_0"),
        "--time": ("nan", "inf", "-1", "0"), "--inc": ("nan", "inf", "-1"),
        "--margin": ("nan", "inf", "-1"), "--nodes": ("0", "-1", "0.5", "9" * 30, "nan"),
    }.items() for value in values),
    *(([*PAIR, "--sprt", f"points0=0,points1={value}"], "--sprt")
      for value in ("nan", "inf", "x", "1_0", "1e400")),
    *(([*PAIR[:-4], "--engine", f"player=engine,{key}={value}"], key)
      for key in ("nodes", "movetime") for value in ("nan", "inf", "１", "1_0", "-1", "9" * 30)),
    *((["perft", value], "DEPTH") for value in ("0", "37", "-1", "x", "9" * 5000, "1_0", "１")),
    *((["bench", value], "THREADS") for value in ("0", "257", "9" * 5000, "0.5")),
    *((["bench", "1", value], "NODES") for value in ("0", "9" * 30, "nan")),
    *((["met", "--step", value], "--step") for value in ("0", "nan", "9" * 30)),
    *((["met", "--third", value], "--third") for value in ("-1", "x", "9" * 30)),
    *((["compliance", flag, value, "x"], flag) for flag in ("--slack", "--timeout")
      for value in ("nan", "inf", "-1", "x", "1e400", "1_0")),
    *((["train", flag, value], flag) for flag in (
        "--samples", "--deals", "--epochs", "--plays", "--hidden", "--generations", "--seed")
      for value in ("-1", "0.5", "9" * 30, "nan")),
    (["train", "--hidden", "9", "--out", "out"], "--hidden"),
]


@pytest.mark.parametrize(("arguments", "names"), WRONG)
def test_a_wrong_number_is_named_on_the_command_line(
    arguments: list[str], names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from cirulla_ai.commands import main

    monkeypatch.chdir(tmp_path)
    try:
        code = main(arguments)
    except SystemExit as left:
        code = left.code  # type: ignore[assignment]
    output, errors = capsys.readouterr()
    assert code == 2
    assert output == ""
    assert names in errors
    assert len(errors.splitlines()[-1]) < 400
    assert list(tmp_path.iterdir()) == []


def test_it_leaves_with_two(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "cirulla_ai", *PAIR, "--deals", "9" * 21],
                          capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert "is not in 0 … 1000000000" in done.stderr
    assert "Traceback" not in done.stderr
