"""The JSON lines engine: every decision that is asked for is answered once, whatever comes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
from support.dialect import check_object

from cirulla_ai import Action, Engine, History, Limit, State, __version__
from cirulla_ai.analysis import analyse
from cirulla_ai.analysis.queries import Defaults, Query, QueryError, read_query
from cirulla_ai.analysis.service import MOST_OCTETS, Service
from cirulla_ai.records import Record, write_record

DEFAULTS = Defaults(Limit(nodes=60))
LONG = {"limit": {"movetime": 60_000}}


def record(seed: int = 1, actions: int = 40) -> Record:
    """A smazzata, or its beginning."""
    state = start = State.deal("cirulla", dealer=1, seed=seed)
    plies: list[Action] = []
    while not state.is_over and len(plies) < actions:
        action = state.legal_actions()[0]
        plies.append(action)
        state = state.apply(action)
    return Record.from_play(start, plies)


class Desk:
    """A service, and what it has said."""

    def __init__(self, workers: int = 1) -> None:
        self.answers: list[dict[str, Any]] = []
        self.service = Service(Engine(), self._hear, workers=workers, defaults=DEFAULTS)

    def _hear(self, line: str) -> None:
        assert "\n" not in line
        words = json.loads(line)
        check_object(words)
        self.answers.append(words)

    def ask(self, **words: Any) -> None:
        self.service.take(json.dumps(words))

    def of(self, id: object) -> list[dict[str, Any]]:
        return [words for words in self.answers if words.get("id") == id]

    def wait_for(self, id: object) -> None:
        until = monotonic() + 30
        while not self.of(id):
            assert monotonic() < until, f"no answer to {id}"
            sleep(0.002)


@contextmanager
def desk(workers: int = 1) -> Iterator[Desk]:
    made = Desk(workers)
    yield made
    made.service.finish()


def test_an_answer_is_an_analysis() -> None:
    with desk() as made:
        made.ask(id="a", position="startpos seed 1", limit={"nodes": 500}, seed=4, top=2)
    (words,) = made.answers
    found = analyse(State.deal(seed=1), Limit(nodes=500), seed=4).as_dict(2)
    assert words.pop("id") == "a"
    assert words | {"seconds": 0} == found | {"seconds": 0}


def test_a_record_is_asked_about_by_turns() -> None:
    game = record()
    text = write_record(game)
    with desk(2) as made:
        made.ask(id=1, record=text, turns=[5, 0], include=["pv"])
        made.ask(id=2, record=text, include=["hands"], limit={"nodes": 30})
    first = made.of(1)
    assert sorted(words["turn"] for words in first) == [0, 5]
    before = History(game.start, *(ply.word for ply in game.plies[:5]))
    five = next(words for words in first if words["turn"] == 5)
    assert five["state"] == str(before.view(before.state.turn or 0).state)
    assert "hands" not in five
    assert "pv" in five["actions"][0]
    assert five["actions"] == analyse(before, Limit(nodes=60)).as_dict()["actions"]
    # All of them, where none is named.
    second = made.of(2)
    assert sorted(words["turn"] for words in second) == list(range(len(game.plies)))
    assert all("hands" in words and "pv" not in words["actions"][0] for words in second)


def test_what_one_seat_saw_of_a_record() -> None:
    seen = record().seen_by(0)
    with desk() as made:
        made.ask(id="a", record=write_record(seen))
        made.ask(id="b", record=write_record(seen), turns=[1])
    turns = [turn for turn, (state, _) in enumerate(seen.moves()) if state.turn == 0]
    assert sorted(words["turn"] for words in made.of("a")) == turns
    (other,) = made.of("b")
    assert other["kind"] == "error"
    assert other["turn"] == 1
    assert other["field"] == "turns"
    assert "seat 1 is to move" in other["error"]


def test_the_end_of_a_record_is_no_decision() -> None:
    game = record()
    with desk() as made:
        made.ask(id="a", record=write_record(game), turns=[0, len(game.plies)])
        made.ask(id="b", record=write_record(game), turns=[len(game.plies) + 1])
    over = next(words for words in made.of("a") if words["turn"])
    assert "over" in over["error"]
    (beyond,) = made.of("b")
    assert beyond["field"] == "turns"
    assert "turn" not in beyond


def test_the_higher_priority_comes_first() -> None:
    with desk() as made:
        made.ask(id="busy", position="startpos seed 1", **LONG)
        for number, priority in enumerate((0, 5, -3, 5)):
            made.ask(id=number, position="startpos seed 1", priority=priority)
        # What runs is not disturbed.
        assert not made.answers
        made.ask(id="t", action="terminate", terminateId="busy")
    order = [words["id"] for words in made.answers if words["id"] not in ("t", "busy")]
    assert order == [1, 3, 0, 2]


def test_terminated_is_answered_too() -> None:
    with desk() as made:
        made.ask(id="runs", position="startpos seed 1", **LONG)
        made.ask(id="waits", record=write_record(record()), turns=[0, 1, 2], **LONG)
        made.ask(id="t1", action="terminate", terminateId="waits", turns=[1, 2])
        assert [(words["kind"], words.get("turn")) for words in made.of("waits")] == [
            ("terminated", 1), ("terminated", 2)]
        assert all(words["noResults"] for words in made.of("waits"))
        sleep(0.05)
        made.ask(id="t2", action="terminate_all")
        began = monotonic()
    assert monotonic() - began < 10
    (runs,) = made.of("runs")
    assert runs["terminated"] is True
    assert runs["iterations"] > 0
    assert len(made.of("waits")) == 3
    # The action itself is answered with its own words.
    (echo,) = made.of("t1")
    assert (echo["kind"], echo["terminateId"], echo["turns"]) == ("terminate", "waits", [1, 2])
    # Nothing is left to end.
    with desk() as made:
        made.ask(id="t", action="terminate", terminateId="nobody")
    assert [words["kind"] for words in made.answers] == ["terminate"]


def test_several_at_once() -> None:
    with desk(4) as made:
        for number in range(3):
            made.ask(id=number, position="startpos seed 1", **LONG)
        made.ask(id="quick", position="startpos seed 1")
        made.wait_for("quick")
        assert len(made.answers) == 1
        made.ask(id="t", action="terminate_all")


@pytest.mark.parametrize("name", ["version", "query_version"])
def test_version(name: str) -> None:
    with desk() as made:
        made.ask(id="v", action=name)
    assert [(words["kind"], words["version"]) for words in made.answers] == [
        ("version", __version__)]


@pytest.mark.parametrize(("line", "field", "says"), [
    ("rubbish", None, "no JSON: Expecting value at column 1"),
    ("[1]", None, "[1] is no object"),
    ("5", None, "5 is no object"),
    ('{"id":"a"', None, "no JSON"),
    ("[" * 100_000, None, "no JSON"),
    ('{"id":"a","seed":' + "9" * 5000 + "}", None, "no JSON"),
    ('{"position":"startpos"}', "id", "id is missing"),
    ('{"id":null,"position":"startpos"}', "id", "id None can't be one"),
    ('{"id":true,"position":"startpos"}', "id", "id True"),
    ('{"id":1.5,"position":"startpos"}', "id", "id 1.5"),
    ('{"id":"a"}', "position", "has neither"),
    ('{"id":"a","position":"startpos","record":"x"}', "record", "has both"),
    ('{"id":"a","position":null}', "position", "not null"),
    ('{"id":"a","position":["startpos"]}', "position", "is no text"),
    ('{"id":"a","position":"nonsense"}', "position", "neither state nor startpos"),
    ('{"id":"a","position":"startpos","turns":[0]}', "turns", "a position has none"),
    ('{"id":"a","record":"nonsense"}', "record", "line 1"),
    ('{"id":"a","record":""}', "record", "0 records"),
    ('{"id":"a","position":"startpos","limit":{}}', "limit", "is none"),
    ('{"id":"a","position":"startpos","limit":5}', "limit", "5 is none"),
    ('{"id":"a","position":"startpos","limit":{"nodes":0}}', "limit", "nodes 0 is not in 1"),
    ('{"id":"a","position":"startpos","limit":{"nodes":1e99}}', "limit", "nodes 1e+99"),
    ('{"id":"a","position":"startpos","limit":{"nodes":NaN}}', None, "NaN"),
    ('{"id":"a","position":"startpos","limit":{"until":0}}', "limit", "until 0"),
    ('{"id":"a","position":"startpos","limit":{"movetime":"5"}}', "limit", "movetime '5'"),
    ('{"id":"a","position":"startpos","limit":{"depth":5}}', "limit", "is none"),
    ('{"id":"a","position":"startpos","include":["all"]}', "include", "some of pv, hands"),
    ('{"id":"a","position":"startpos","include":[[]]}', "include", "some of pv, hands"),
    ('{"id":"a","position":"startpos","priority":"high"}', "priority", "'high'"),
    ('{"id":"a","position":"startpos","top":0}', "top", "0 is not in 1"),
    ('{"id":"a","position":"startpos","seed":-1}', "seed", "-1 is not in 0"),
    ('{"id":"a","position":"startpos","nodes":5}', "nodes", "there is no field 'nodes' here"),
    ('{"id":"a","action":"stop"}', "action", "'stop': there are terminate"),
    ('{"id":"a","action":[]}', "action", "[]: there are terminate"),
    ('{"id":"a","action":"terminate"}', "terminateId", "terminateId is missing"),
    ('{"id":"a","action":"terminate","terminateId":"b","turns":[]}', "turns", "no list of turns"),
    ('{"id":"a","action":"version","position":"startpos"}', "position", "there is no field"),
    ("x" * (MOST_OCTETS + 2), None, "no query is so long"),
])
def test_what_can_not_be_read_is_answered(line: str, field: str | None, says: str) -> None:
    with desk() as made:
        made.service.take(line)
    (words,) = made.answers
    assert words["kind"] == "error"
    assert words.get("field") == field
    assert says in words["error"]
    if field not in (None, "id"):
        assert words["id"] == "a"


def test_blank_lines_say_nothing() -> None:
    with desk() as made:
        for line in ("", "\n", " \t\r\n"):
            made.service.take(line)
    assert made.answers == []


def test_whatever_goes_wrong_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: object, **words: object) -> None:
        raise MemoryError

    monkeypatch.setattr("cirulla_ai.analysis.service.analyse", fails)
    with desk() as made:
        made.ask(id="a", position="startpos seed 1")
    (words,) = made.answers
    assert words["id"] == "a"
    assert "MemoryError" in words["error"]


def test_more_than_can_wait_is_read_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cirulla_ai.analysis.service.MOST_WAITING", 3)
    with desk() as made:
        for number in range(20):
            made.ask(id=number, position="startpos seed 1", limit={"nodes": 20})
    assert sorted(words["id"] for words in made.answers) == list(range(20))


# --- fuzz ---------------------------------------------------------------------------------------

SEEDS = [json.dumps(words) for words in (
    {"id": "a", "position": "startpos seed 1", "limit": {"nodes": 30}},
    {"id": 7, "position": "state rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0",
     "include": ["pv"], "priority": 3, "top": 2, "seed": 9},
    {"id": "r", "record": write_record(record(2, 6)), "turns": [0, 3], "limit": {"nodes": 40}},
    {"id": "t", "action": "terminate", "terminateId": "a"},
    {"id": "v", "action": "version"},
)]


NUMBERS = ("null", "-1", "1e5", "99", "[]")


def mutated(random: Random) -> str:
    line = random.choice(SEEDS)
    for _ in range(random.choice((1, 1, 2, 3))):
        at = random.randrange(len(line) + 1)
        kind = random.randrange(5)
        if kind == 0:
            line = line[:at] + line[at + random.randrange(1, 8):]
        elif kind == 1:
            line = line[:at] + random.choice('{}[]":,0159-.eE\\/ \x00\x1b\udcff…aHx?') + line[at:]
        elif kind == 2:
            line = line[:at] + random.choice(SEEDS)[:random.randrange(60)] + line[at:]
        elif kind == 3:
            digits = [place for place, letter in enumerate(line) if letter.isdigit()]
            place = random.choice(digits) if digits else 0
            line = f"{line[:place]}{random.choice(NUMBERS)}{line[place + 1:]}"
        else:
            line = line[:at] + line[at:].swapcase()
    return line.replace("\n", " ")


def fuzz(lines: int, seed: int) -> None:
    random = Random(seed)
    expected: Counter[str] = Counter()
    defaults = Defaults(Limit(nodes=30), top=1)
    made = Desk(2)
    made.service._defaults = defaults
    for _ in range(lines):
        line = mutated(random)
        if not line.strip():
            continue
        try:
            query = read_query(line, defaults)
        except QueryError:
            expected["error"] += 1
        else:
            if isinstance(query, Query):
                if query.limit.nodes is None or query.limit.nodes > 1000:
                    continue
                expected["decision"] += len(query.asked)
            else:
                expected["request"] += 1
        made.service.take(line)
    made.service.finish()
    assert len(made.answers) == expected.total()
    assert expected["error"] > lines / 3
    assert expected["decision"] > lines / 100


def test_mutated_queries() -> None:
    fuzz(600, 1)


@pytest.mark.long
def test_many_mutated_queries() -> None:
    fuzz(100_000, 2)


# --- as a program ---------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "cirulla_ai", "analyse", "--json-lines", "--nodes", "50"]


def test_at_the_end_of_the_input_all_is_answered(tmp_path: Path) -> None:
    lines = [json.dumps({"id": number, "position": f"startpos seed {number}"})
             for number in range(30)]
    done = subprocess.run(
        [*COMMAND, "--workers", "2"], input="\n".join([*lines, "rubbish", '{"id":"\\ud83d"}']),
        capture_output=True, encoding="utf-8", cwd=tmp_path, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for words in answers:
        check_object(words)
    assert {words["id"] for words in answers if words["kind"] == "analysis"} == set(range(30))
    assert len(answers) == 32


def test_it_answers_before_the_input_ends(tmp_path: Path) -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path,
                          stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "position": "startpos seed 1"}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


def test_it_ends_where_nobody_listens(tmp_path: Path) -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path,
                          stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write('{"id":"v","action":"version"}\n')
        process.stdin.flush()
        # Its input is still open.
        assert process.wait(30) == 0
        assert process.stderr.read() == ""
