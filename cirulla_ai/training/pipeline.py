"""Training the networks of one rule set, backwards from the end of the smazzata.

For each round, from the last one on: first the value of its end, learnt from deals of the
next round, which the quick policy plays with the networks that are there already (two
sides that know all cards play a last round perfectly); then the value of the states after
each play of the round, learnt from rounds that end at that value.  In the last round there
is no end to learn, and where it is played perfectly nothing at all.  The states that are
learnt from come from whole smazzate that the policy of the generation before plays, and
each network goes on from that of the generation before.
"""

from __future__ import annotations

import logging
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cirulla_ai._core.fishing_selfplay import SelfPlay
from cirulla_ai._core.fishing_value import Value
from cirulla_ai.basics.outputs import written_whole
from cirulla_ai.rules import Rules
from cirulla_ai.training.features import after_features, features
from cirulla_ai.training.network import Fit, fit
from cirulla_ai.training.plan import Plan

__all__ = ["Networks", "Step", "facts", "results", "train_rules"]

LOGGER = logging.getLogger(__name__)
# What numpy makes of a file that was cut short, or is something else.
UNREADABLE = (EOFError, LookupError, TypeError, ValueError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True)
class Step:
    """One network that was trained: of which generation and round, and how well.

    ``kind``: "end" of the round, or "plays" for its afterstates.
    """

    generation: int
    kind: str
    round: int
    error: float
    spread: float

    @property
    def explained(self) -> float:
        """The share of the variance of the held-out samples that is explained."""
        return 1 - (self.error / self.spread) ** 2


@dataclass
class Networks:
    """What is there of one generation: the numbers of each network, None for those to come."""

    ends: list[Any]
    afterstates: list[Any]

    @classmethod
    def of(cls, rules: Rules) -> Networks:
        """None yet."""
        rounds = len(rules.rounds)
        solved = SelfPlay.solves(rules.table)
        return cls([None] * (rounds - 1), [None] * (rounds - solved))

    def value(self, rules: Rules, hidden: int, before: Networks | None = None) -> Value:
        """The core's form; what is still to come is taken from ``before``, or worth nothing."""
        ends, afterstates = self.ends, self.afterstates
        if before is not None:
            ends = _first(ends, before.ends)
            afterstates = _first(afterstates, before.afterstates)
        nothing = np.zeros(Value.shape(rules.table, hidden)[1], np.float32)
        return Value(rules.table, [nothing if net is None else net for net in ends],
                     afterstates, hidden)


def _first(new: list[Any], old: list[Any]) -> list[Any]:
    return [b if a is None else a for a, b in zip(new, old, strict=True)]


def steps(rules: Rules, plan: Plan) -> list[tuple[int, str, int]]:
    """The networks in the order in which they are made: generation, kind, round."""
    shape = Networks.of(rules)
    order = []
    for generation in range(1, plan.generations + 1):
        for number in range(len(rules.rounds), 0, -1):
            if number <= len(shape.ends):
                order.append((generation, "end", number))
            if number <= len(shape.afterstates):
                order.append((generation, "plays", number))
    return order


def train_rules(rules: Rules, plan: Plan, folder: Path) -> Iterator[tuple[Step, Networks]]:
    """Train, giving each step with the networks so far.

    ``folder`` keeps every finished network, so that a run that was stopped goes on; a
    network there that was made by another plan, or can't be read, is made again.
    """
    before = networks = Networks.of(rules)
    now = 0
    for generation, kind, number in steps(rules, plan):
        if generation != now:
            before, networks, now = networks, Networks.of(rules), generation
        path = folder / f"{generation}-{kind}-{number}.npz"
        made = _kept(path, plan)
        if made is None:
            train = _train_end if kind == "end" else _train_plays
            # Every network has luck of its own.
            luck = [plan.seed, generation, number, kind == "plays"]
            seed = int(np.random.SeedSequence(luck).generate_state(1)[0])
            made = train(rules, plan, number, before, networks, seed)
            _keep(path, plan, made)
        (networks.ends if kind == "end" else networks.afterstates)[number - 1] = made.numbers
        yield Step(generation, kind, number, made.error, made.spread), networks


