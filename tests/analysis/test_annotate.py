"""Annotations: sums that add up, nothing but what a seat could know, the same again."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.engines import fake
from support.judged import by_chance, by_the_engine
from support.planted import ahead, planted

from cirulla_ai import PRESETS, State
from cirulla_ai.analysis.annotate import (
    Terms,
    annotate,
    part_of,
    parts,
    put_together,
)
from cirulla_ai.analysis.annotation import Annotation
from cirulla_ai.analysis.classes import Thresholds
from cirulla_ai.analysis.dialect import schema
from cirulla_ai.analysis.judge import judge_of
from cirulla_ai.engine.options import OptionError
from cirulla_ai.history import History
from cirulla_ai.records import Forfeit, Record

QUICK = Terms(nodes=60, deep=120)
ERRORS = ("doubtful", "mistake", "blunder")
VALIDATOR = jsonschema.Draft202012Validator(schema())
FEW = max(settings().max_examples // 25, 1)


def check_sums(found: Annotation) -> None:
    """What a whole record that was played out has to add up to."""
    words = json.loads(json.dumps(found.as_dict()))
    VALIDATOR.validate(words)
    record = found.record
    rules = record.start.rules
    decisions = words["decisions"]
    assert [one["action"] for one in decisions] == [ply.word for ply in record.plies]
    assert [one["index"] for one in decisions] == list(range(len(decisions)))
    for (state, _), one in zip(record.moves(), decisions, strict=True):
        assert (one["seat"], one["round"]) == (state.turn, state.round)
        assert one["state"] == str(state.view(state.turn or 0))
        assert (one["class"] == "forced") == (len(state.legal_actions()) == 1)
        assert one["loss"] >= 0 and (one["punished"] is None) == (one["class"] not in ERRORS)
        assert ("why" in one) == ("hindsight" in one) == (one["class"] in ERRORS)
    luck = [sum(numbers) for numbers in zip(*(d["luck"] for d in words["deals"]), strict=True)]
    losses = [sum(one["loss"] for one in decisions
                  if rules.side(one["seat"]) == side and one["class"] != "forced")
              for side in range(rules.sides)]
    for side, sums in enumerate(words["sides"]):
        result = ahead(record.final, next(
            seat for seat in range(rules.players) if rules.side(seat) == side))
        others = (sum(losses) - losses[side]) / (rules.sides - 1)
        total = sums["start"] + sums["luck"] + sums["skill"] + sums["rest"]
        assert total == pytest.approx(result, abs=1e-6)
        assert sums["luck"] == pytest.approx(luck[side], abs=1e-6)
        assert sums["loss"] == pytest.approx(losses[side], abs=1e-6)
        assert sums["skill"] == pytest.approx(others - losses[side], abs=2e-4)
        assert sums["adjusted"] == pytest.approx(result - sums["luck"], abs=1e-6)
        mine = Counter(one["class"] for one in decisions if rules.side(one["seat"]) == side)
        assert sums["forced"] == mine.pop("forced", 0)
        assert sums["decisions"] == mine.total()
        assert {name: n for name, n in sums["by_class"].items() if n} == mine
        # The points of the sides are those that the result is counted by.
    points = [sums["points"] for sums in words["sides"]]
    if record.final.won is None:
        assert points == words["points"] == list(record.result.points)
    assert sum(sums["skill"] for sums in words["sides"]) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=FEW)
@given(seed=st.integers(0, 10**6))
def test_sums_add_up(preset: str, seed: int) -> None:
    check_sums(annotate(by_chance(preset, seed), QUICK))


def test_a_match_won_outright_counts_as_its_target() -> None:
    record = next(one for one in (by_chance("cirulla target=21", seed) for seed in range(4000))
                  if one.result.ending == "cappotto")
    found = annotate(record, QUICK)
    check_sums(found)
    won = record.final.won
    assert [side.points for side in found.sides] == [21 * (side == won) for side in range(2)]
    assert [side.match for side in found.sides] == [
        (pytest.approx(found.sides[side].match[0]), float(side == won))  # type: ignore[index]
        for side in range(2)]


# --- what a seat could know -----------------------------------------------------------

def swapped(record: Record, index: int, random: Random) -> Record | None:
    """The record up to an action, with two cards exchanged that its seat can't tell apart then;
    None where that changes what was seen."""
    truth = record.states()[index]
    seat = truth.turn
    assert seat is not None
    start = record.start
    unseen = [card for other, hand in enumerate(truth.hands) if other != seat for card in hand]
    unseen += getattr(truth, "stock", None) or ()
    if len(unseen) < 2:
        return None
    one, other = random.sample(sorted(unseen), 2)
    text = str(start).replace(one, "@@").replace(other, one).replace("@@", other)
    words = [ply.word for ply in record.plies[:index + 1]]
    try:
        made = Record.from_play(State.parse(text), words)
    except ValueError:
        return None
    theirs, ours = (History(one, *words[:index]).view(seat) for one in (made.start, start))
    return made if made.start != start and theirs == ours else None


def of_seat(found: Annotation, seat: int) -> Iterator[dict[str, Any]]:
    """What is said of a seat's decisions by what it could know."""
    for one in found.decisions:
        if one.seat == seat:
            words = one.as_dict()
            # What came of it, and what all cards would have told, are not of its knowledge.
            yield {key: words[key] for key in words if key not in ("punished", "hindsight")}


