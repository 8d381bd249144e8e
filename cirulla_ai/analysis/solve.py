"""Rounds that can be solved: what each play is worth and how often it is right to make it.

Where all cards are known, in the last round of two players or the last tricks, the rest is
solved exactly.  In the last round but one of two players nobody knows the other's hand, and what
is right may be to play now this, now that: an equilibrium, in which neither gains by playing
otherwise.  It is found by regret minimisation over all hands that the two may hold
(``cirulla_ai._core.fishing_equilibrium``); each end of the round is worth the mean of the exact
values of all deals of the last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from cirulla_ai._core.cards import set_of
from cirulla_ai._core.fishing_equilibrium import Equilibrium
from cirulla_ai._core.fishing_position import FishingPosition
from cirulla_ai._core.fishing_value import Value
from cirulla_ai._core.search import now_ns
from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.analysis.beliefs import Beliefs, likely_hands, possible_hands
from cirulla_ai.analysis.dialect import evaluation_hash, header, rounded, rules_text
from cirulla_ai.basics.numbers import given, real, whole
from cirulla_ai.engine.decision import Decision
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.limit import Limit
from cirulla_ai.games.contract import Solved
from cirulla_ai.history import History
from cirulla_ai.state import State

__all__ = ["GAP", "ITERATIONS", "MOST_ITERATIONS", "MOVETIME", "Play", "Solution", "converge",
           "solve"]

# By how much the equilibrium may be exploited, in points.
GAP = 0.01
# Iterations at the most, and what may be asked for.
ITERATIONS = 2000
MOST_ITERATIONS = 10**6
# And at the least: what to do where the other has erred is learnt more slowly than what nobody
# ever gains by leaving.
LEAST = 100
# Iterations between two looks at the gap and the clock.
EVERY = 25
# Milliseconds; a round of three cards takes some seconds.
MOVETIME = 300_000.0
# The tree of a round of three cards has some 50 MiB.
MOST_BYTES = 1 << 30
# Frequencies that differ by less go by what the plays are worth.
ALIKE = 0.005

# What may be asked for instead.
ASK = "analyse compares its plays by search"


@dataclass(frozen=True)
class Play:
    """One action of a solved position.

    ``frequency``: how often it is played in equilibrium, 0 … 1; where it is exact, the best have
    equal shares.  ``points``: what it is worth to the seat to move, less what the other gets;
    ``loss``: what it has less than the best; ``pv``: where it is exact, best play to the end of
    the smazzata, the action first.
    """

    action: Action
    frequency: float
    points: float
    loss: float
    pv: tuple[Action, ...] = ()

    def as_dict(self, exact: bool) -> dict[str, Any]:
        """It in the JSON dialect."""
        return {
            "action": str(self.action), "frequency": rounded(self.frequency),
            "points": rounded(self.points), "loss": rounded(self.loss), "exact": exact,
            "pv": list(map(str, self.pv))}


@dataclass(frozen=True)
class Solution:
    """A solved position, by what the seat to move knows.

    ``method`` is ``exact`` or ``equilibrium``; ``actions``: the most frequent first.  Of an
    equilibrium, ``beliefs`` says what the hands were weighted by (``rules`` or ``inference``) and
    ``possible`` how many each seat may hold; ``bounds``: what the seat to move gets at least and
    the other allows at most, in points in the mean of all those hands, and ``gap`` their
    difference, by which the two can be exploited together; ``regret``: what the frequencies with
    this hand lose to the best play.  Exact values have no beliefs, and neither
    gap nor regret.  ``seconds`` do not count where solutions are compared.
    """

    view: State
    seat: int
    method: str
    actions: tuple[Play, ...]
    bounds: tuple[float, float]
    gap: float
    regret: float
    iterations: int
    beliefs: str | None
    possible: tuple[int, ...]
    limit: Mapping[str, object]
    evaluation: str | None
    seconds: float = field(default=0.0, compare=False)

    @property
    def points(self) -> float:
        """What the position is worth to the seat to move with its hand."""
        return max(play.points for play in self.actions)

    @property
    def is_exact(self) -> bool:
        """Whether all cards are known and the values are proved."""
        return self.method == "exact"

    def of(self, action: Action | str) -> Play:
        """What is said of an action; raises ValueError where it is not legal."""
        wanted = Action(action)
        for play in self.actions:
            if play.action == wanted:
                return play
        raise ValueError(f"{wanted} is not legal here; legal are "
                         f"{' '.join(str(play.action) for play in self.actions)}")

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect: kind ``solution``."""
        return {
            **header("solution", evaluation=self.evaluation, limit=self.limit, perspective=True),
            "rules": rules_text(self.view.rules), "state": str(self.view), "seat": self.seat,
            "round": self.view.round, "method": self.method, "beliefs": self.beliefs,
            "possible": list(self.possible), "points": rounded(self.points),
            "bounds": list(map(rounded, self.bounds)), "gap": rounded(self.gap),
            "regret": rounded(self.regret), "iterations": self.iterations,
            "seconds": rounded(self.seconds),
            "actions": [play.as_dict(self.is_exact) for play in self.actions]}