def _train_end(
    rules: Rules, plan: Plan, number: int, before: Networks, networks: Networks, seed: int
) -> Fit:
    states = np.zeros((plan.samples, 3 + rules.sides), np.uint64)
    points = np.zeros((plan.samples, rules.sides), np.float32)
    SelfPlay(rules.table, before.value(rules, plan.hidden), plan.temperature, seed).states(
        number, plan.deals, networks.value(rules, plan.hidden), states, points)
    return fit(features(states, rules.sides), points, plan.hidden, plan.epochs, seed,
               before.ends[number - 1])


def _train_plays(
    rules: Rules, plan: Plan, number: int, before: Networks, networks: Networks, seed: int
) -> Fit:
    states = np.zeros((plan.plays, 5 + rules.sides), np.uint64)
    margins = np.zeros((plan.plays, 1), np.float32)
    value = networks.value(rules, plan.hidden, before)
    SelfPlay(rules.table, value, plan.temperature, seed).afterstates(
        number, plan.play_deals, states, margins[:, 0])
    inputs, _ = Value.after_shape(rules.table, plan.hidden)
    return fit(after_features(states, rules.sides, inputs), margins, plan.hidden,
               plan.play_epochs, seed, before.afterstates[number - 1])


def _keep(path: Path, plan: Plan, made: Fit) -> None:
    with written_whole(path) as unfinished, unfinished.open("wb") as file:
        np.savez(file, numbers=made.numbers, result=[made.error, made.spread], plan=[repr(plan)])


def _kept(path: Path, plan: Plan) -> Fit | None:
    """The network that was made by this plan, None where there is none that can be read."""
    try:
        with np.load(path) as kept:
            if str(kept["plan"][0]) != repr(plan):
                return None
            error, spread = map(float, kept["result"])
            return Fit(kept["numbers"], error, spread)
    except FileNotFoundError:
        return None
    except UNREADABLE as error:
        LOGGER.warning("%s can't be read and is made again: %s", path, error)
        return None


def results(rules: Rules, plan: Plan, networks: Networks) -> dict[str, Any]:
    """How smazzate end, for the match equity table: see ``Equity``."""
    points = np.zeros((plan.smazzate, rules.sides + 1), np.int32)
    expected = np.zeros((plan.smazzate, len(rules.rounds) - 1, rules.sides), np.float32)
    SelfPlay(rules.table, networks.value(rules, plan.hidden), 0, plan.seed).results(
        points, expected)
    sides = rules.sides
    won = points[:, sides]
    played = won == 0
    outcomes, counts = np.unique(points[played, :sides], axis=0, return_counts=True)
    wrong = points[played, None, :sides] - expected[played]
    covariances = [np.cov(wrong[:, k].T) for k in range(wrong.shape[1] - 1, -1, -1)]
    return {
        "smazzate": plan.smazzate,
        "points": [[*map(int, outcome), int(n)]
                   for outcome, n in zip(outcomes, counts, strict=True)],
        "outright": [int((won == side).sum()) for side in range(1, sides + 1)],
        "spreads": [[round(float(x), 3) for x in c.ravel()] for c in covariances],
    }


def facts(plan: Plan, made: list[Step]) -> dict[str, Any]:
    """What an evaluation file says of how its networks were made."""
    last = [step for step in made if step.generation == plan.generations]
    return {
        "plan": asdict(plan),
        "held_out": {
            f"{step.kind} {step.round}": {
                "error": round(step.error, 3), "spread": round(step.spread, 3)}
            for step in sorted(last, key=lambda step: (step.round, step.kind != "end"))
        },
    }
