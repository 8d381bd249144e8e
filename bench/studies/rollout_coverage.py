"""How often a rollout's intervals hold the exact value.

    python bench/studies/rollout_coverage.py

Two-player Cirulla, decisions of the last two rounds.  In the last round the exact values are
those of the solver.  In the last but one every world and every deal of the last round is gone
through, each as likely as the other, and played on by the same deterministic policy as the
rollout's: what the rollout's mean is an estimate of.  (So inference is off in both.)  Of each
decision one action's points, and the second best's loss, are looked at: 95 in 100 intervals of
1.96 standard errors ought to hold the exact number.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from random import Random
from typing import NamedTuple

from cirulla_ai._core.cards import indices
from cirulla_ai._core.fishing_endgame import solve
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.quick import items_of, play_out
from cirulla_ai.analysis.rollout import MINIMUM, Rollout, rollout
from cirulla_ai.engine.evaluation_file import evaluation_of
from cirulla_ai.games.registry import game_of
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

RULES = Rules("cirulla")
REACH = 1.96


class Held(NamedTuple):
    """Whether an interval held its number, and by how many errors it was off."""

    what: str
    round: int
    off: float

    @property
    def is_held(self) -> bool:
        return abs(self.off) <= REACH


def decisions(seed: int) -> Iterator[State]:
    """Views of decisions with a choice, one a smazzata, reached by random play: of the last round
    and of the last but one in turn."""
    random = Random(seed)
    last = len(RULES.rounds)
    wanted = last
    while True:
        state = State.deal(RULES, seed=random.getrandbits(60))
        choices = []
        while not state.is_over:
            legal = state.legal_actions()
            if state.round == wanted and len(legal) > 1:
                choices.append(state)
            state = state.apply(random.choice(legal))
        if choices:
            chosen = random.choice(choices)
            yield chosen.view(chosen.turn or 0)
            wanted = 2 * last - 1 - wanted


def worlds(view: State) -> Iterator[FishingPosition]:
    """Every whole truth that agrees with a view: the other's hand, and the last round's."""
    position: FishingPosition = view.position
    fields = position.fields()
    other = 1 - (view.viewer or 0)
    known, hidden = fields["hands"][other]
    unseen = indices(view.position.unseen())
    for mine in combinations(unseen, hidden):
        left = [card for card in unseen if card not in mine]
        hands = list(fields["hands"])
        hands[other] = (known | sum(1 << card for card in mine), 0)
        for stock in deals(left):
            world = fields.copy()
            world["hands"], world["viewer"] = hands, -1
            world["stock"], world["stock_count"] = stock, len(stock)
            yield FishingPosition(view.rules.table, world)


def deals(cards: list[int]) -> Iterator[list[int]]:
    """The stock in every order that makes a different deal of it to two seats."""
    if not cards:
        yield []
    for first in combinations(cards, len(cards) // 2) if cards else ():
        second = [card for card in cards if card not in first]
        # One card to each seat in turn.
        yield [card for pair in zip(first, second, strict=True) for card in pair]


def exact_values(view: State) -> dict[int, float]:
    """By the action's code, what its points are in the mean over all worlds."""
    side = view.rules.side(view.viewer or 0)
    quick = game_of(view.rules).quick(view.rules, evaluation_of("", view.rules).value, False)
    totals = dict.fromkeys((action.code for action in view.legal_actions()), 0.0)
    n = 0
    for world in worlds(view):
        n += 1
        if view.round == len(view.rules.rounds):
            solved = solve(world, view.rules.target)
            assert solved is not None
            for code, value, _ in solved:
                totals[code] += value
            continue
        for code in totals:
            totals[code] += sum(items_of(quick, play_out(quick, world.after(code), 1)[-1], side))
    return {code: total / n for code, total in totals.items()}


def looked_at(found: Rollout, exact: dict[int, float], random: Random) -> Iterator[Held]:
    """How far off a rollout's numbers are."""
    one = random.choice(found.actions)
    round_ = found.view.round
    yield held("points", round_, one.points, exact[one.action.code], one.error)
    second = found.actions[1]
    difference = exact[found.best.action.code] - exact[second.action.code]
    yield held("loss", round_, second.loss, difference, second.loss_error)


def held(what: str, round_: int, number: float, exact: float, error: float) -> Held:
    off = number - exact
    return Held(what, round_, off / error if error else 0.0 if abs(off) < 1e-9 else 99.0)


def run(count: int, seed: int, trials: int, *, fixed: bool) -> list[Held]:
    """So many decisions; ``fixed``: of so many trials each, none given up."""
    random = Random(seed)
    out: list[Held] = []
    for number, view in zip(range(count), decisions(seed), strict=False):
        found = rollout(view, trials=trials, until=1e6 if fixed else 2.33, seed=seed + number,
                        minimum=min(trials, MINIMUM), inference=False)
        out += looked_at(found, exact_values(view), random)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--trials", type=int, default=MINIMUM)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop", action="store_true", help="with the usual stop rules")
    args = parser.parse_args()
    found = run(args.decisions, args.seed, args.trials, fixed=not args.stop)
    for what, round_ in sorted({(one.what, one.round) for one in found}):
        ours = [one for one in found if (one.what, one.round) == (what, round_)]
        share = sum(one.is_held for one in ours) / len(ours)
        spread = sqrt(sum(min(one.off, 10) ** 2 for one in ours) / len(ours))
        print(f"{what}, round {round_}: {100 * share:.1f} % of {len(ours)} intervals hold "
              f"the exact value; off by {spread:.2f} errors (root mean square)")


if __name__ == "__main__":
    main()
