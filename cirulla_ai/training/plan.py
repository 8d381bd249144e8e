"""How to train: the numbers, and what the command line may ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cirulla_ai.basics.numbers import MAX_SEED, whole
from cirulla_ai.engine.evaluation import evaluation_key
from cirulla_ai.rules import Rules

__all__ = ["FLAGS", "PLANS", "Plan", "plan_for"]


@dataclass(frozen=True)
class Plan:
    """How to train.

    ``samples`` for the end of a round, each the mean of ``deals`` deals of the next round,
    learnt in ``epochs``; ``plays`` for its afterstates, of ``play_deals`` deals from each
    beginning, learnt in ``play_epochs``; networks of ``hidden`` units; ``generations`` of
    all networks; ``temperature`` of the policy, in points; everything follows from ``seed``.
    The match equity table is made from so many ``smazzate``.
    """

    samples: int = 120_000
    deals: int = 8
    epochs: int = 20
    plays: int = 500_000
    play_deals: int = 4
    play_epochs: int = 5
    hidden: int = 32
    generations: int = 3
    temperature: float = 0.3
    seed: int = 1
    smazzate: int = 100_000


# The numbers that can be asked for.
FLAGS = {
    "samples": "states for the network of a round's end",
    "deals": "deals of the next round for each state",
    "epochs": "times through these samples",
    "plays": "plays for the network of a round's afterstates",
    "hidden": "hidden units of a network, a multiple of 8 up to 64",
    "generations": "times through all rounds",
    "seed": "of everything",
}
# What they may be.
RANGES = {
    "samples": (1000, 10**8), "deals": (1, 10**6), "epochs": (1, 10**6), "plays": (1000, 10**8),
    "hidden": (8, 64), "generations": (1, 1000), "seed": (0, MAX_SEED),
}

# Two players' Cirulla is what most play: it gets more.
PLANS: Mapping[str, Mapping[str, int]] = {
    "cirulla": {
        "samples": 300_000, "deals": 16, "plays": 4_000_000, "hidden": 64, "generations": 4},
}


def plan_for(rules: Rules, given: Mapping[str, int | None]) -> Plan:
    """The plan for some rules; ``given`` are the numbers that were asked for, or None."""
    asked = {name: number for name, number in given.items() if number is not None}
    for name, number in asked.items():
        whole(number, *RANGES[name], f"--{name}")
    if asked.get("hidden", 8) % 8:
        raise ValueError(f"--hidden: {asked['hidden']} hidden units, not a multiple of 8")
    return Plan(**{**PLANS.get(evaluation_key(rules), {}), **asked})