@pytest.mark.parametrize("rules", [
    "cirulla", "cirulla-wikipedia", "cirulla players=3", "scopone", "cirullone", "ciapano"])
def test_deals_that_a_seat_can_not_tell_apart_are_annotated_the_same(rules: str) -> None:
    random = Random(rules)
    compared = 0
    for seed in range(400):
        record = by_chance(rules, seed)
        index = random.randrange(2, len(record.plies))
        other = swapped(record, index, random)
        seat = record.states()[index].turn
        if other is None or seat is None or len(record.states()[index].legal_actions()) == 1:
            continue
        terms = Terms(nodes=100, deep=200, seat=seat)
        whole = Record.from_play(record.start, [ply.word for ply in record.plies[:index + 1]])
        mine, theirs = (list(of_seat(annotate(one, terms), seat)) for one in (whole, other))
        assert json.dumps(mine) == json.dumps(theirs)
        compared += 1
        if compared == 3:
            return
    pytest.fail("too few pairs of deals")


@pytest.mark.parametrize("rules", ["cirulla", "cirulla-coppie", "ciapano"])
def test_one_seats_record_is_annotated_as_the_whole_is(rules: str) -> None:
    record = by_chance(rules, 5)
    whole = annotate(record, QUICK)
    for seat in range(2):
        seen = record.seen_by(seat)
        found = annotate(seen, QUICK)
        VALIDATOR.validate(found.as_dict())
        assert json.dumps(list(of_seat(found, seat))) == json.dumps(list(of_seat(whole, seat)))
        # Of the others nothing is known, and so nothing of luck and the sums.
        assert {one.name for one in found.decisions if one.seat != seat} == {None}
        assert not found.deals
        assert {(side.luck, side.skill, side.rest, side.adjusted) for side in found.sides} == {
            (None, None, None, None)}
        assert all(one.hindsight is None for one in found.decisions)
        assert len(found.decisions) == len(whole.decisions)


def test_only_a_seat() -> None:
    record = by_chance("cirulla", 5)
    whole, mine = annotate(record, QUICK), annotate(record, Terms(nodes=60, deep=120, seat=1))
    assert [a.as_dict() for a in mine.decisions if a.seat == 1] == [
        a.as_dict() for a in whole.decisions if a.seat == 1]
    assert {a.name for a in mine.decisions if a.seat == 0} == {None}
    assert mine.deals == whole.deals
    assert (mine.sides[1].loss, mine.sides[0].loss) == (whole.sides[1].loss, None)
    assert mine.sides[1].skill is None and mine.sides[1].luck == whole.sides[1].luck
    with pytest.raises(ValueError, match="seat 2: there are 0 … 1"):
        annotate(record, Terms(seat=2))
    with pytest.raises(ValueError, match="what seat 0 saw"):
        annotate(record.seen_by(0), Terms(seat=1))


# --- the same again -------------------------------------------------------------------

