"""Evaluation files, and the values that networks give in the core."""

from __future__ import annotations

import io
import json
import os
import zipfile
from array import array
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from cirulla_ai import Engine, Limit, Rules, State
from cirulla_ai._core.cards import indices
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.fishing_value import Value
from cirulla_ai.action import Action
from cirulla_ai.engine.evaluation import evaluation_key
from cirulla_ai.engine.evaluation_file import (
    Entry,
    EvaluationError,
    EvaluationFile,
    write_evaluation,
)
from cirulla_ai.engine.options import OptionError


def round_begun(rules: str, number: int, seed: int = 3) -> State:
    """The beginning of a round, after random play."""
    random = Random(seed)
    state = State.deal(rules, dealer=seed % Rules.parse(rules).players, seed=seed)
    while state.round < number:
        state = state.apply(random.choice(state.legal_actions()))
    return state


def inputs_on(state: State) -> list[int]:
    """The inputs that a public state switches on, from what the page on training says."""
    sides = state.rules.sides
    leader = state.rules.side(state.turn or 0)
    fields = state.position.fields()
    on = list(indices(fields["table"]))
    for side in range(sides):
        on += [40 * (1 + (side - leader) % sides) + card for card in indices(fields["taken"][side])]
    if fields["last"] >= 0:
        on.append(40 * (1 + sides) + (fields["last"] - leader) % sides)
    if fields["declared"] and fields["table"] >> state.rules.matta & 1:
        on.append(40 * (1 + sides) + sides + fields["declared"])
    return on


@pytest.mark.parametrize("rules", ["cirulla", "cirulla players=3", "cirulla players=4", "scopa"])
def test_the_core_evaluates_the_network_that_it_was_given(rules: str) -> None:
    parsed = Rules.parse(rules)
    sides = parsed.sides
    hidden = 24
    inputs, size = Value.shape(parsed.table, hidden)
    random = Random(rules)
    nets = [array("f", [random.uniform(-1, 1) for _ in range(size)])
            for _ in range(len(parsed.rounds) - 1)]
    value = Value(parsed.table, nets, hidden=hidden)
    for number in range(2, len(parsed.rounds) + 1):
        state = round_begun(rules, number)
        net = nets[number - 2]
        layer = [net[inputs * hidden + h] for h in range(hidden)]
        for place in inputs_on(state):
            for h in range(hidden):
                layer[h] += net[place * hidden + h]
        leader = parsed.side(state.turn or 0)
        fields = state.position.fields()
        for side in range(sides):
            k = (side - leader) % sides
            weights = net[(inputs + 1 + k) * hidden:(inputs + 2 + k) * hidden]
            expected = sum(max(0.0, x) * w for x, w in zip(layer, weights, strict=True))
            expected += net[(inputs + 1 + sides) * hidden + k] + fields["scopa"][side]
            assert value.points(state.position)[side] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("hidden", [16, 32, 64])
@pytest.mark.parametrize(
    "rules", ["cirulla", "cirulla players=3", "cirulla players=4", "cirullone"])
