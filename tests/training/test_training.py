"""Learning values: the same from a seed, gone on with after a stop, and better than nothing."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from cirulla_ai import Rules
from cirulla_ai._core.fishing_selfplay import SelfPlay
from cirulla_ai._core.fishing_value import Value
from cirulla_ai.commands import main
from cirulla_ai.engine.evaluation_file import EvaluationFile, write_evaluation
from cirulla_ai.games.options import RulesError
from cirulla_ai.training.features import after_features, features
from cirulla_ai.training.network import fit
from cirulla_ai.training.pipeline import Networks, train_rules
from cirulla_ai.training.plan import Plan
from cirulla_ai.training.run import SHIPPED_RULES, only_run, trainable

SMALL = ["--samples", "1000", "--deals", "2", "--epochs", "2", "--generations", "1",
         "--plays", "1000", "--hidden", "16"]


def train(out: Path, *words: str) -> bytes:
    assert main(["train", *words, "--out", str(out), *SMALL]) == 0
    return out.read_bytes()


def test_the_same_seed_makes_the_same_file_and_a_stopped_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plan, "smazzate", 200)
    whole = train(tmp_path / "a.eval", "scopa players=4")
    assert train(tmp_path / "b.eval", "scopa players=4") == whole
    # As if stopped before the last networks, those of the first round.
    parts = next((tmp_path / "b.eval.parts").iterdir())
    kept = parts / "1-end-2.npz"
    before = kept.stat().st_mtime_ns
    (parts / "1-end-1.npz").unlink()
    (parts / "1-plays-1.npz").unlink()
    assert train(tmp_path / "b.eval", "scopa players=4") == whole
    assert kept.stat().st_mtime_ns == before
    # Another plan makes its own.
    shutil.copytree(parts, tmp_path / "c.eval.parts" / parts.name)
    other = train(tmp_path / "c.eval", "scopa players=4", "--seed", "2")
    assert other != whole
    file = EvaluationFile(tmp_path / "a.eval")
    assert file.value(Rules("scopa", players=4)) is not None
    assert file.has_results(Rules("scopa", players=4))


@pytest.mark.parametrize(("words", "reason"), [
    (["scopone"], "all cards are dealt at once"),
    (["ciapano"], "nothing to learn"),
    (["scopa", "--samples", "10"], "--samples 10 is not in 1000 … 100000000"),
    (["scopa", "--epochs", "0"], "--epochs 0 is not in 1 … 1000000"),
    (["scopa", "--hidden", "12"], "12 hidden units, not a multiple of 8"),
])
def test_what_can_not_be_trained_is_refused(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *words]) == 2
    assert reason in capsys.readouterr().err


def test_all_shipped_rules_can_be_trained() -> None:
    for text in SHIPPED_RULES:
        assert len(trainable(text).rounds) >= 2
    with pytest.raises(RulesError, match="dealt at once"):
        trainable("cirullone-9")


def test_a_network_learns_what_can_be_learnt() -> None:
    """Points that are a plain sum of the cards of the first side."""
    random = np.random.default_rng(1)
    inputs = (random.random((20000, 60)) < 0.5).astype(np.uint8)
    first = inputs[:, :10].sum(1) * 0.5
    targets = np.stack([first, 5 - first], axis=1).astype(np.float32)
    made = fit(inputs, targets, 32, 10, 1)
    assert made.error < 0.3 * made.spread
    assert (fit(inputs, targets, 32, 10, 1).numbers == made.numbers).all()
    # It goes on from there, if only to stay where it is.
    again = fit(inputs, targets, 32, 2, 2, made.numbers)
    assert again.error < 1.2 * made.error < fit(inputs, targets, 32, 2, 2).error


def cards_in(sets: Iterable[int]) -> int:
    """How many cards these sets have, none of which is in two of them."""
    union = 0
    for cards in map(int, sets):
        assert not union & cards
        union |= cards
    return bin(union).count("1")


@pytest.mark.parametrize("text", ["cirulla", "cirulla players=3", "cirulla-coppie"])
def test_states_are_of_the_end_of_a_round(text: str) -> None:
    rules = Rules.parse(text)
    states = np.zeros((200, 3 + rules.sides), np.uint64)
    points = np.zeros((200, rules.sides), np.float32)
    value = Networks.of(rules).value(rules, 8)
    SelfPlay(rules.table, value, 0.5, 1).states(2, 2, value, states, points)
    for row in states:
        # Two rounds of three cards each have left the hands.
        assert cards_in(row[:1 + rules.sides]) == rules.table_size + 6 * rules.players
    inputs = features(states, rules.sides)
    assert inputs.shape == (200, Value.shape(rules.table, 8)[0])
    assert (inputs[:, :40 * (1 + rules.sides)].sum(1) == rules.table_size + 6 * rules.players).all()
    # What is still to come is never less than nothing.
    assert points.min() >= 0


@pytest.mark.parametrize("text", ["cirulla", "cirulla players=3", "cirulla-coppie"])
def test_afterstates_are_what_a_mover_sees(text: str) -> None:
    rules = Rules.parse(text)
    states = np.zeros((300, 5 + rules.sides), np.uint64)
    margins = np.zeros(300, np.float32)
    SelfPlay(rules.table, Networks.of(rules).value(rules, 8), 0.5, 1).afterstates(
        2, 3, states, margins)
    for row in states:
        left = int(row[-1])
        assert 1 <= left < 3 * rules.players
        hand = cards_in(row[:1])
        # The seats play in turn, so the mover has its share of what is left.
        assert hand == left // rules.players
        assert cards_in(row[:2 + rules.sides]) == (
            hand + rules.table_size + 6 * rules.players - left)
    inputs = after_features(states, rules.sides, Value.after_shape(rules.table, 8)[0])
    assert inputs[:, :40].sum() == sum(bin(int(cards)).count("1") for cards in states[:, 0])
    # Somebody wins what somebody loses.
    assert margins.min() < 0 < margins.max()


def test_a_file_is_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "smazzate", 200)
    out = tmp_path / "a.eval"
    train(out, "scopa players=4")
    before = EvaluationFile(out).entries()
    train(out, "cirulla players=4")
    after = EvaluationFile(out).entries()
    assert list(after) == [*before, "cirulla players=4 rounds=3,3,3"]
    assert all(after[key] == before[key] for key in before)


def test_steps_come_from_the_last_round_back(tmp_path: Path) -> None:
    plan = Plan(samples=1000, deals=2, epochs=1, plays=1000, hidden=8, generations=2)
    steps = [step for step, _ in train_rules(Rules("scopa", players=3), plan, tmp_path)]
    # Three seats play a last round, which two solve.
    once = [("plays", 4), ("end", 3), ("plays", 3), ("end", 2), ("plays", 2), ("end", 1),
            ("plays", 1)]
    assert [(step.generation, step.kind, step.round) for step in steps] == [
        (generation, *one) for generation in (1, 2) for one in once]
    assert all(step.error > 0 for step in steps)


def test_results_are_those_of_whole_smazzate() -> None:
    rules = Rules("cirulla")
    points = np.zeros((300, 3), np.int32)
    expected = np.zeros((300, 5, 2), np.float32)
    value = EvaluationFile().value(rules)
    assert value is not None
    SelfPlay(rules.table, value, 0, 1).results(points, expected)
    assert set(np.unique(points[:, 2])) <= {0, 1, 2}
    assert 4 < points[points[:, 2] == 0, :2].mean() < 14
    # Later expectations are closer to what comes.
    wrong = np.abs(points[:, None, :2] - expected).mean((0, 2))
    assert wrong[4] < wrong[0]


def test_met_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["met", "cirulla", "target=31", "--step", "10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "rules=cirulla target=31" in lines[0]
    row = [float(x) for x in lines[2].split()]
    assert row[0] == 0 and 45 < row[1] < 55 and row[1] > row[2] > row[3] > row[4]
    assert main(["met", "scopone"]) == 2
    assert "no match equity table" in capsys.readouterr().err
    assert main(["met", "--third", "3"]) == 2
    assert "--third 3: there are two sides" in capsys.readouterr().err


def test_met_of_three_sides(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["met", "cirulla players=3", "--step", "10", "--third"]
    assert main([*words, "20"]) == 0
    tables = capsys.readouterr().out.split("\n\n")
    assert ["deals" in tables[0], "leads" in tables[1], "comes second" in tables[2]] == [True] * 3
    assert "20 points for the third side" in tables[0]
    for table in tables[:3]:
        rows = [[float(x) for x in line.split()] for line in table.splitlines()[2:]]
        # All three with twenty points: about a third.
        assert rows[2][0] == 20 and 30 < rows[2][3] < 37
        assert all(row[1] > row[2] > row[3] for row in rows[:4])
    assert main([*words, "51"]) == 2
    assert "--third 51: 0 … 50" in capsys.readouterr().err


def test_results_of_three_sides_are_in_the_order_of_play() -> None:
    rules = Rules("cirulla", players=3)
    evaluation = EvaluationFile()
    told = evaluation.rules["cirulla players=3 rounds=3,3,3,3"]["results"]
    assert sum(row[3] for row in told["points"]) + sum(told["outright"]) == told["smazzate"]
    assert len(told["outright"]) == 3
    for left, row in enumerate(told["spreads"], 1):
        # Covariances, less sure the more is to come.
        assert len(row) == 9 and row[1] == row[3]
        assert row[0] > told["spreads"][left - 2][0] or left == 1
    # What a smazzata brings is about what a short run brings, side by side.
    points = np.zeros((2000, 4), np.int32)
    expected = np.zeros((2000, 3, 3), np.float32)
    value = evaluation.value(rules)
    assert value is not None
    SelfPlay(rules.table, value, 0, 5).results(points, expected)
    means = points[points[:, 3] == 0, :3].mean(0)
    for side in range(3):
        mean = sum(row[side] * row[3] for row in told["points"]) / (
            told["smazzate"] - sum(told["outright"]))
        assert mean == pytest.approx(means[side], abs=0.5)


@pytest.mark.parametrize("damage", [
    lambda text: b"", lambda text: text[:-30], lambda text: text[:100], lambda text: b"x" * 200,
    lambda text: text.replace(b"result.npy", b"resuly.npy"),
    lambda text: text[:200] + bytes(100) + text[300:],
], ids=["empty", "end", "begin", "other", "name", "hole"])
def test_a_network_that_can_not_be_read_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(Plan, "smazzate", 200)
    out = tmp_path / "a.eval"
    whole = train(out, "scopa players=4")
    [part] = (tmp_path / "a.eval.parts").glob("*/1-end-2.npz")
    network = part.read_bytes()
    part.write_bytes(damage(network))
    assert train(out, "scopa players=4") == whole
    with np.load(part) as again:
        assert list(again) == ["numbers", "result", "plan"]


@pytest.mark.parametrize(("out", "says"), [
    ("no/a.eval", "no/a.eval: there is no folder no"), ("folder", "folder is a folder, not a file"),
])
def test_a_file_that_can_not_be_written_is_found_before_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    out: str, says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    assert main(["train", "scopa players=4", "--out", out, "--folder", "parts"]) == 2
    assert says in capsys.readouterr().err
    assert not Path("parts").exists() and not Path("no").exists()


def test_one_run_at_a_time_works_in_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = tmp_path / "a.eval.parts"
    parts.mkdir()
    (tmp_path / "other.parts").symlink_to(parts)
    with only_run(parts):
        for name in ("a.eval", "other"):
            assert main(["train", "scopa", "--out", str(tmp_path / name)]) == 2
            assert "another run is at work there" in capsys.readouterr().err
    with only_run(parts):
        pass


def test_a_full_disk_is_said_and_gone_on_with(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cirulla_ai", "train", "scopa players=4", "--out", "a.eval",
               *SMALL]

    def limited(octets: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (octets, octets))

    for octets in (3000, 13600):
        full = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False,
                              preexec_fn=partial(limited, octets))
        assert full.returncode == 2
        assert "File too large; what has been learnt is in a.eval.parts, and the same command " \
            "goes on with it" in full.stderr
        assert "Traceback" not in full.stderr
        assert not list(tmp_path.rglob("*.tmp"))
        assert not (tmp_path / "a.eval").exists()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")}
    assert kept
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert EvaluationFile(tmp_path / "a.eval").value(Rules("scopa", players=4)) is not None


def test_an_evaluation_file_stays_where_the_new_one_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(b"as it was")

    def refuse(self: object, name: str, data: bytes, *more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("zipfile.ZipFile.writestr", refuse)
    with pytest.raises(OSError, match="No space"):
        write_evaluation(path, {})
    assert path.read_bytes() == b"as it was"
    assert list(tmp_path.iterdir()) == [path]


def test_no_rich_no_training(monkeypatch: pytest.MonkeyPatch,
                             capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    from cirulla_ai.commands import train as command

    monkeypatch.setitem(sys.modules, "cirulla_ai.training.run", None)
    assert command.run(Namespace()) == 2
    assert "cirulla-ai[train]" in capsys.readouterr().err
