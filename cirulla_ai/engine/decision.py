"""One decision: solved or searched, and reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from secrets import randbits
from typing import NamedTuple

from cirulla_ai._core.contract import InformationSet, Rollout
from cirulla_ai._core.search import MAX_ITERATIONS, Search, now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.engine.budget import FOREVER_NS, Budget
from cirulla_ai.engine.crew import Crew
from cirulla_ai.engine.evaluation import Evaluation
from cirulla_ai.engine.levels import FULL, LEVEL_ITERATIONS, blurs, level_of
from cirulla_ai.engine.limit import Limit
from cirulla_ai.engine.options import Options
from cirulla_ai.games.contract import Solved
from cirulla_ai.games.registry import game_of
from cirulla_ai.info import Info, Score, Wdl
from cirulla_ai.state import State

__all__ = ["Decision"]

# Reports come at 2**10, 2**11, … iterations, and at least one a second.  Where a seed has to
# reproduce the whole output the clock has no say: there at least every 2**14 iterations.
REPORT_FIRST = 1 << 10
REPORT_EVERY = 1 << 14
REPORT_NS = 900_000_000
# Nothing is said while the rest is being solved: what takes longer is searched.
SOLVING_NS = 800_000_000
# The smallest tree to think with, in bytes, where there is no memory for that of ``Hash``.
SMALLEST_TREE = 1 << 14
# How long at most from one pulse to the next.
PULSE_NS = 20_000_000
# With nothing to choose the answer is immediate.
FORCED_ITERATIONS = 32


@dataclass(frozen=True)
class Decision:
    """All that one decision depends on."""

    core: InformationSet
    view: State
    actions: list[Action]
    limit: Limit
    options: Options
    evaluation: Evaluation
    remark: str
    stop: Stop
    started: int
    pulse: Callable[[], None] | None

    def infos(self) -> Iterator[Info]:
        """Solve, or search with as many trees as threads, and report."""
        budget = Budget.of(
            self.limit.movetime, self.limit.time, self.limit.inc, self.view.plays_left,
            self.options.number("Move Overhead"))
        # What is solved hears no pulse.
        patience = PULSE_NS if self.pulse else SOLVING_NS
        proved = self._proved(self.started + min(budget.hard // 2, patience))
        if proved is not None:
            yield proved
            return
        owner = os.getpid()
        for info in self._search(budget):
            yield info
            if os.getpid() != owner and self.options.number("Threads") > 1:
                raise RuntimeError("the search belongs to the process that this one was forked "
                                   "from, with its threads; start another here")

    def solved(self, deadline: int) -> list[Solved] | None:
        """The actions' exact values, the best first, where the rest can be solved in time."""
        exact = game_of(self.view.rules).exact
        # What is solved for is points.
        if exact is None or not self.options["Exact"] or self.options["Objective"] == "match":
            return None
        return exact(self.core, [action.code for action in self.actions], deadline, self.stop)

    def _proved(self, deadline: int) -> Info | None:
        """The report where the rest can be solved in time."""
        solved = self.solved(deadline) if level_of(self.options) == FULL else None
        if solved is None:
            return None
        multipv = min(self.options.number("MultiPV"), len(solved))
        info = partial(
            Info, depth=max(len(one.line) for one in solved), nodes=len(solved),
            milliseconds=(now_ns() - self.started) // 1_000_000, nps=0, hashfull=0,
            actions_played=len(solved))
        return ranked([self._proved_line(one) for one in solved[:multipv]], self.remark, info)

    def worth(self, solved: Solved) -> tuple[float, float, bool]:
        """What a proved action comes to: points (see ``Score``), the chance to win the match
        alone, and whether it is shared."""
        end = self.core.truth()
        assert end is not None, "what is proved is known"
        for code in solved.line:
            end = end.after(code)
        state = State(self.view.rules, end)
        side = self.view.rules.side(self.view.viewer or 0)
        scores = [before + points.total
                  for before, points in zip(state.scores, state.points(), strict=True)]
        won = -1 if state.won is None else state.won
        chances, winners = self.evaluation.equity.chances(
            scores, self.view.rules.side(state.dealer), won)
        is_shared = winners and winners & 1 << side and winners != 1 << side
        points = float(solved.points)
        if won >= 0:
            points = self.view.rules.target * (1 if won == side else -1)
        return points, 0.0 if is_shared else chances[side], bool(is_shared)

    def _proved_line(self, solved: Solved) -> Line:
        points, chance, is_shared = self.worth(solved)
        win = round(1000 * chance)
        draw = 1000 if is_shared else 0
        return Line(1, Score(round(100 * points), exact=True), Wdl(win, draw, 1000 - win - draw),
                    tuple(map(Action.from_code, solved.line)))

    def _search(self, budget: Budget) -> Iterator[Info]:
        options = self.options
        seed = options.number("Seed")
        first_seed = seed or randbits(63)
        searches, remark = self.trees(first_seed)
        blur = blurs(level_of(options), [action.code for action in self.actions], first_seed)
        multipv = min(options.number("MultiPV"), len(self.actions))
        most = _most_iterations(options, self.limit, self.actions)
        is_repeatable = (
            seed > 0 and options.number("Threads") == 1 and self.limit.nodes is not None)
        patience = FOREVER_NS if is_repeatable else REPORT_NS
        step = REPORT_EVERY if is_repeatable else MAX_ITERATIONS
        next_report = REPORT_FIRST
        # The smallest search that has an answer: every line that is asked for, once, also where
        # the stop has come already.
        done = searches[0].run(multipv, least=multipv)
        last = self.started
        with Crew(len(searches)) as crew:
            if len(crew) < len(searches):
                remark = _joined(remark, f"no thread for more than {len(crew)} of "
                                 f"{len(searches)} trees: the others are left out")
                del searches[len(crew):]
            while True:
                if self.pulse:
                    self.pulse()
                now = now_ns()
                elapsed = now - self.started
                is_over = done >= most or self.stop.is_set() or budget.is_spent(
                    elapsed, _visits(searches))
                if is_over or done >= next_report or now - last >= patience:
                    while next_report <= done:
                        next_report = min(2 * next_report, next_report + step)
                    last = now
                    yield report(searches, multipv, elapsed, remark, blur)
                if is_over:
                    return
                share = max(1, (min(next_report, most) - done) // len(searches))
                deadline = min(self.started + budget.next_look(elapsed), last + patience)
                if self.pulse:
                    deadline = min(deadline, now + PULSE_NS)
                run = partial(Search.run, iterations=share, deadline=deadline)
                done += sum(crew.map(run, searches))

    def trees(self, first_seed: int) -> tuple[list[Search], str]:
        """The trees to search, as many as asked for or as there is memory for, and the remark."""
        options = self.options
        game = game_of(self.view.rules)
        value = self.evaluation.value if options["Evaluation"] else None
        core, remark = self.core, self.remark
        if options["Inference"] and not options["Cheat"]:
            try:
                core = game.posterior(core, self.evaluation.value)
            except MemoryError as error:
                remark = _joined(remark, f"{error or 'no memory'}: hidden cards are drawn all "
                                 "alike")
        rollout = game.rollout(self.view.rules, value, bool(options["Exact"]))
        threads = options.number("Threads")
        whole = size = (options.number("Hash") << 20) // threads
        exploration = options.number("Exploration") or (
            game.far_exploration if value is None else game.exploration)
        searches: list[Search] = []
        while len(searches) < threads:
            try:
                searches.append(self._tree(
                    core, rollout, exploration, first_seed + (len(searches) << 32), size))
            except MemoryError:
                if searches:
                    remark = _joined(remark, f"no memory for more than {len(searches)} of "
                                     f"{threads} trees: the others are left out")
                    break
                size //= 2
                if size < SMALLEST_TREE:
                    raise
        if size < whole:
            remark = _joined(remark, f"no memory for a tree of {whole >> 10} KiB: it has "
                             f"{size >> 10} KiB")
        return searches, remark

    def _tree(
        self, core: InformationSet, rollout: Rollout | None, exploration: int, seed: int, size: int
    ) -> Search:
        options = self.options
        return Search(
            core, [action.code for action in self.actions], seed=seed, hash_bytes=size,
            exploration=exploration / 100, for_match=options["Objective"] == "match",
            equity=self.evaluation.equity, stop=self.stop, flat=options["Search"] == "flat",
            rollout=rollout)


def _joined(*remarks: str) -> str:
    """All that there is to say, as one remark."""
    return "; ".join(filter(None, remarks))


def _totals(searches: list[Search]) -> dict[int, list[float]]:
    """The numbers of ``Search.results`` by action, added up over the trees."""
    totals: dict[int, list[float]] = {}
    for search in searches:
        for code, *numbers in search.results():
            have = totals.setdefault(code, [0, 0.0, 0.0, 0.0, 0.0])
            for i, number in enumerate(numbers):
                have[i] += number
    return totals


def _visits(searches: list[Search]) -> list[float]:
    """How often each action was tried, most first."""
    return sorted((visits for visits, *_ in _totals(searches).values()), reverse=True)


def _most_iterations(options: Options, limit: Limit, actions: list[Action]) -> int:
    most = MAX_ITERATIONS if limit.nodes is None else min(limit.nodes, MAX_ITERATIONS)
    if level_of(options) < FULL:
        most = min(most, LEVEL_ITERATIONS)
    if len(actions) == 1:
        most = min(most, FORCED_ITERATIONS)
    return most


def report(
    searches: list[Search], multipv: int, elapsed: int, remark: str, blur: dict[int, float]
) -> Info:
    """Add up the trees' statistics and rank the actions.

    ``blur``: what a weak level adds to each action's value, in points.
    """
    tried = [(code, n) for code, n in _totals(searches).items() if n[0]]
    # The most tried action is the best, but for a level that misjudges.
    tried.sort(key=lambda item: (
        -item[1][1] / item[1][0] - blur[item[0]] if blur else -item[1][0],
        -item[1][1] / item[1][0], str(Action.from_code(item[0]))))
    nodes = sum(search.iterations for search in searches)
    info = partial(
        Info,
        depth=max(search.depth for search in searches),
        nodes=nodes,
        milliseconds=elapsed // 1_000_000,
        nps=nodes * 1_000_000_000 // max(elapsed, 1),
        hashfull=max(search.hashfull for search in searches),
        actions_played=sum(search.actions_played for search in searches),
    )
    return ranked([_line(searches, code, numbers) for code, numbers in tried[:multipv]], remark,
                  info)


class Line(NamedTuple):
    """What is said of one action alone, as Info has it."""

    visits: int
    score: Score
    wdl: Wdl
    pv: tuple[Action, ...]


def ranked(lines: Sequence[Line], remark: str, info: Callable[..., Info]) -> Info:
    """The report of some actions, the best first: ``info`` knows what is said of all of them,
    ``remark`` is what there is to say in words."""
    others = tuple(info(multipv=rank, **line._asdict())
                   for rank, line in enumerate(lines[1:], 2))
    return info(multipv=1, string=remark or None, others=others, **lines[0]._asdict())


def _line(searches: list[Search], code: int, numbers: list[float]) -> Line:
    visits, points, squares, wins, shared = numbers
    mean = points / visits
    error = None
    if visits > 1:
        variance = max(0.0, squares - points * mean) / (visits - 1)
        error = round(100 * sqrt(variance / visits))
    win = min(1000, max(0, round(1000 * wins / visits)))
    draw = min(1000 - win, round(1000 * shared / visits))
    # Each tree has a line; the longest shows the most.
    pv = max((search.line(code) for search in searches), key=len)
    return Line(int(visits), Score(round(100 * mean), error=error),
                Wdl(win, draw, 1000 - win - draw), tuple(map(Action.from_code, pv)))