def test_a_play_is_worth_what_the_network_says_of_what_it_leaves(rules: str, hidden: int) -> None:
    parsed = Rules.parse(rules)
    sides, rounds = parsed.sides, len(parsed.rounds)
    inputs, size = Value.after_shape(parsed.table, hidden)
    assert inputs == 40 * (2 + sides) + sides + 11 + parsed.players * max(parsed.rounds)
    random = Random(rules)
    after = [array("f", [random.uniform(-1, 1) for _ in range(size)]) for _ in range(rounds)]
    ends = [array("f", [0.0] * Value.shape(parsed.table, hidden)[1])] * (rounds - 1)
    value = Value(parsed.table, ends, after, hidden)
    state = State.deal(rules, dealer=0, seed=3)
    checked = 0
    while not state.is_over:
        net = after[state.round - 1]
        fields = state.position.fields()
        left = sum(bin(hand).count("1") for hand, _ in fields["hands"]) - 1
        turn, side = state.turn or 0, parsed.side(state.turn or 0)
        for code, found in value.actions(state.position):
            action = Action.from_code(code)
            if action.kind != "play" or left == 0:
                continue
            then = state.apply(action).position.fields()
            on = list(indices(then["hands"][turn][0]))
            on += [40 + card for card in indices(then["table"])]
            for k in range(sides):
                on += [80 + 40 * k + card for card in indices(then["taken"][(side + k) % sides])]
            if then["last"] >= 0:
                on.append(40 * (2 + sides) + (then["last"] - side) % sides)
            if then["declared"] and then["table"] >> parsed.matta & 1:
                on.append(40 * (2 + sides) + sides + then["declared"])
            on.append(40 * (2 + sides) + sides + 11 + left)
            layer = [net[inputs * hidden + h] for h in range(hidden)]
            for place in on:
                for h in range(hidden):
                    layer[h] += net[place * hidden + h]
            weights = net[(inputs + 1) * hidden:(inputs + 2) * hidden]
            expected = sum(max(0.0, x) * w for x, w in zip(layer, weights, strict=True))
            expected += net[(inputs + 2) * hidden]
            expected += then["scopa"][side] - fields["scopa"][side]
            assert found == pytest.approx(expected, abs=2e-3)
            checked += 1
        state = state.apply(random.choice(state.legal_actions()))
    assert checked > 30


def test_only_the_beginning_of_a_round_has_a_value() -> None:
    rules = Rules("cirulla")
    value = EvaluationFile().value(rules)
    assert value is not None
    with pytest.raises(ValueError, match="beginning of a round"):
        value.points(State.deal(rules, seed=1).position)


def test_networks_must_fit_the_rules() -> None:
    _, size = Value.shape(Rules("cirulla").table, 32)
    with pytest.raises(ValueError, match="5"):
        Value(Rules("cirulla").table, [array("f", [0.0] * size)])
    with pytest.raises(ValueError, match=str(size)):
        Value(Rules("cirulla").table, [array("f", [0.0] * 7)] * 5)
    nets = [array("f", [0.0] * size)] * 5
    _, after = Value.after_shape(Rules("cirulla").table, 32)
    with pytest.raises(ValueError, match=str(after)):
        Value(Rules("cirulla").table, nets, [None, array("f", [0.0] * 7)])
    with pytest.raises(ValueError, match="6 rounds"):
        Value(Rules("cirulla").table, nets, [None] * 7)
    for hidden in (0, 12, 72):
        with pytest.raises(ValueError, match=f"{hidden} hidden units"):
            Value(Rules("cirulla").table, nets, hidden=hidden)


def test_the_target_does_not_matter_to_a_value() -> None:
    assert evaluation_key(Rules("cirulla", target=101)) == evaluation_key(Rules("cirulla"))
    assert evaluation_key(Rules("cirulla", players=3)) == "cirulla players=3 rounds=3,3,3,3"
    # Presets that differ in the first deal alone are the same game from then on.
    assert evaluation_key(Rules("cirulla-luzzati")) == evaluation_key(Rules("cirulla", players=4))


def test_the_shipped_file_knows_what_the_docs_say() -> None:
    shipped = EvaluationFile()
    for rules in ("cirulla", "cirulla players=3", "cirulla players=4", "cirullone", "scopa"):
        assert shipped.value(Rules.parse(rules)) is not None, rules
    assert shipped.value(Rules("scopone")) is None
    assert shipped.has_results(Rules("cirulla", target=31))
    assert shipped.has_results(Rules("cirulla", players=3))


def test_a_file_is_written_and_read_again(tmp_path: Path) -> None:
    _, size = Value.shape(Rules("cirulla").table, 32)
    path = tmp_path / "mine.eval"
    nets = [[k / 8 for _ in range(size)] for k in range(5)]
    write_evaluation(path, {"cirulla": Entry(32, nets, [], {"plan": "none"})})
    first = path.read_bytes()
    write_evaluation(path, {"cirulla": Entry(32, nets, [], {"plan": "none"})})
    assert path.read_bytes() == first
    read = EvaluationFile(path)
    value = read.value(Rules("cirulla"))
    assert value is not None
    assert read.value(Rules("scopa")) is None
    # All weights 1/8, the biases too.
    state = round_begun("cirulla", 3)
    on = len(inputs_on(state))
    scopa = state.position.fields()["scopa"]
    expected = 32 * (on + 1) / 8 / 8 + 1 / 8
    assert value.points(state.position) == pytest.approx(
        [expected + s for s in scopa], rel=1e-3)


