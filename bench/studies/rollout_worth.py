"""What taking the luck of the deals out of rollouts is worth.

    python bench/studies/rollout_worth.py

Decisions of every round but the last, one a smazzata, are rolled out with it and without, with
as many trials.  By round: the ratio of the variances of points, that of the losses to the best
(common worlds and deals are in both), and how much longer it takes.
"""

from __future__ import annotations

import argparse
from math import exp, log
from random import Random
from statistics import fmean
from time import perf_counter
from typing import NamedTuple

from cirulla_ai.analysis.rollout import Rollout, rollout
from cirulla_ai.rules import Rules
from cirulla_ai.state import State


class Worth(NamedTuple):
    """Of one decision: without the luck taken out over with it."""

    points: float
    loss: float
    seconds: float


def decision(rules: Rules, round_: int, random: Random) -> State:
    """A decision with a choice in a round, reached by random play."""
    while True:
        state = State.deal(rules, seed=random.getrandbits(60))
        choices = []
        while not state.is_over and state.round <= round_:
            legal = state.legal_actions()
            if state.round == round_ and len(legal) > 1:
                choices.append(state)
            state = state.apply(random.choice(legal))
        if choices:
            chosen = random.choice(choices)
            return chosen.view(chosen.turn or 0)


def timed(view: State, trials: int, *, control: bool) -> tuple[Rollout, float]:
    """A rollout with so many trials, and the seconds that it took."""
    began = perf_counter()
    found = rollout(view, trials=trials, minimum=trials, until=1e9, control=control)
    return found, perf_counter() - began


def worth(view: State, trials: int) -> Worth:
    """What it is worth in one decision."""
    ours, slow = timed(view, trials, control=True)
    plain, quick = timed(view, trials, control=False)
    losses = [fmean(one.loss_error**2 for one in found.actions[1:]) for found in (plain, ours)]
    return Worth(ours.variance_ratio, losses[0] / losses[1] if losses[1] else 1.0, quick / slow)


def middle(numbers: list[float]) -> float:
    """The geometric mean."""
    return exp(fmean(map(log, numbers)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rules", default="cirulla")
    parser.add_argument("--decisions", type=int, default=20, help="of each round")
    parser.add_argument("--trials", type=int, default=648)
    args = parser.parse_args()
    rules = Rules.parse(args.rules)
    random = Random(1)
    for round_ in range(1, max(2, len(rules.rounds))):
        found = [worth(decision(rules, round_, random), args.trials)
                 for _ in range(args.decisions)]
        print(f"round {round_}: variance of points divided by "
              f"{middle([one.points for one in found]):.2f}, of losses by "
              f"{middle([one.loss for one in found]):.2f}; takes "
              f"{1 / middle([one.seconds for one in found]):.1f} times as long", flush=True)


if __name__ == "__main__":
    main()
