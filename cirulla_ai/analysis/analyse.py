"""What each play of a position is worth, and what it loses to the best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from cirulla_ai._core.search import now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.analysis.comparison import Compared, compare
from cirulla_ai.analysis.dialect import (
    evaluation_hash,
    header,
    limit_words,
    rounded,
    rules_text,
)
from cirulla_ai.analysis.hands import Hands, chances
from cirulla_ai.analysis.reasons import Reasons
from cirulla_ai.basics.numbers import MAX_SEED, given, real, whole
from cirulla_ai.engine.decision import Decision
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit, check_limit
from cirulla_ai.engine.options import OPTIONS
from cirulla_ai.history import History
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.state import State

__all__ = ["CLOSE_ERRORS", "Analysis", "Candidate", "analyse"]

# A difference within so many of its standard errors decides nothing.
CLOSE_ERRORS = 2.33
# Milliseconds of an analysis: thirty years.
MOST_MILLISECONDS = 1e12
# No deadline for what can be proved: with the same limit it is proved again.
NEVER = (1 << 63) - 1
# In place of an error that nothing tells.
MOST_ERROR = 1e6


@dataclass(frozen=True)
class Candidate:
    """What one action is worth.

    ``points``: the points by which the side to move expects to be ahead of the mean of the
    others at the end of the smazzata, and ``error`` its standard error; ``loss``: what it has
    less than the best, in points, and ``loss_error`` the standard error of that difference, both
    tried in the same worlds; ``match``: the chance to win the match, a shared one by half;
    ``visits``: how often it was tried; ``exact``: proved, not sampled; ``pv``: what is likely to
    be played, beginning with it; ``match_loss`` and ``match_error`` are to ``match`` what
    ``loss`` and ``loss_error`` are to ``points``.

    Errors are those of sampling, and of how far the search's last doubling has moved the
    difference; what it would see only much later is in none.
    """

    action: Action
    points: float
    error: float
    loss: float
    loss_error: float
    match: float
    visits: int
    exact: bool
    pv: tuple[Action, ...]
    match_loss: float
    match_error: float

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect."""
        return {
            "action": str(self.action), "points": rounded(self.points),
            "error": rounded(self.error), "loss": rounded(self.loss),
            "loss_error": rounded(self.loss_error), "match": rounded(self.match),
            "visits": self.visits, "exact": self.exact, "pv": list(map(str, self.pv))}


@dataclass(frozen=True)
class Analysis:
    """The candidates of a decision, the best first, by what its seat knows.

    ``view`` is the seat's view; ``hands`` has for each other seat, by card, the chance that the
    unseen card is in its hand; ``close``: the best two are too close to call; ``remark``: what
    there is to say in words, mostly nothing; ``why``: what makes a play worse than the best, where
    that was asked.  ``seconds`` do not count where analyses are
    compared.
    """

    view: State
    seat: int
    iterations: int
    actions: tuple[Candidate, ...]
    close: bool
    hands: Hands
    seed: int
    limit: Mapping[str, object]
    evaluation: str | None
    remark: str = ""
    seconds: float = field(default=0.0, compare=False)
    why: Reasons | None = None

    @property
    def best(self) -> Candidate:
        """The best action."""
        return self.actions[0]

    def of(self, action: Action | str) -> Candidate:
        """What is said of an action; raises ValueError where it was not analysed."""
        wanted = Action(action)
        for candidate in self.actions:
            if candidate.action == wanted:
                return candidate
        raise ValueError(f"{wanted} was not analysed; there are "
                         f"{' '.join(str(candidate.action) for candidate in self.actions)}")

    def as_dict(self, top: int | None = None) -> dict[str, Any]:
        """It in the JSON dialect: kind ``analysis``, with at most ``top`` actions."""
        words = {
            **header("analysis", evaluation=self.evaluation, seed=self.seed, limit=self.limit,
                     perspective=True),
            "rules": rules_text(self.view.rules), "state": str(self.view), "seat": self.seat,
            "round": self.view.round, "iterations": self.iterations,
            "seconds": rounded(self.seconds),
            "actions": [candidate.as_dict() for candidate in self.actions[:top]],
            "close": self.close,
            "hands": {str(seat): dict(cards) for seat, cards in self.hands.items()}}
        if self.remark:
            words["remark"] = self.remark
        if self.why is not None:
            words["why"] = self.why.as_dict()
        return words


