"""Actions tried against each other in the same worlds, in batches that grow.

Each batch is as long as all before it, and begins its sums anew: by then the trees know more.
What falls behind the best by far more than chance explains is left out of the next, so that the
last batch, half of all iterations, is spent on those that are hard to tell apart (sequential
halving: Karnin, Koren, Somekh, ICML 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import NamedTuple

from cirulla_ai._core.blocks import Blocks, compared
from cirulla_ai._core.search import MAX_ITERATIONS, Search, now_ns
from cirulla_ai.engine.crew import Crew
from cirulla_ai.engine.decision import Decision

__all__ = ["Batch", "Compared", "Estimate", "compare"]

# An action is left out that is behind by more than so many standard errors of the difference,
# in a batch of so many worlds at least.
OUT_ERRORS = 4.0
OUT_WORLDS = 16
# The first batch is this power of a half of what there is to spend, so that what is left out soon
# is known well enough; where the error ends it, which may be soon, a smaller one.
HALVINGS, MOST_HALVINGS = 4, 20
# Nanoseconds that a batch takes at least, where time is what ends it.
LEAST_NS = 1_000_000
# With nothing to choose the answer is immediate.
FORCED_WORLDS = 32
# With no other limit than the error it ends here at last.
MOST_UNTIL = 1 << 24
# How often a batch is looked at where the error ends it.
LOOKS = 8
POINTS, MATCH = 0, 1


class Estimate(NamedTuple):
    """A mean, and its standard error."""

    mean: float
    error: float


NOTHING = Estimate(0.0, 0.0)


@dataclass(frozen=True)
class Compared:
    """What was found of an action, by its code.

    ``points`` and the chance to win the ``match``; ``loss`` and ``match_loss``: what it has less
    of them than the best.
    """

    code: int
    points: Estimate
    match: Estimate
    loss: Estimate
    match_loss: Estimate
    visits: int
    line: tuple[int, ...]


class Batch:
    """The actions tried in one batch, by their place at the root, and the sums.

    ``objective``: what the best has most of, ``POINTS`` or ``MATCH``; ``before``: the batch
    before it.
    """

    def __init__(
        self, places: Sequence[int], trees: int, objective: int, before: Batch | None
    ) -> None:
        self.places = list(places)
        self.blocks = [Blocks(2 * len(self.places)) for _ in range(trees)]
        self.before = before
        self._objective = objective

    @property
    def worlds(self) -> int:
        """How many worlds they were tried in."""
        return sum(blocks.trials for blocks in self.blocks)

    def value(self, place: int, what: int) -> Estimate:
        """Points, or the chance to win the match."""
        return Estimate(*compared(self.blocks, 2 * self.places.index(place) + what))

    def ahead(self, place: int, other: int, what: int) -> Estimate:
        """By how much an action is ahead of another.

        How far the last doubling has moved that, beyond what chance does, is part of the error:
        so much at least may the next one move it.
        """
        mean, error = self._ahead(place, other, what)
        if self.before:
            moved = mean - self.before._ahead(place, other, what).mean
            # Of half as many trials, what was before has twice the variance.
            error = sqrt(error ** 2 + max(0.0, moved ** 2 - 3 * error ** 2))
        return Estimate(mean, error)

    def _ahead(self, place: int, other: int, what: int) -> Estimate:
        if place == other:
            return NOTHING
        return Estimate(*compared(self.blocks, 2 * self.places.index(place) + what,
                                  2 * self.places.index(other) + what))

    def ranked(self) -> list[int]:
        """The places, the best first."""
        means = {place: self.value(place, self._objective).mean for place in self.places}
        return sorted(self.places, key=lambda place: -means[place])

    def living(self) -> list[int]:
        """Those that are to be tried further: at least the best two."""
        if self.worlds < OUT_WORLDS:
            return self.places
        best, *others = self.ranked()
        out = set()
        for place in others[1:]:
            ahead, error = self.ahead(best, place, self._objective)
            if ahead > OUT_ERRORS * error:
                out.add(place)
        return [place for place in self.places if place not in out]

    def is_known(self, until: float) -> bool:
        """Whether what the second best loses is known to so many points."""
        best, *others = self.ranked()
        return not others or (
            self.worlds >= OUT_WORLDS and self.ahead(best, others[0], POINTS).error <= until)


def compare(
    decision: Decision, searches: list[Search], *, deadline: int, until: float | None
) -> list[Compared]:
    """Compare a decision's actions by its trees; the best first.

    Until the decision's limit of nodes, ``deadline`` (nanoseconds of the monotonic clock), or
    where the loss of the second best is known to ``until`` points.
    """
    objective = MATCH if decision.options["Objective"] == "match" else POINTS
    nodes = decision.limit.nodes
    if nodes is None:
        nodes = MAX_ITERATIONS if until is None else MOST_UNTIL
    nodes = min(nodes, MAX_ITERATIONS)
    places = list(range(len(decision.actions)))
    if len(places) == 1:
        nodes = min(nodes, FORCED_WORLDS)
    batch: Batch | None = None
    began, done = now_ns(), 0
    with Crew(len(searches)) as crew:
        del searches[len(crew):]
        for halvings in range(HALVINGS if until is None else MOST_HALVINGS, -1, -1):
            goal = nodes >> halvings
            time = (deadline - began) >> halvings
            # The first batch has enough worlds to tell anything.
            if halvings and not batch and (
                    goal < OUT_WORLDS * len(places) * len(searches) or time < LEAST_NS):
                continue
            batch = Batch(places, len(searches), objective, batch)
            done += _fill(batch, crew, searches, goal - done, began + time, until)
            if decision.stop.is_set() or now_ns() >= deadline or (
                    until is not None and batch.is_known(until)):
                break
            places = batch.living()
    assert batch is not None, "the last goes without saying"
    # One that was cut short says less than the one before.
    if batch.before and 2 * batch.worlds < batch.before.worlds:
        batch = batch.before
    found = _found(batch, searches)
    # What was left out may be known by now to lose less than another one does.
    return sorted(found, key=lambda one: (
        one.loss if objective == POINTS else one.match_loss).mean)


def _fill(
    batch: Batch, crew: Crew, searches: list[Search], iterations: int, deadline: int,
    until: float | None,
) -> int:
    """Try the actions of a batch; returns the iterations that it took."""
    looks = 1 if until is None else LOOKS
    worlds = max(2, iterations // (len(batch.places) * len(searches) * looks))

    def work(tree: int) -> int:
        return searches[tree].compare(batch.places, batch.blocks[tree], worlds, deadline)

    made = 0
    for _ in range(looks):
        made += sum(crew.map(work, range(len(searches))))
        if now_ns() >= deadline or (until is not None and batch.is_known(until)):
            break
    return made * len(batch.places)


def _found(last: Batch, searches: list[Search]) -> list[Compared]:
    """What the batches tell of each action, the best of the last one first.

    Of an action that was left out: what it lost to the best of its last batch, and what that one
    loses by now.
    """
    trees = [search.results() for search in searches]
    found: dict[int, Compared] = {}
    batch: Batch | None = last
    while batch:
        best, *others = batch.ranked()
        for place in (best, *others):
            if place in found:
                continue
            loss, match_loss = (batch.ahead(best, place, what) for what in (POINTS, MATCH))
            base = found.get(best)
            if base is None:
                points, match = (batch.value(place, what) for what in (POINTS, MATCH))
            else:
                points, match = _less(base.points, loss), _less(base.match, match_loss)
                loss, match_loss = _more(base.loss, loss), _more(base.match_loss, match_loss)
            code = trees[0][place][0]
            # Each tree has a line; the longest shows the most.
            line = max((search.line(code) for search in searches), key=len)
            visits = sum(tree[place][1] for tree in trees)
            found[place] = Compared(code, points, match, loss, match_loss, visits, tuple(line))
        batch = batch.before
    return list(found.values())


def _less(one: Estimate, other: Estimate) -> Estimate:
    return Estimate(one.mean - other.mean, hypot(one.error, other.error))


def _more(one: Estimate, other: Estimate) -> Estimate:
    return Estimate(one.mean + other.mean, hypot(one.error, other.error))