@pytest.mark.parametrize("contents", [b"", b"PK", b"not an archive"])
def test_what_is_no_evaluation_file_is_refused(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "bad.eval"
    path.write_bytes(contents)
    with pytest.raises(EvaluationError, match=r"bad\.eval"):
        EvaluationFile(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("about.json", '{"format": 99}')
    with pytest.raises(EvaluationError, match="format 99"):
        EvaluationFile(path)


def test_weights_are_kept_to_half_a_step_of_their_unit(tmp_path: Path) -> None:
    hidden, sides = 16, 2
    inputs, size = Value.shape(Rules("cirulla").table, hidden)
    random = Random(5)
    # Units of very different sizes, one of them without any weight.
    nets = [
        [random.uniform(-1, 1) * (0, 1e-3, 1, 30)[k % hidden % 4] for k in range(size)]
        for _ in range(5)
    ]
    path = tmp_path / "mine.eval"
    write_evaluation(path, {"cirulla": Entry(hidden, nets, [], {})})
    for net, read in zip(nets, EvaluationFile(path).entries()["cirulla"].ends, strict=True):
        assert len(read) == size
        rows = (inputs + 1) * hidden
        for unit in range(hidden):
            weights = net[unit:rows:hidden]
            step = max(map(abs, weights)) / 127
            # Steps are in half precision themselves.
            assert list(read[unit:rows:hidden]) == pytest.approx(weights, abs=0.57 * step)
        assert list(read[rows:]) == pytest.approx(net[rows:], rel=1e-3)
        assert len(net[rows:]) == sides * (hidden + 1)
    with pytest.raises(ValueError, match="16 hidden units"):
        write_evaluation(path, {"cirulla": Entry(hidden, [nets[0][1:]] * 5, [], {})})


@pytest.mark.parametrize(("about", "packed", "reason"), [
    ('"hidden": 32, "ends": [5, 4, 2], "afterstates": [0, 0, 1]', 8, "8 octets, not 1780"),
    ('"hidden": 32, "ends": [1, 1, 2], "afterstates": [0, 0, 1]', 3, "networks of cirulla"),
    ('"hidden": 32, "ends": 5, "afterstates": [0, 0, 1]', 8, "networks of cirulla"),
    ('"hidden": 7, "ends": [5, 1, 2], "afterstates": [0, 0, 1]', 300, "7 hidden units"),
    ('"hidden": 32, "ends": [5, 1, 2], "afterstates": [0, 0, 1]', 1300, "a network of 130 num"),
    ('"ends": [5, 1, 2], "afterstates": [0, 0, 1]', 1300, "hidden"),
    ('"hidden": -1, "ends": [5, 1, 2], "afterstates": [0, 0, 1]', 1300, "networks of cirulla"),
    ('"hidden": 32, "ends": [-5, 1, 2], "afterstates": [0, 0, 1]', 1300, "networks of cirulla"),
    ('"hidden": 32, "ends": [1, -5, 2], "afterstates": [0, 0, 1]', 4, "networks of cirulla"),
])
def test_networks_that_do_not_fit_are_refused(
    tmp_path: Path, about: str, packed: int, reason: str
) -> None:
    path = tmp_path / "bad.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("about.json", f'{{"format": 3, "rules": {{"cirulla": {{{about}}}}}}}')
        archive.writestr("0", bytes(packed))
    with pytest.raises(EvaluationError, match=reason):
        EvaluationFile(path).value(Rules("cirulla"))


@pytest.mark.parametrize(("sides", "results"), [
    (2, '{"points": [[3, -1, 5]], "outright": [0, 0], "spreads": []}'),
    (2, '{"points": [[3, 1]], "outright": [0, 0], "spreads": []}'),
    (2, '{"points": [[3, 1, 5]], "outright": [0], "spreads": []}'),
    (2, '{"points": [[3, 1, 5]], "outright": [0, 0], "spreads": [[1]]}'),
    (2, '{"points": [[3, 1, 0]], "outright": [0, 0], "spreads": []}'),
    (2, '{"points": [["a", 1, 1]], "outright": [0, 0], "spreads": []}'),
    (2, '{"points": [[1e99, 1, 1]], "outright": [0, 0], "spreads": []}'),
    (2, '{"points": 7}'),
    (3, '{"points": [[3, 1, 2, 5], [4, -1, 2, 5]], "outright": [0, 0, 0], "spreads": []}'),
    (3, '{"points": [[3, 1, 2, 5]], "outright": [0, 0], "spreads": []}'),
    (3, '{"points": [[3, 1, 2, 5]], "outright": [0, 0, 0], "spreads": [[1, 2, 3]]}'),
    (3, '{"points": [[3, 1, 100000000, 5]], "outright": [0, 0, 0], "spreads": []}'),
])
def test_results_that_can_not_be_are_refused(tmp_path: Path, sides: int, results: str) -> None:
    rules = Rules("cirulla", players=sides)
    path = tmp_path / "bad.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("about.json", json.dumps({"format": 3, "rules": {
            evaluation_key(rules): {"results": json.loads(results)}}}))
        archive.writestr("0", b"")
    with pytest.raises(EvaluationError, match=r"bad\.eval: the results of cirulla"):
        EvaluationFile(path).equity(rules).prepare(1)