def test_it_is_the_same_again_in_any_parts_and_order() -> None:
    record = by_chance("cirulla", 3)
    found = annotate(record, QUICK)
    assert annotate(record, QUICK) == found
    split = parts(record, QUICK)
    assert len(split) > 3
    again = put_together(record, [part_of(record, part, QUICK) for part in reversed(split)], QUICK)
    assert json.dumps(again.as_dict()) == json.dumps(found.as_dict())
    assert annotate(record, Terms(nodes=60, deep=120, seed=2)) != found


# --- how it judges --------------------------------------------------------------------

# In Ciapa No many cards are worth nearly the same, and what a deeper look finds better is often
# better by chance.
@pytest.mark.parametrize(("rules", "seeds", "share"), [
    ("cirulla", 3, 0.95), ("scopone", 2, 0.95), ("ciapano", 1, 0.8)])
def test_the_engines_own_play_is_best_or_fine(rules: str, seeds: int, share: float) -> None:
    names: Counter[str | None] = Counter()
    for seed in range(seeds):
        names.update(one.name for one in annotate(by_the_engine(rules, seed, 2000)).decisions)
    names.pop("forced")
    assert names["best"] + names["fine"] >= share * names.total()
    assert not names["blunder"]


@pytest.mark.parametrize(("loss", "error", "name"), [
    (0.0, 0.0, "best"), (0.2, 0.1, "best"), (0.2, 0.0, "fine"), (0.25, 0.0, "doubtful"),
    (0.3, 0.2, "fine"), (0.4999, 0.1, "doubtful"), (0.5, 0.1, "mistake"), (1.0, 0.1, "blunder"),
    (1.0, 0.5, "fine"), (2.0, None, "blunder"), (0.1, None, "fine")])
def test_classes(loss: float, error: float | None, name: str) -> None:
    assert Thresholds().name(loss, error, is_best=False) == name
    assert Thresholds().name(loss, error, is_best=True) == "best"


@pytest.mark.parametrize("values", [(0, 1, 2), (0.5, 0.25, 1), (-1, 1, 2), (0.1, 0.2, 1e9)])
def test_thresholds_rise(values: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError):
        Thresholds(*values)


def test_thresholds_can_be_set() -> None:
    one = planted("cirulla", Random(5))
    assert one.cost < 40
    terms = Terms(nodes=100, thresholds=Thresholds(one.cost / 2, one.cost - 1e-6, one.cost + 1))
    assert annotate(one.record, terms).decisions[one.index].name == "mistake"


def test_the_match_can_be_what_counts() -> None:
    terms = Terms(nodes=400, deep=2000, options=(("objective", "Match"),))
    assert terms.objective == "match" and terms.thresholds == Thresholds(0.02, 0.04, 0.08)
    start = State.deal("cirulla", seed=4, scores=(45, 48))
    state, words = start, []
    random = Random(1)
    while not state.is_over:
        words.append(random.choice(state.legal_actions()))
        state = state.apply(words[-1])
    found = annotate(Record.from_play(start, words), terms)
    VALIDATOR.validate(found.as_dict())
    for one in found.decisions:
        if one.name in ERRORS:
            assert one.match_loss is not None and one.match_loss >= 0.02
    assert any(one.name == "blunder" for one in found.decisions)


def test_whether_an_error_was_punished() -> None:
    record = by_chance("cirulla", 5)
    found = annotate(record, Terms(nodes=400, deep=2000))
    rules = record.start.rules
    both = set()
    for one in found.decisions:
        if one.name not in ERRORS:
            continue
        later = [other for other in found.decisions if other.index > one.index
                 and rules.side(other.seat) == rules.side(one.seat) and other.name != "forced"]
        came = later[0].points if later else ahead(record.final, one.seat)
        assert came is not None and one.points is not None and one.loss is not None
        assert one.punished == (came <= one.points - one.loss / 2)
        both.add(one.punished)
    assert both == {True, False}


# --- records that are not whole -------------------------------------------------------