def analyse(
    state: State | Knowledge | History,
    limit: Limit,
    *,
    engine: Engine | None = None,
    seed: int = 1,
    threads: int = 1,
    actions: Iterable[Action | str] | None = None,
    until: float | None = None,
    hands: bool = True,
    stop: Stop | None = None,
) -> Analysis:
    """Compare the legal actions of the seat to move, or those of ``actions``.

    Of a whole truth only what the seat to move knows is used, of a history also what it saw of
    the steps.  ``engine`` lends its options (``Objective`` says what the best is best for; its
    level, seed and threads do not count).  ``limit`` has ``nodes``, ``movetime`` or both, for all
    actions together; ``until`` ends it as soon as the second best's loss is known to so many
    points.  ``hands``: whether to work out where the unseen cards are.  ``stop`` ends it from
    another thread.  With fixed ``nodes`` and ``seed`` and one thread it is the same again.

    Raises ValueError where there is nothing to decide, another seat is to move than the viewer,
    an action is not legal, or nothing would end it; TypeError for arguments of other kinds.

    >>> state = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    >>> found = analyse(state, Limit(nodes=2000))
    >>> str(found.best.action), found.best.loss
    ('!3C4D7H=1', 0.0)
    """
    began = perf_counter()
    seed = whole(seed, 0, MAX_SEED, "seed")
    threads = whole(threads, 1, OPTIONS["threads"].high, "threads")
    if until is not None:
        until = real(until, 0, 1e6, "until")
    if not isinstance(engine, Engine | None):
        raise TypeError(f"engine {given(engine)}: an Engine is needed")
    check_limit(limit)
    _check_end(limit, endless=until is None and stop is None)
    own = Engine(engine.options.copy() if engine else None)
    own.set("Threads", threads)
    decision = own.decision(state, limit, actions=actions, stop=stop)
    view = decision.view
    seat = view.turn
    assert seat is not None, "there is something to decide"
    time = NEVER if limit.movetime is None else int(limit.movetime * 1e6)
    deadline = min(NEVER, now_ns() + time)
    remark = decision.remark
    known = decision.core
    # What can't be solved in half of the time is searched in the other.
    solved = decision.solved(deadline - time // 2)
    if solved is not None:
        candidates = _proved(decision, solved)
        iterations = len(solved)
    else:
        searches, remark = decision.trees(seed)
        known = searches[0].knowledge
        found = compare(decision, searches, deadline=deadline, until=until)
        candidates = [_sampled(one) for one in found]
        iterations = sum(search.iterations for search in searches)
    close = len(candidates) > 1 and _is_close(
        candidates[1], for_match=own.options["Objective"] == "match")
    # With Cheat there are none.
    unseen = chances(known, view, seat, seed) if hands and not own.options["Cheat"] else {}
    return Analysis(
        view, seat, iterations, tuple(candidates), close, unseen, seed, limit_words(limit, until),
        evaluation_hash(own, view.rules), remark, perf_counter() - began)


def _check_end(limit: Limit, *, endless: bool) -> None:
    """Raise ValueError for a limit that ends no analysis."""
    if limit.time is not None:
        raise ValueError("an analysis has no clock: it takes nodes, movetime, or both")
    if limit.is_infinite and endless:
        raise ValueError("nothing would end it: it takes nodes, movetime, until, or a stop")
    if limit.nodes is not None:
        whole(limit.nodes, 1, MAX_SEED, "nodes")
    if limit.movetime is not None:
        real(limit.movetime, 0, MOST_MILLISECONDS, "movetime")


def _is_close(second: Candidate, *, for_match: bool) -> bool:
    """Whether the second best may as well be the best."""
    if for_match:
        return second.match_loss <= CLOSE_ERRORS * second.match_error
    return second.loss <= CLOSE_ERRORS * second.loss_error


def _sampled(one: Compared) -> Candidate:
    return Candidate(
        Action.from_code(one.code), one.points.mean, _finite(one.points.error),
        max(0.0, one.loss.mean), _finite(one.loss.error), min(1.0, max(0.0, one.match.mean)),
        one.visits, False, tuple(map(Action.from_code, one.line)),
        max(0.0, one.match_loss.mean), _finite(one.match_loss.error))


def _finite(error: float) -> float:
    """An error, as large as there is one where a single trial tells none."""
    return min(error, MOST_ERROR)


def _proved(decision: Decision, solved: Sequence[Any]) -> list[Candidate]:
    """The actions' exact values, the best first."""
    candidates: list[Candidate] = []
    for one in solved:
        points, chance, is_shared = decision.worth(one)
        match = chance + is_shared / 2
        loss = match_loss = 0.0
        if candidates:
            best = candidates[0]
            loss, match_loss = max(0.0, best.points - points), max(0.0, best.match - match)
        candidates.append(Candidate(
            Action.from_code(one.code), points, 0.0, loss, 0.0, match, 1, True,
            tuple(map(Action.from_code, one.line)), match_loss, 0.0))
    return candidates
