"""Actions tried against each other in the same worlds, in batches that grow.

Each batch is as long as all before it, and begins its sums anew: by then the trees know more.
What falls behind the best by far more than chance explains is left out of the next, so that the
last batch, half of all iterations, is spent on those that are hard to tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf

from cirulla_ai._core.blocks import Blocks, compared
from cirulla_ai._core.search import MAX_ITERATIONS, Search, now_ns
from cirulla_ai.engine.crew import Crew
from cirulla_ai.engine.decision import Decision

__all__ = ["Compared", "compare"]

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


@dataclass(frozen=True)
class Compared:
    """What was found of an action, by its code: as ``Candidate`` has it."""

    code: int
    points: float
    error: float
    loss: float
    loss_error: float
    match: float
    visits: int
    line: tuple[int, ...]


class Batch:
    """The actions tried in one batch, by their place at the root, and the sums."""

    def __init__(self, places: Sequence[int], trees: int, objective: int) -> None:
        self.places = list(places)
        self.blocks = [Blocks(2 * len(self.places)) for _ in range(trees)]
        self._objective = objective

    @property
    def worlds(self) -> int:
        """How many worlds they were tried in."""
        return sum(blocks.trials for blocks in self.blocks)

    def mean(self, place: int, what: int) -> tuple[float, float]:
        """Points, or the chance to win the match, and the standard error."""
        return compared(self.blocks, 2 * self.places.index(place) + what)

    def ahead(self, place: int, other: int, what: int) -> tuple[float, float]:
        """By how much an action is ahead of another, and the standard error."""
        if place == other:
            return 0.0, 0.0
        return compared(self.blocks, 2 * self.places.index(place) + what,
                        2 * self.places.index(other) + what)

    def ranked(self) -> list[int]:
        """The places, the best first."""
        means = {place: self.mean(place, self._objective)[0] for place in self.places}
        return sorted(self.places, key=lambda place: -means[place])

    def living(self) -> list[int]:
        """Those that are to be tried further: at least the best two."""
        best, *others = self.ranked()
        if self.worlds < OUT_WORLDS:
            return self.places
        kept = {best, *others[:1]}
        for place in others[1:]:
            ahead, error = self.ahead(best, place, self._objective)
            if ahead <= OUT_ERRORS * error:
                kept.add(place)
        return [place for place in self.places if place in kept]


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
    batches: list[Batch] = []
    began, done = now_ns(), 0
    with Crew(len(searches)) as crew:
        del searches[len(crew):]
        for halvings in range(HALVINGS if until is None else MOST_HALVINGS, -1, -1):
            goal = nodes >> halvings
            time = (deadline - began) >> halvings
            # The first batch has enough worlds to tell anything.
            if halvings and not batches and (
                    goal < OUT_WORLDS * len(places) * len(searches) or time < LEAST_NS):
                continue
            batch = Batch(places, len(searches), objective)
            batches.append(batch)
            done += _run(batch, crew, searches, goal - done, began + time, until)
            if decision.stop.is_set() or now_ns() >= deadline or _is_known(batch, until):
                break
            places = batch.living()
    return _found(batches, searches)


def _run(
    batch: Batch, crew: Crew, searches: list[Search], iterations: int, deadline: int,
    until: float | None,
) -> int:
    """Fill a batch; returns the iterations that it took."""
    n = len(batch.places)
    worlds = max(2, iterations // (n * len(searches)))
    looks = 1 if until is None else LOOKS

    def work(place: int) -> int:
        return searches[place].compare(
            batch.places, batch.blocks[place], max(2, worlds // looks), deadline)

    done = 0
    for _ in range(looks):
        made = sum(crew.map(work, range(len(searches))))
        done += made
        if _is_known(batch, until) or now_ns() >= deadline:
            break
    return done * n


def _is_known(batch: Batch, until: float | None) -> bool:
    """Whether what the second best loses is known well enough."""
    if until is None or batch.worlds < OUT_WORLDS:
        return False
    best, *others = batch.ranked()
    return not others or batch.ahead(best, others[0], POINTS)[1] <= until


def _found(batches: list[Batch], searches: list[Search]) -> list[Compared]:
    """What the batches tell of each action, the best first.

    Of an action that was left out it is what it lost to the best of its last batch, and what
    that one loses by now.
    """
    # One that was cut short says less than the one before.
    if len(batches) > 1 and 2 * batches[-1].worlds < batches[-2].worlds:
        del batches[-1]
    results = searches[0].results()
    visits = [sum(rows) for rows in zip(
        *([row[1] for row in search.results()] for search in searches), strict=True)]
    found: dict[int, Compared] = {}
    for batch in reversed(batches):
        ranked = batch.ranked()
        best = ranked[0]
        for place in ranked:
            if place in found:
                continue
            loss, loss_error = batch.ahead(best, place, POINTS)
            match = batch.ahead(best, place, MATCH)[0]
            if found and best in found:
                base = found[best]
                points, error = base.points - loss, hypot(base.error, loss_error)
                chance = min(1.0, max(0.0, base.match - match))
                loss, loss_error = base.loss + loss, hypot(base.loss_error, loss_error)
            else:
                (points, error), (chance, _) = batch.mean(place, POINTS), batch.mean(place, MATCH)
            code = results[place][0]
            line = max((search.line(code) for search in searches), key=len)
            found[place] = Compared(
                code, points, _finite(error), max(0.0, loss), _finite(loss_error), chance,
                visits[place], tuple(line))
    return list(found.values())


def _finite(error: float) -> float:
    """An error that nothing tells, of one world, as none."""
    return 0.0 if error == inf else error