def test_unfinished_records() -> None:
    whole = annotate(by_chance("cirulla", 5), QUICK)
    record = by_chance("cirulla", 5, 20)
    found = annotate(record, QUICK)
    VALIDATOR.validate(found.as_dict())
    for one, other in zip(found.decisions, whole.decisions, strict=False):
        assert {**one.as_dict(), "punished": 0} == {**other.as_dict(), "punished": 0}
    assert found.deals == whole.deals[:len(found.deals)]
    for side in found.sides:
        assert (side.rest, side.adjusted, side.match) == (None, None, None)
        assert side.start is not None and side.luck is not None and side.skill is not None
    # Nothing came of the last decisions.
    last = [one for one in found.decisions if one.name in ERRORS][-1:]
    assert all(one.punished is None for one in last if one.index >= 18)


def test_a_forfeit_has_no_result_of_the_cards() -> None:
    record = by_chance("cirulla", 5, 20)
    lost = Record(record.start, record.plies, forfeit=Forfeit(0, (0, 10), "out of time"))
    found = annotate(lost, QUICK)
    VALIDATOR.validate(found.as_dict())
    assert [side.points for side in found.sides] == [0, 10]
    assert {(side.rest, side.adjusted) for side in found.sides} == {(None, None)}
    assert annotate(record, QUICK).decisions == found.decisions


def test_records_from_amid_a_smazzata() -> None:
    whole = by_chance("cirulla", 5)
    states = whole.states()
    for index in (8, next(k for k, state in enumerate(states) if state.round == 3)):
        record = Record.from_play(states[index], [ply.word for ply in whole.plies[index:]])
        found = annotate(record, QUICK)
        VALIDATOR.validate(found.as_dict())
        for side, sums in enumerate(found.sides):
            assert sums.start is not None and sums.luck is not None and sums.skill is not None
            assert sums.rest is not None
            assert sums.start + sums.luck + sums.skill + sums.rest == pytest.approx(
                ahead(record.final, side))
    three = by_chance("cirulla players=3", 5)
    record = Record.from_play(three.states()[9], [ply.word for ply in three.plies[9:]])
    assert {(side.start, side.rest) for side in annotate(record, QUICK).sides} == {(None, None)}


def test_records_without_an_action() -> None:
    start = State.deal("cirulla", seed=1)
    for record in (Record(start), Record(start.view(0))):
        found = annotate(record, QUICK)
        VALIDATOR.validate(found.as_dict())
        assert not found.decisions
    won = next(state for state in (State.deal("cirulla table_four=win", seed=seed)
                                   for seed in range(20000)) if state.is_over)
    check_sums(annotate(Record(won), QUICK))


# --- other engines that judge ---------------------------------------------------------

OWN = (sys.executable, "-m", "cirulla_ai")


def test_another_engine_judges() -> None:
    one = planted("cirulla", Random(3))
    terms = Terms(nodes=200, deep=400, cmd=OWN)
    found = annotate(one.record, terms)
    try:
        VALIDATOR.validate(found.as_dict())
        assert found.judge.startswith("cirulla-ai") and found.evaluation is None
        decision = found.decisions[one.index]
        assert decision.loss == pytest.approx(one.cost, abs=3 * (decision.loss_error or 0) + 0.011)
        assert decision.name in ERRORS and decision.best in one.best
        assert decision.why and decision.hands is None and decision.hindsight is None
        assert annotate(one.record, terms) == found
    finally:
        judge_of.cache_clear()


def test_what_an_engine_does_not_say_is_null() -> None:
    """The fake engine has its own idea of the one position that it knows, and little to say."""
    state = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    record = Record.from_play(state, ["7HxAS6C"])
    try:
        found = annotate(record, Terms(nodes=5, cmd=tuple(fake("good"))))
    finally:
        judge_of.cache_clear()
    VALIDATOR.validate(found.as_dict())
    decision, = found.decisions
    assert found.judge == "Fake"
    assert decision.match_error is None and decision.hands is None


@pytest.mark.parametrize("terms", [
    {"nodes": 0}, {"nodes": 1.5}, {"deep": -1}, {"seed": -1}, {"seat": 4}, {"seat": -1}])
def test_terms_out_of_range(terms: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Terms(**terms)


def test_options_that_the_engine_does_not_have() -> None:
    with pytest.raises(OptionError, match="there is no option 'Depth'"):
        Terms(options=(("Depth", "3"),))
