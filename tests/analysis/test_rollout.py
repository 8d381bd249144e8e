"""Rollouts: what actions are worth where they are played on, how sure that is, and why."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, pvariance, variance
from typing import Any

import jsonschema
import pytest
import rollout_coverage
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command_line import cirulla

from cirulla_ai import PRESETS, Knowledge, Rules, State
from cirulla_ai._core.fishing_position import ITEMS
from cirulla_ai.analysis import rolling
from cirulla_ai.analysis.dialect import schema
from cirulla_ai.analysis.estimate import Sample
from cirulla_ai.analysis.reasons import reasons
from cirulla_ai.analysis.rolling import roll_out
from cirulla_ai.analysis.rollout import Rollout, prepared, rollout, why
from cirulla_ai.analysis.words import in_words
from cirulla_ai.games.registry import FISHING
from cirulla_ai.history import History
from cirulla_ai.players import PlayerError
from cirulla_ai.workers.journal import JournalError

POSITION = "state rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0"
VIEW = State.parse(POSITION.removeprefix("state "))
CLOSE = State.deal("scopa", dealer=1, seed=3).view(0)


def is_sum(found: Rollout) -> bool:
    """Whether the items of each action add up to its points."""
    return all(abs(sum(one.items.values()) - one.points) < 1e-9 for one in found.actions)


# --- what it says ---------------------------------------------------------------------

def test_a_rollout_of_a_plain_decision() -> None:
    found = rollout(VIEW)
    # The claim as 1 leaves seven points less than the table could take; it is far the best.
    assert str(found.best.action) == "!3C4D7H=1"
    assert found.best.loss == found.best.loss_error == 0
    assert found.best.best > 0.99
    assert sum(one.best for one in found.actions) == pytest.approx(1)
    assert [one.loss for one in found.actions] == sorted(one.loss for one in found.actions)
    assert len(found.actions) == len(VIEW.legal_actions())
    for one in found.actions:
        assert one.loss == pytest.approx(found.best.points - one.points, abs=1e-9)
        assert tuple(one.items) == ITEMS
    # So the least that it may play is enough.
    assert found.trials == 324
    assert not found.is_close
    assert is_sum(found)


@pytest.mark.parametrize("preset", PRESETS)
def test_items_add_up_in_every_game(preset: str) -> None:
    state = State.deal(preset, seed=4)
    found = rollout(state, trials=54, minimum=54, seed=3)
    assert is_sum(found)
    if state.rules.family is FISHING:
        assert tuple(found.best.items) == ITEMS
    else:
        assert tuple(found.best.items) == ("thirds",)
    for one in found.as_dict()["actions"]:
        assert sum(one["items"].values()) == pytest.approx(one["points"], abs=5e-5)
    jsonschema.validate(found.as_dict(), schema())


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(PRESETS), st.integers(0, 10**6), st.integers(0, 30))
def test_items_add_up_anywhere(preset: str, seed: int, actions: int) -> None:
    random = Random(seed)
    state = State.deal(preset, seed=seed)
    for _ in range(actions):
        after = state.apply(random.choice(state.legal_actions()))
        if after.is_over:
            break
        state = after
    found = rollout(state, trials=36, minimum=36, seed=seed)
    assert is_sum(found)
    assert all(one.error >= 0 and one.loss >= 0 for one in found.actions)


def test_intervals_hold_the_exact_value() -> None:
    # 30 of the last round, 30 of the last but one; bench/studies/rollout_coverage.py has more.
    found = rollout_coverage.run(60, 5, 162, fixed=False)
    last = [one for one in found if one.round == 6]
    other = [one for one in found if one.round == 5]
    assert len(last) == len(other) == 60
    assert all(one.off == 0 for one in last)
    # With 95 in 100, 49 of 60 or fewer come once in ten thousand times.
    assert sum(one.is_held for one in other) >= 50


def test_the_same_view_says_the_same_whatever_is_hidden() -> None:
    truth = State.deal("cirulla", dealer=1, seed=7)
    history = History(truth)
    for _ in range(3):
        history = history.play(history.state.legal_actions()[0])
    seat = history.state.turn
    assert seat is not None
    found = rollout(history.view(seat), trials=54, minimum=54)
    assert rollout(history, trials=54, minimum=54) == found
    other = history.knowledge(seat).draw(5)
    assert other != history.state
    assert rollout(other, trials=54, minimum=54) == rollout(
        history.state, trials=54, minimum=54)
    assert rollout(Knowledge(history.state), trials=54, minimum=54) == rollout(
        history.state.view(seat), trials=54, minimum=54)


def test_what_was_seen_matters() -> None:
    # The other seat lays an ace, where it would have taken a 7 or a 2 with an equal card; so it
    # has other cards, and what the plays are worth is not what it was.
    start = State.parse("rules=scopa dealer=0 turn=1 hands=3C4C6H/?3 table=2H5D7CQS viewer=0")
    game = History(start).play("AS")
    told, untold = (rollout(game, trials=1440, minimum=1440, until=1e6, inference=inference)
                    for inference in (True, False))
    differences = [abs(one.points - untold.of(one.action).points) / (one.error + 1e-9)
                   for one in told.actions]
    assert max(differences) > 3


# --- how sure it is --------------------------------------------------------------------

def test_errors_and_worth_are_true() -> None:
    runs = [rollout(VIEW, trials=72, minimum=72, until=1e6, seed=seed) for seed in range(40)]
    plain = [rollout(VIEW, trials=72, minimum=72, until=1e6, seed=seed, control=False)
             for seed in range(40)]
    for action in ("!3C4D7H=1", "4DxASKD", "7HxAS6C"):
        ours = [found.of(action) for found in runs]
        theirs = [found.of(action) for found in plain]
        # The spread of the means is what their errors say; of 40 it is known to a quarter.
        for many in (ours, theirs):
            spread = variance([one.points for one in many])
            assert spread == pytest.approx(fmean(one.error**2 for one in many), rel=0.6)
        # The luck that is taken out is nothing in the mean.
        difference = fmean(one.points for one in ours) - fmean(one.points for one in theirs)
        error = sqrt(fmean(one.error**2 for one in theirs) / 40)
        assert abs(difference) < 3.5 * error
    ratio = fmean(found.variance_ratio for found in runs)
    assert ratio > 2.5
    assert all(found.variance_ratio == 1 for found in plain)
    # As many plain trials as these are worth have the same error.
    worth = rollout(VIEW, trials=round(72 * ratio), minimum=1000, until=1e6, control=False)
    assert worth.of("4DxASKD").error == pytest.approx(
        fmean(found.of("4DxASKD").error for found in runs), rel=0.15)
    assert runs[0].worth == round(runs[0].trials * runs[0].variance_ratio)


def test_what_is_behind_is_given_up() -> None:
    found = rollout(CLOSE, trials=3000, minimum=54)
    assert found.trials > 54
    given_up = [one for one in found.actions if one.trials < found.trials]
    assert given_up
    for one in given_up:
        assert one.loss > 2.33 * one.loss_error
        assert one.trials >= 54
    more = rollout(CLOSE, trials=3000, minimum=54, until=1e6)
    assert {one.trials for one in more.actions} == {3000}
    # With no error of patience it ends as soon as it may.
    assert rollout(CLOSE, trials=3000, minimum=54, until=0).trials == 54


def test_where_nothing_is_left_to_chance_it_ends() -> None:
    random = Random(3)
    state = State.deal("cirulla", dealer=1, seed=7)
    while state.round < 6:
        state = state.apply(random.choice(state.legal_actions()))
    found = rollout(state, trials=10**6)
    assert found.trials == 324
    assert all(one.error == 0 for one in found.actions)


def test_the_chance_to_be_the_best() -> None:
    random = Random(1)
    behind = 0.2
    rows = {1: [[random.gauss(0, 3), 0.0] for _ in range(400)],
            2: [[random.gauss(-behind, 3), 0.0] for _ in range(400)]}
    sample = Sample(rows, 18)
    leader = sample.leader()
    loss, error = sample.behind(3 - leader, leader)
    chance = sample.chances(leader, 1)[leader]
    assert 0.5 < chance < 1
    expected = NormalDist().cdf(loss / error)
    assert chance == pytest.approx(expected, abs=0.03)


@given(st.lists(st.lists(st.floats(-9, 9), min_size=3, max_size=3), min_size=40, max_size=60))
def test_what_is_taken_out_of_items_adds_up(rows: list[list[float]]) -> None:
    sample = Sample({1: rows}, 2)
    shares = [[(item - left) for item, left in zip(row[:-1], ours, strict=True)]
              for row, ours in zip(rows, sample.items[1], strict=True)]
    whole = Sample({1: [[row[0] + row[1], row[2]] for row in rows]}, 2)
    for taken, row, points in zip(shares, rows, whole.points[1], strict=True):
        assert row[0] + row[1] - sum(taken) == pytest.approx(points, abs=1e-6)


def test_luck_that_explains_all_leaves_nothing() -> None:
    random = Random(2)
    luck = [random.gauss(0, 3) for _ in range(360)]
    sample = Sample({1: [[2.0 + x, x / 2, x] for x in luck]}, 18)
    assert pvariance(sample.points[1]) == pytest.approx(0, abs=1e-9)
    assert sample.mean(1) == pytest.approx(2)
    assert sample.item_means(1, 1) == pytest.approx([2.0, 0.0])


# --- by whom it is played ----------------------------------------------------------------

@pytest.mark.parametrize(("rules", "policy"), [
    ("cirulla", "greedy"), ("cirulla", "random"), ("ciapano", "rule"), ("cirulla players=3",
    "careful"), ("scopone", "greedy"), ("cirulla", "engine")])
def test_players_play_it_on(rules: str, policy: str) -> None:
    state = State.deal(rules, seed=4)
    actions = state.legal_actions()[:2]
    found = rollout(state, policy=policy, nodes=20, trials=18, actions=actions)
    assert found.policy == policy
    assert {one.action for one in found.actions} == set(actions)
    assert is_sum(found)
    assert rollout(state, policy=policy, nodes=20, trials=18, actions=actions) == found
    assert ("nodes" in found.limit) == (policy != "quick")


def test_players_and_quick_agree_where_the_rest_is_solved() -> None:
    random = Random(3)
    state = State.deal("cirulla", dealer=1, seed=7)
    while state.round < 6:
        state = state.apply(random.choice(state.legal_actions()))
    quick = rollout(state, trials=18)
    greedy = rollout(state, trials=18, policy="greedy")
    assert quick.actions == greedy.actions


# --- why ----------------------------------------------------------------------------------

def test_why_adds_up_to_the_loss() -> None:
    found = rollout(VIEW)
    for one in found.actions[1:]:
        reasons = why(found, one.action)
        assert sum(reasons.values()) == pytest.approx(-one.loss, abs=1e-9)
    assert why(found) == why(found, found.actions[1].action, found.best.action)
    assert set(why(found, found.best.action).values()) == {0.0}
    # Laying 4D on the table instead of claiming gives the claim's points away.
    assert why(found, "4DxASKD")["scopa"] < -2
    with pytest.raises(ValueError, match="7S was not rolled out; there are"):
        why(found, "7S")
    with pytest.raises(ValueError, match="only one action"):
        why(rollout(VIEW, actions=["4DxASKD"], trials=18))


def test_why_in_words() -> None:
    assert in_words({"scopa": 0.9, "diamonds": -0.4, "cards": 0.01}) == (
        "makes a scopa more, +0.9; gives the diamonds away, −0.4")
    assert in_words({"scopa": -2.0, "thirds": 0.06}) == (
        "makes fewer scopas, −2.0; takes fewer thirds, +0.06")
    assert in_words({"scopa": 0.0}) == "nothing that counts"
    assert in_words({"something": -1.0}) == "less of something, −1.0"
    for item in ITEMS:
        assert in_words({item: 0.5}) != in_words({item: -0.5}).replace("−", "+")


def test_reasons_are_a_rollout_of_two(tmp_path: Path) -> None:
    told = reasons(VIEW, "4DxASKD", "!3C4D7H=1", trials=360)
    assert {one.action for one in told.rolled.actions} == {told.chosen, told.best}
    assert sum(told.items.values()) == pytest.approx(-told.rolled.of("4DxASKD").loss)
    assert told.rolled.trials == 360
    assert told.error > 0
    assert "makes fewer scopas, −" in str(told)
    # The other way round it is praise.
    other = reasons(VIEW, "!3C4D7H=1", "4DxASKD", trials=360)
    assert sum(other.items.values()) == pytest.approx(-sum(told.items.values()))
    with pytest.raises(ValueError, match="compared with itself"):
        reasons(VIEW, "4DxASKD", "4DxASKD")


def test_analyse_says_why(tmp_path: Path) -> None:
    words = POSITION.split()
    for asked in (["--why", *words], [*words, "--why"], [*words, "--why", "!3C4D7H=2"]):
        done = cirulla(tmp_path, "analyse", *asked)
        assert done.returncode == 0, done.stderr
        text = " ".join(done.stdout.split())
        assert "Why: !3C4D7H=2 against !3C4D7H=1, played on 1,296 times: makes a" in text
    done = cirulla(tmp_path, "analyse", *words, "--why", "4DxASKD", "--json")
    found = json.loads(done.stdout)
    jsonschema.validate(found, schema())
    assert found["why"]["action"] == "4DxASKD"
    assert found["why"]["best"] == found["actions"][0]["action"]
    assert sum(found["why"]["items"].values()) == pytest.approx(found["why"]["points"], abs=1e-4)
    wrong = cirulla(tmp_path, "analyse", *words, "--why", "7S")
    assert wrong.returncode == 2
    assert "7S was not analysed; there are" in wrong.stderr


# --- what it refuses ---------------------------------------------------------------------

@pytest.mark.parametrize(("options", "words"), [
    ({"trials": 0}, "trials 0"), ({"minimum": 0}, "minimum 0"), ({"until": -1.0}, "until -1"),
    ({"seed": -1}, "seed -1"), ({"nodes": 0}, "nodes 0"), ({"actions": ["7S"]}, "7S is not legal"),
    ({"actions": []}, "no action to roll out")])
def test_wrong_numbers_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        rollout(VIEW, **options)


def test_wrong_positions_and_policies_are_refused() -> None:
    with pytest.raises(PlayerError, match="no player 'nobody'"):
        rollout(VIEW, policy="nobody")
    with pytest.raises(PlayerError, match="does not play ciapano"):
        rollout(State.deal("ciapano", seed=1), policy="greedy")
    with pytest.raises(ValueError, match="seat 0 is to move, not seat 1"):
        rollout(State.deal("cirulla", dealer=1, seed=7).view(1))
    with pytest.raises(TypeError, match="can't be rolled out"):
        rollout("a state")  # type: ignore[arg-type]
    state = State.deal("scopa", seed=1)
    while not state.is_over:
        state = state.apply(state.legal_actions()[0])
    with pytest.raises(ValueError, match="smazzata is over"):
        rollout(state)


# --- as long work --------------------------------------------------------------------------

def said(path: Path, *words: str) -> dict[str, Any]:
    done = cirulla(path, "rollout", *words, "--json")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    value: dict[str, Any] = json.loads(line)
    return value


def test_the_number_of_workers_makes_no_difference(tmp_path: Path) -> None:
    words = [*POSITION.split(), "--trials", "400"]
    one = said(tmp_path, *words)
    assert said(tmp_path, *words, "--workers", "2") == one
    assert one == rollout(VIEW, trials=400).as_dict()
    jsonschema.validate(one, schema())


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    whole = rollout(CLOSE, trials=900, minimum=54)
    first = prepared(CLOSE, trials=200, minimum=54)
    assert roll_out(first, path=path)
    before = path.read_bytes()
    again = prepared(CLOSE, trials=900, minimum=54)
    assert roll_out(again, path=path)
    assert again.result() == whole
    assert path.read_bytes().startswith(before)
    # A kill in the middle of a line.
    path.write_bytes(path.read_bytes()[:-40])
    torn = prepared(CLOSE, trials=900, minimum=54)
    assert roll_out(torn, path=path)
    assert torn.result() == whole


@pytest.mark.parametrize("change", [
    {"seed": 2}, {"policy": "greedy"}, {"until": 3.0}, {"minimum": 72}, {"inference": False},
    {"actions": ["6DxAC5H", "JSxJD"]}])
def test_another_question_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "trials.jsonl"
    options: dict[str, Any] = {"trials": 54, "minimum": 54}
    assert roll_out(prepared(CLOSE, **options), path=path)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="holds another rollout"):
        roll_out(prepared(CLOSE, **{**options, **change}), path=path)
    with pytest.raises(JournalError, match="holds another rollout"):
        roll_out(prepared(VIEW, **options), path=path)
    assert path.read_bytes() == before


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    roll_out(prepared(CLOSE, trials=54, minimum=54), path=path)
    header, line, *_ = path.read_text().splitlines()
    for wrong in ('{"index": 0}', '{"index": 0, "rows": [[["A"]]]}', "[]"):
        path.write_text(f"{header}\n{wrong}\n{line}\n")
        with pytest.raises(JournalError, match="is not a batch of trials"):
            roll_out(prepared(CLOSE, trials=54, minimum=54), path=path)
    path.write_text(f'{header}\n{{"index": 0, "rows": [[[1.0]]]}}\n')
    with pytest.raises(JournalError, match="batch 0"):
        roll_out(prepared(CLOSE, trials=54, minimum=54), path=path)


class Interrupting(Executor):
    """Plays batches here, and is interrupted after some."""

    def __init__(self, after: int) -> None:
        self.left = after

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        future.set_result(fn(*args, **kwargs))
        return future


def test_an_interrupt_keeps_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def executor(workers: int, scheduler: str | None) -> Iterator[Executor]:
        yield Interrupting(5)

    monkeypatch.setattr(rolling, "make_executor", executor)
    path = tmp_path / "trials.jsonl"
    run = prepared(CLOSE)
    assert not roll_out(run, workers=2, path=path)
    # Five batches of eighteen: enough to say something, and the file has them.
    assert run.result().trials == 90
    assert run.result() == rollout(CLOSE, trials=90, minimum=90).__class__(
        **{**vars(rollout(CLOSE, trials=90, minimum=90)), "limit": run.limit})
    assert len(path.read_text().splitlines()) == 6
    nothing = prepared(VIEW)
    nothing.cut()
    with pytest.raises(ValueError, match="not enough trials"):
        nothing.result()


def test_a_dask_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    # Two threads of one process: neither gets in the other's way.
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=True,
                                  dashboard_address=None) as cluster:
        found = said(tmp_path, *POSITION.split(), "--trials", "400", "--workers", "2",
                     "--scheduler", cluster.scheduler_address)
    assert found == rollout(VIEW, trials=400).as_dict()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_was_played(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "trials.jsonl"
    words = [sys.executable, "-m", "cirulla_ai", "rollout", "startpos", "rules=scopa", "seed",
             "3", "--policy", "greedy", "--workers", "2", "--min", "36", "--until", "1000",
             "--resume", str(path), "--trials"]
    running = subprocess.Popen([*words, "72000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               encoding="utf-8")
    while running.poll() is None and (
            not path.exists() or len(path.read_bytes().splitlines()) < 3):
        time.sleep(0.05)
    running.send_signal(number)
    _, errors = running.communicate(timeout=120)
    assert running.returncode == (130 if number == signal.SIGINT else 128 + number)
    assert "Traceback" not in errors
    kept = path.read_text().splitlines()
    assert len(kept) >= 3
    # What there is is whole, and gone on with.
    done = subprocess.run([*words, "90", "--json"], capture_output=True, encoding="utf-8",
                          timeout=200, check=True)
    found = json.loads(done.stdout)
    assert found["trials"] == 90
    assert path.read_text().splitlines()[:len(kept)] == kept


# --- as a command ----------------------------------------------------------------------------

def test_the_table(tmp_path: Path) -> None:
    done = cirulla(tmp_path, "rollout", *POSITION.split())
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "324 trials by quick, worth" in lines[0]
    assert lines[3].split()[0] == "!3C4D7H=1"
    assert "!3C4D7H=2 against !3C4D7H=1: makes a scopa fewer" in done.stdout
    assert max(map(len, lines)) <= 80
    close = cirulla(tmp_path, "rollout", "startpos", "rules=scopa", "seed", "3", "--trials", "36")
    assert "too close to call" in close.stdout


@pytest.mark.parametrize(("words", "message"), [
    (["state", "rules=cirulla"], "dealer"), (["--policy", "nobody"], "no player 'nobody'"),
    (["--trials", "0"], "0 is not in 1"), (["--scheduler", "tcp://127.0.0.1:9"], "scheduler"),
    (["--resume", "."], "Is a directory"), (["--until", "x"], "not a number")])
def test_wrong_use_is_said(tmp_path: Path, words: list[str], message: str) -> None:
    done = cirulla(tmp_path, "rollout", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_rules_have_their_quick_way() -> None:
    # By learned values, by the rule of thumb, in pairs, and for one hand with nothing to choose.
    for rules in ("cirulla", "cirulla-wikipedia players=3", "cirulla players=4"):
        found = rollout(State.deal(Rules.parse(rules), seed=9), trials=18)
        assert found.trials == 18
