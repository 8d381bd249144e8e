"""The engine: decides what to play from what a seat knows.

No input or output here; the line protocol is in ``cirulla_ai.protocol``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import floor, inf, sqrt
from numbers import Integral, Real
from secrets import randbits
from typing import Any

from cirulla_ai._core.contract import CheatInformationSet, InformationSet, Rollout
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.search import MAX_ITERATIONS, Search, can_allocate, now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action, several
from cirulla_ai.budget import FOREVER_NS, Budget
from cirulla_ai.crew import Crew
from cirulla_ai.evaluation import Evaluation, EvaluationError, evaluation_of, load_evaluation
from cirulla_ai.exact import Solved
from cirulla_ai.games import game_of
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.levels import FULL, LEVEL_ITERATIONS, blurs, level_of
from cirulla_ai.numbers import given, real, whole
from cirulla_ai.options import OptionError, Options, Value, value_text
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Engine", "Info", "Limit", "Line"]

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
# Beyond any use, inside what the protocol carries.
MOST_NODES = 2**63 - 1
OVER = "the smazzata is over: there is nothing to decide"


@dataclass(frozen=True)
class Limit:
    """When to stop: whichever comes first.  Times are in milliseconds.

    ``movetime`` for this decision; ``nodes`` search iterations; ``time`` and ``inc``: the
    clock for the rest of the smazzata and what each action adds to it.  With none of them
    the search goes on until it is stopped.  Raises ValueError for a part of a node, and for
    what is no number.
    """

    movetime: float | None = None
    nodes: int | None = None
    time: float | None = None
    inc: float = 0

    def __post_init__(self) -> None:
        for name in ("movetime", "time", "inc"):
            if (value := getattr(self, name)) is not None or name == "inc":
                object.__setattr__(self, name, real(value, -inf, inf, name))
        if self.nodes is not None:
            nodes: object = self.nodes
            # 1e3 is a whole number too.
            if isinstance(nodes, Real) and not isinstance(nodes, Integral) and nodes % 1 == 0:
                nodes = floor(nodes)
            object.__setattr__(self, "nodes", whole(nodes, -MOST_NODES, MOST_NODES, "nodes"))

    @property
    def is_infinite(self) -> bool:
        """Whether only a stop ends it."""
        return self.movetime is None and self.nodes is None and self.time is None


@dataclass(frozen=True)
class Line:
    """What the search thinks of one action.

    ``centipoints``: 100 × the expected points over the whole smazzata of the side to move
    minus those of the other (the mean of the others'), the other way round where few points
    are good; ``error`` its standard error in the same unit, None from fewer than two visits;
    ``wdl`` the chances per mille to win, draw (share), lose the match; ``exact`` whether the
    value is proved, not sampled.
    """

    action: Action
    visits: int
    centipoints: int
    error: int | None
    wdl: tuple[int, int, int]
    pv: tuple[Action, ...]
    exact: bool = False


@dataclass(frozen=True)
class Info:
    """The state of a search: the best actions first.

    ``nodes`` are iterations, ``hashfull`` is per mille, ``milliseconds`` since the start;
    ``remark`` is what there is to say in words.
    """

    depth: int
    nodes: int
    milliseconds: int
    nps: int
    hashfull: int
    actions_played: int
    lines: tuple[Line, ...]
    remark: str = ""


class Engine:
    """An engine with its options; two engines share nothing.

    >>> engine = Engine()
    >>> engine.set("Seed", 1)
    >>> state = State.deal("cirulla", dealer=1, seed=7)
    >>> engine.play(state, Limit(nodes=500)) in state.legal_actions()
    True
    """

    def __init__(self, options: Options | None = None) -> None:
        if not isinstance(options, Options | None):
            raise TypeError(f"options {given(options)}: Options are needed; set changes one")
        self.options = options or Options()

    def set(self, name: str, value: Value | None = None) -> None:
        """Set an option; raises OptionError and keeps the old value."""
        changed = self.options.copy()
        changed.set(name, value_text(name, value))
        size = changed.number("Hash")
        if size > self.options.number("Hash") and not can_allocate(size << 20):
            raise OptionError(f"Hash: {size} MiB is more than the system gives; "
                              f"{self.options['Hash']} stays")
        if changed["EvalFile"] != self.options["EvalFile"]:
            try:
                load_evaluation(str(changed["EvalFile"]))
            except EvaluationError as error:
                raise OptionError(f"EvalFile: {error}") from None
        self.options = changed

    def play(self, state: State | Knowledge, limit: Limit) -> Action:
        """The action that the search chooses; raises ValueError as ``search`` does."""
        *_, last = self.search(state, limit)
        return last.lines[0].action

    def search(
        self,
        state: State | Knowledge,
        limit: Limit,
        *,
        actions: Iterable[Action | str] | None = None,
        stop: Stop | None = None,
        started: int | None = None,
        pulse: Callable[[], None] | None = None,
    ) -> Iterator[Info]:
        """Search, giving the state of things now and then; the last is the final one.

        Of a whole truth only what the seat to move knows is used (but for the option
        ``Cheat``).  ``actions`` restricts the choice; ``stop`` ends the search from another
        thread; times count from ``started`` (now), in nanoseconds of the monotonic clock;
        ``pulse`` is called many times a second while it goes on, for a caller without
        another thread.  Raises ValueError where there is nothing to decide, the seat to move
        is not the viewer, or an action is not legal; TypeError for arguments of other kinds;
        RuntimeError in a process forked meanwhile, if it has threads.
        """
        if started is None:
            started = now_ns()
        if not isinstance(state, (State, Knowledge)):
            raise TypeError(f"{given(state)} can't be searched; a State or a Knowledge can")
        check_limit(limit)
        if isinstance(state, State) and state.is_over:
            raise ValueError(OVER)
        knowledge = state if isinstance(state, Knowledge) else Knowledge(state)
        view = knowledge.state
        check_decidable(view)
        legal = view.legal_actions()
        chosen = legal if actions is None else legal_among(legal, actions)
        if not chosen:
            raise ValueError("no legal action to choose from; legal are "
                             f"{' '.join(map(str, legal))}")
        # A copy: what is seen from now on is not of this search.
        core: InformationSet = knowledge.core.copy()
        if self.options["Cheat"]:
            if not isinstance(state, State) or state.viewer is not None:
                raise ValueError("Cheat needs the whole truth, not a view")
            core = CheatInformationSet(state.position, knowledge.seat)
        # A copy, so that options set from now on are those of the next search.
        evaluation, remark = self.prepare_for(view)
        return _Decision(core, view, chosen, limit, self.options.copy(), evaluation, remark,
                         stop or Stop(), started, pulse).infos()

    def prepare_for(self, state: State) -> tuple[Evaluation, str]:
        """What is known of the rules of a state, ready for decisions in its round, and what
        there is to say of it.

        A search does this by itself; done before, it costs none of its time.
        """
        rules = state.rules
        try:
            evaluation, remark = self.prepare(rules)
            # Lines end with this round.
            evaluation.equity.prepare(len(rules.rounds) - state.round)
        except MemoryError as error:
            rough = Equity(rules.sides, rules.target, rules.family.fewest, *rules.pace)
            return Evaluation(None, rough), (
                f"{error or 'no memory for what was learnt'}: lines are played out at random")
        return evaluation, remark

    def prepare(self, rules: Rules) -> tuple[Evaluation, str]:
        """What is known of these rules, and what there is to say of it."""
        evaluation = evaluation_of(str(self.options["EvalFile"]), rules)
        remark = ""
        if evaluation.value is None and self.options["Evaluation"] and game_of(rules).has_value:
            remark = f"no learned value for {rules}: lines are played out at random"
        return evaluation, remark


@dataclass(frozen=True)
class _Decision:
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

    def _proved(self, deadline: int) -> Info | None:
        """The report where the rest can be solved in time."""
        exact = game_of(self.view.rules).exact
        if exact is None or not self.options["Exact"] or level_of(self.options) < FULL:
            return None
        # What is solved for is points.
        if self.options["Objective"] == "match":
            return None
        codes = [action.code for action in self.actions]
        solved = exact(self.core, codes, deadline, self.stop)
        if solved is None:
            return None
        multipv = min(self.options.number("MultiPV"), len(solved))
        return Info(
            depth=max(len(one.line) for one in solved), nodes=len(solved),
            milliseconds=(now_ns() - self.started) // 1_000_000, nps=0, hashfull=0,
            actions_played=len(solved),
            lines=tuple(self._proved_line(one) for one in solved[:multipv]), remark=self.remark)

    def _proved_line(self, solved: Solved) -> Line:
        end: Any = self.core.truth()
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
        win = 0 if is_shared else round(1000 * chances[side])
        draw = 1000 if is_shared else 0
        return Line(
            action=Action.from_code(solved.code), visits=1, centipoints=round(100 * points),
            error=None, wdl=(win, draw, 1000 - win - draw),
            pv=tuple(map(Action.from_code, solved.line)), exact=True)

    def _search(self, budget: Budget) -> Iterator[Info]:
        options = self.options
        seed = options.number("Seed")
        first_seed = seed or randbits(63)
        searches, remark = self._trees(first_seed)
        blur = blurs(level_of(options), [action.code for action in self.actions], first_seed)
        multipv = min(options.number("MultiPV"), len(self.actions))
        most = _most_iterations(options, self.limit, self.actions)
        is_repeatable = (
            seed > 0 and options.number("Threads") == 1 and self.limit.nodes is not None)
        patience = FOREVER_NS if is_repeatable else REPORT_NS
        step = REPORT_EVERY if is_repeatable else MAX_ITERATIONS
        next_report = REPORT_FIRST
        # The smallest search that has an answer: every line that is asked for, once.
        done = 0
        while done < multipv and (made := searches[0].run(1)):
            done += made
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

    def _trees(self, first_seed: int) -> tuple[list[Search], str]:
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


def check_limit(limit: Limit) -> None:
    """Raise TypeError for what is no Limit."""
    if not isinstance(limit, Limit):
        raise TypeError(f"limit {given(limit)}: a Limit is needed, as Limit(movetime=100)")


def legal_among(legal: Sequence[Action], actions: Iterable[Action | str]) -> list[Action]:
    """Those actions, written or not; raises ValueError for one that is not legal."""
    chosen = list(map(Action, several("actions", actions)))
    for action in chosen:
        if action not in legal:
            raise ValueError(f"{action} is not legal here; legal are "
                             f"{' '.join(map(str, legal))}")
    return chosen


def check_decidable(view: State) -> None:
    """Raise ValueError where a seat's view is no decision of that seat."""
    if view.is_over:
        raise ValueError(OVER)
    if view.phase == "deal":
        raise ValueError(f"cards must be dealt first: @ and the new hand of seat {view.viewer}")
    if view.viewer != view.turn:
        raise ValueError(f"seat {view.turn} is to move, not seat {view.viewer}, whose view this is")


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
    return Info(
        depth=max(search.depth for search in searches),
        nodes=nodes,
        milliseconds=elapsed // 1_000_000,
        nps=nodes * 1_000_000_000 // max(elapsed, 1),
        hashfull=max(search.hashfull for search in searches),
        actions_played=sum(search.actions_played for search in searches),
        lines=tuple(_line(searches, code, numbers) for code, numbers in tried[:multipv]),
        remark=remark,
    )


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
    return Line(
        action=Action.from_code(code), visits=int(visits), centipoints=round(100 * mean),
        error=error, wdl=(win, draw, 1000 - win - draw), pv=tuple(map(Action.from_code, pv)),
    )