def converge(
    equilibrium: Equilibrium, gap: float = GAP, iterations: int = ITERATIONS,
    hand: int | None = None,
) -> Iterator[tuple[float, float]]:
    """Iterate until the bounds are at most ``gap`` points apart: the bounds, now and then.

    ``LEAST`` iterations at the least, ``iterations`` at the most.  With a ``hand`` of the seat to
    move, also until its frequencies lose no more than ``gap`` to its best play: the bounds, in the
    mean of all hands, tell little of one.
    """
    while True:
        equilibrium.run(min(EVERY, iterations - equilibrium.iterations))
        low, high = equilibrium.bounds()
        yield low, high
        if equilibrium.iterations >= iterations or (
                high - low <= gap and equilibrium.iterations >= LEAST
                and (hand is None or _regret(_plays(equilibrium, hand)) <= gap)):
            return


def solve(
    game: State | History,
    *,
    gap: float = GAP,
    iterations: int = ITERATIONS,
    movetime: float = MOVETIME,
    inference: bool = False,
    engine: Engine | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Solve what is left of a round, by what the seat to move knows.

    An equilibrium is good enough once it can be exploited by no more than ``gap`` points, and the
    seat loses no more with its hand; it ends at the latest after so many ``iterations``, or
    ``movetime`` milliseconds, and has the gap that it has reached.  All hands that the two may
    hold by what lies open are alike likely, or, with ``inference``, as likely as the engine takes
    them to be by what each was seen to play; nobody's is looked at but the seat's own.
    ``engine`` lends its evaluation file; ``stop``, from another thread, ends it as ``movetime``
    does.

    Raises ValueError where there is nothing to decide, or it can't be solved, or not in that
    time, with the reason.

    >>> state = State.parse(
    ...     "rules=cirulla dealer=1 turn=1 round=6 hands=JH/4HQC table=3C4CQHKS last=0 scopa=2/17 "
    ...     "taken=AHADAC2C4D4S5H5D5C6H6D6C6S7C7SJDJCJSQSKD/AS2H2D2S3H3D3S5S7H7DQDKHKC")
    >>> found = solve(state)
    >>> found.method, found.points, str(found.actions[0].action)
    ('exact', 14.0, '4Hx4C')
    """
    began = perf_counter()
    gap = real(gap, 0, 1e6, "gap")
    iterations = whole(iterations, 1, MOST_ITERATIONS, "iterations")
    movetime = real(movetime, 0, 1e12, "movetime")
    limit = {"gap": gap, "iterations": iterations, "movetime": movetime}
    if not isinstance(engine, Engine | None):
        raise TypeError(f"engine {given(engine)}: an Engine is needed")
    own = Engine()
    if engine:
        own.set("EvalFile", engine.options["EvalFile"])
    history = History.of(game)
    deadline = now_ns() + int(movetime * 1e6)
    decision = own.decision(history, Limit(), stop=stop)
    view, seat = decision.view, decision.view.turn
    assert seat is not None, "there is something to decide"
    solved = decision.solved(deadline)
    if solved is not None:
        plays = _proved(decision, solved)
        best = plays[0].points
        return Solution(view, seat, "exact", plays, (best, best), 0.0, 0.0, 0, None, (), limit,
                        None, perf_counter() - began)
    _check(view)
    value = decision.evaluation.value if inference else None
    seen = history.view(seat)
    beliefs = [_hands(seen, one, inference, value) for one in range(2)]
    hand = set_of("".join(view.hands[seat]))
    try:
        equilibrium = Equilibrium(
            view.position, list(map(list, beliefs)), stop=decision.stop, deadline=deadline,
            weights=[hands.values() for hands in beliefs], most_bytes=MOST_BYTES)
        for bounds in converge(equilibrium, gap, iterations, hand):  # noqa: B007
            if decision.stop.is_set() or now_ns() >= deadline:
                break
        plays = _plays(equilibrium, hand)
    except InterruptedError:
        raise ValueError(f"{movetime:g} ms were over, or it was stopped, before the round was "
                         f"laid out; give it more time, or {ASK}") from None
    except MemoryError:
        raise ValueError(f"the rest of the round takes more than {MOST_BYTES >> 20} MiB, or there "
                         f"is no memory for it; {ASK}") from None
    low, high = bounds
    bounds = (low, high) if seat == 0 else (-high, -low)
    return Solution(
        view, seat, "equilibrium", plays, bounds, max(0.0, high - low),
        _regret(plays), equilibrium.iterations, "inference" if inference else "rules",
        tuple(map(len, beliefs)), limit,
        None if value is None else evaluation_hash(own, view.rules), perf_counter() - began)


def _proved(decision: Decision, solved: Sequence[Solved]) -> tuple[Play, ...]:
    """The actions where all is known, the best first."""
    best = [one.points for one in solved].count(solved[0].points)
    points = [decision.worth(one)[0] for one in solved]
    return tuple(
        Play(Action.from_code(one.code), 1 / best if rank < best else 0.0, worth,
             max(0.0, points[0] - worth), tuple(map(Action.from_code, one.line)))
        for rank, (one, worth) in enumerate(zip(solved, points, strict=True)))


def _check(view: State) -> None:
    """Raise ValueError where a round can't be solved as an equilibrium."""
    if not isinstance(view.position, FishingPosition):
        raise ValueError(f"{view.rules.preset}, {view.progress}: only the last tricks can be "
                         f"solved, where all cards are known; {ASK}")
    rounds = len(view.rules.rounds)
    if view.rules.players != 2:
        raise ValueError(f"{view.rules.players} players: only rounds of two can be solved; {ASK}")
    if view.round < rounds - 1:
        raise ValueError(f"{view.progress}: only the last round can be solved, and the last but "
                         f"one as an equilibrium; {ASK}")
    if view.round == rounds:
        raise ValueError(f"the last round, with {len(view.table)} cards on the table and so many "
                         f"in the hands, is too much to be solved, or not in that time; {ASK}")


def _hands(game: History, seat: int, inference: bool, value: Value | None) -> Beliefs:
    """The hands that a seat may hold, and how likely each is taken to be."""
    if inference:
        return likely_hands(game, seat, value)
    return dict.fromkeys(possible_hands(game, seat), 1.0)


def _plays(equilibrium: Equilibrium, hand: int) -> tuple[Play, ...]:
    """The plays with a hand, the most frequent first."""
    values = dict(equilibrium.action_values(hand))
    best = max(values.values())
    plays = [Play(Action.from_code(code), frequency, values[code], best - values[code])
             for code, frequency in equilibrium.strategy(hand)]
    return tuple(sorted(plays, key=lambda play: (-round(play.frequency / ALIKE), play.loss)))


def _regret(plays: Sequence[Play]) -> float:
    """What the frequencies lose to the best play, in points."""
    return sum(play.frequency * play.loss for play in plays)