def test_a_file_that_is_not_there_leaves_the_option_as_it_was(tmp_path: Path) -> None:
    engine = Engine()
    with pytest.raises(OptionError, match="nowhere"):
        engine.set("EvalFile", str(tmp_path / "nowhere"))
    assert engine.options["EvalFile"] == ""


def shipped() -> bytes:
    return files("cirulla_ai.engine").joinpath("shipped.eval").read_bytes()


def rewritten(tmp_path: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """The shipped file with its members changed."""
    path = tmp_path / "mine.eval"
    with zipfile.ZipFile(io.BytesIO(shipped())) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return path


def test_a_copy_of_the_shipped_file_is_taken(tmp_path: Path) -> None:
    engine = Engine()
    engine.set("EvalFile", str(rewritten(tmp_path, lambda name, data: data)))


@pytest.mark.parametrize(("member", "change"), [
    ("0", lambda data: data[:-5]), ("0", lambda data: data + b"x"),
    ("0", lambda data: data[:-2] + b"\x7c\x00"),                # infinite
    ("about.json", lambda data: b"[" * 200_000),
    ("about.json", lambda data: b'{"format": 3, "rules": ["cirulla"]}'),
    ("about.json", lambda data: b'{"format": 3, "rules": {"cirulla": 5}}'),
    ("about.json", lambda data: data.replace(b'"hidden": 64', b'"hidden": 64000000000')),
    ("about.json", lambda data: data.replace(b'"spreads": [', b'"spreads": [[1e300], ')),
])
def test_a_damaged_file_is_refused_when_it_is_given(
    tmp_path: Path, member: str, change: Callable[[bytes], bytes]
) -> None:
    path = rewritten(tmp_path, lambda name, data: change(data) if name == member else data)
    engine = Engine()
    with pytest.raises(OptionError, match=r"EvalFile: .*mine\.eval"):
        engine.set("EvalFile", str(path))
    assert engine.options["EvalFile"] == ""


def test_a_damaged_stream_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.eval"
    data = bytearray(shipped())
    for place in range(200, len(data), 997):
        data[place] ^= 0x55
    path.write_bytes(data)
    with pytest.raises(OptionError, match="EvalFile: "):
        Engine().set("EvalFile", str(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        with pytest.raises(OptionError, match="not a file"):
            Engine().set("EvalFile", str(path))


def test_long_matches_have_no_table() -> None:
    shipped_file = EvaluationFile()
    assert shipped_file.has_results(Rules("cirulla", target=101))
    long = Rules("cirulla", target=1000)
    assert not shipped_file.has_results(long)
    *_, info = Engine().search(State.deal(long, seed=1), Limit(nodes=50))
    assert info.wdl is not None and sum(info.wdl) == 1000


def test_rules_without_a_value_are_played_out_and_it_says_so() -> None:
    engine = Engine()
    engine.set("Seed", 1)
    *_, info = engine.search(State.deal("cirulla grande=3", seed=1), Limit(nodes=50))
    assert "no learned value for rules=cirulla grande=3" in (info.string or "")
    *_, info = engine.search(State.deal("cirulla", seed=1), Limit(nodes=50))
    assert info.string is None
    engine.set("Evaluation", False)
    *_, info = engine.search(State.deal("cirulla grande=3", seed=1), Limit(nodes=50))
    assert info.string is None


@pytest.mark.parametrize(("rules", "evaluation", "constant"), [
    ("cirulla", True, 200), ("cirulla", False, 100), ("scopone", True, 100),
])
def test_exploration_is_what_suits_how_lines_end(
    rules: str, evaluation: bool, constant: int
) -> None:
    found = []
    for exploration in (0, constant, 300 - constant):
        engine = Engine()
        engine.set("Seed", 1)
        engine.set("Evaluation", evaluation)
        engine.set("Exploration", exploration)
        *_, info = engine.search(State.deal(rules, dealer=1, seed=2), Limit(nodes=2000))
        found.append([(line.action, line.visits) for line in info.lines])
    assert found[0] == found[1] != found[2]


def test_a_file_of_the_format_before_is_read(tmp_path: Path) -> None:
    # It has the results in about.json, and no table ready-made.
    path = tmp_path / "old.eval"
    now = EvaluationFile()
    with zipfile.ZipFile(io.BytesIO(shipped())) as archive, zipfile.ZipFile(path, "w") as old:
        rules = {key: json.loads(json.dumps(dict(now.rules[key]))) for key in now.rules}
        for entry in rules.values():
            entry["results"].pop("table", None)
        old.writestr("about.json", json.dumps({"format": 3, "rules": rules}))
        for place in range(len(rules)):
            old.writestr(str(place), archive.read(str(place)))
    before = EvaluationFile(path)
    for text, scores in (("cirulla", [30.0, 44.0]), ("cirulla players=3", [30.0, 44.0, 12.0])):
        played = Rules.parse(text)
        assert before.equity(played).chances(scores, 0) == now.equity(played).chances(scores, 0)


def test_the_table_of_three_sides_is_what_follows_from_the_results() -> None:
    rules = Rules("cirulla", players=3)
    told = EvaluationFile().rules[evaluation_key(rules)]["results"]
    assert told["table"] == rules.target
    made = Equity(3, rules.target, False, 1.0, 1.0, told["points"], tuple(told["outright"]),
                  told["spreads"])
    assert EvaluationFile().equity(rules).ready == made.ready


@pytest.mark.parametrize("ready", [b"", b"x" * 8, b"\0" * 65848, b"\xff" * 65856,
                                   array("d", [2.5] * 8232).tobytes()])
def test_a_table_that_can_not_be_is_refused(ready: bytes) -> None:
    # Fourteen scores in each direction, three chances each: 65,856 octets.
    with pytest.raises(ValueError, match="a table"):
        Equity(3, 51, False, 1.0, 1.0, None, None, [], ready)


def test_results_are_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.eval"
    rules = Rules("cirulla", players=3)
    key = evaluation_key(rules)
    results = {"points": [[5, 1, 0, 3], [0, 4, 2, 5]], "outright": [1, 0, 0], "spreads": []}
    _, size = Value.shape(rules.table, 8)
    write_evaluation(path, {key: Entry(8, [[0.0] * size] * 3, [], {"results": results})})
    read = EvaluationFile(path).rules[key]["results"]
    assert {name: read[name] for name in results} == results
    equity = Equity(3, 51, False, 1.0, 1.0, results["points"], (1, 0, 0), [])  # type: ignore[arg-type]
    chances = EvaluationFile(path).equity(rules).chances([10, 20, 30], 1)
    assert chances == equity.chances([10, 20, 30], 1)
