"""Rollouts: a decision played on to the end many times, from each action in the same worlds.

What search and learned values only estimate a rollout measures, for the way in which it plays
on.  All actions get the same worlds and the same later deals, so that their differences are
known far better than what each is worth; the luck of the deals on the way, which is zero in
the mean, is taken out (a control variate); last rounds that can be solved are; and what is
plainly behind is given up.  Points come by scoring item, so that the difference of two actions
says why one is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from cirulla_ai.action import Action
from cirulla_ai.analysis.estimate import Sample
from cirulla_ai.analysis.trials import QUICK, Question, item_names, play_trials
from cirulla_ai.basics.numbers import MAX_SEED, given, real, whole
from cirulla_ai.history import History
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.state import OVER, State, check_decidable, legal_among

__all__ = ["JOINT_ERRORS", "MINIMUM", "TRIALS", "Batch", "Rolled", "Rollout", "Run", "rollout",
           "why"]

TRIALS, MINIMUM, JOINT_ERRORS = 5184, 324, 2.33
# Trials that are played together, and how much further a rollout goes before it looks again at
# how the actions stand.
BATCH = 18
GROWTH = 4 / 3
MOST_TRIALS = 10**9
# Iterations of a decision by the policy ``engine``.
NODES = 200


@dataclass(frozen=True)
class Rolled:
    """What a rollout says of an action.

    ``points``: the smazzata's, of the side to move less the mean of the others', with its
    standard ``error``; ``loss`` to the best and its ``loss_error``, of the difference in the
    ``trials`` of both; ``best``: the chance that it is the best; ``items``: what the points are
    made of, adding up to them.
    """

    action: Action
    points: float
    error: float
    loss: float
    loss_error: float
    trials: int
    best: float
    items: Mapping[str, float]


@dataclass(frozen=True)
class Rollout:
    """A decision rolled out: what each action is worth, best first.

    ``variance_ratio``: how many times larger the variance of plain trials is; ``worth``: how
    many plain ones would say as much.  ``policy``, ``nodes``, ``seed``: how it was played on.
    """

    view: State
    seat: int
    actions: tuple[Rolled, ...]
    trials: int
    variance_ratio: float
    policy: str = QUICK
    nodes: int | None = None
    seed: int = 0
    limit: Mapping[str, float] = field(default_factory=dict)

    @property
    def worth(self) -> int:
        """Plain trials that would say as much."""
        return round(self.trials * self.variance_ratio)

    @property
    def best(self) -> Rolled:
        """The action of the most points."""
        return self.actions[0]

    @property
    def is_close(self) -> bool:
        """Whether the second is not plainly behind the best."""
        return len(self.actions) > 1 and (
            self.actions[1].loss < JOINT_ERRORS * self.actions[1].loss_error
            or self.actions[1].loss == 0)

    def of(self, action: Action | str) -> Rolled:
        """What it says of an action; raises ValueError for one that was not rolled out."""
        action = Action(action)
        for one in self.actions:
            if one.action == action:
                return one
        raise ValueError(f"{action} was not rolled out; there are "
                         f"{' '.join(str(one.action) for one in self.actions)}")


def why(
    rolled: Rollout, chosen: Action | str | None = None, best: Action | str | None = None
) -> dict[str, float]:
    """What makes an action better or worse than another, in points by item: they add up to the
    difference.

    By default the second against the best.  Raises ValueError for one that was not rolled out,
    or where there is no second.
    """
    if chosen is None:
        if len(rolled.actions) < 2:
            raise ValueError("there is only one action, and nothing to compare it with")
        chosen = rolled.actions[1].action
    mine = rolled.of(chosen)
    theirs = rolled.best if best is None else rolled.of(best)
    return {name: points - theirs.items[name] for name, points in mine.items.items()}


@dataclass(frozen=True)
class Batch:
    """Trials that are played together: from number ``first`` on, by the actions' codes."""

    index: int
    first: int
    trials: int
    codes: tuple[int, ...]


class Run:
    """A rollout as it goes: what is to be played next, and how it stands.

    The batches of ``due`` may be played anywhere and in any order, by ``play_trials``; when
    ``add`` has been given all of them there are others, until the rollout ``is_over``.  What
    comes out depends on the question alone.
    """

    def __init__(
        self, view: State, question: Question, actions: Sequence[Action], *,
        trials: int = TRIALS, minimum: int = MINIMUM, until: float = JOINT_ERRORS,
    ) -> None:
        self.view = view
        self.question = question
        self.trials = whole(trials, 1, MOST_TRIALS, "trials")
        self.minimum = min(whole(minimum, 1, MOST_TRIALS, "minimum"), self.trials)
        self.until = real(until, 0, inf, "until")
        self.actions = {action.code: action for action in actions}
        # Those that are still in, and the trials that all of them have.
        self._left = tuple(self.actions)
        self._rows: dict[int, list[list[float]]] = {code: [] for code in self.actions}
        self._due: dict[int, Batch] = {}
        self._come: dict[int, list[list[list[float]]]] = {}
        self._batches = 0
        self.done = 0
        self.is_over = False
        self._plan(self.minimum)

    def due(self) -> list[Batch]:
        """What is to be played before the next look at how it stands; empty at the end."""
        return [batch for index, batch in self._due.items() if index not in self._come]

    def add(self, index: int, rows: list[list[list[float]]]) -> None:
        """Take in the trials of a batch that is due."""
        batch = self._due[index]
        if len(rows) != batch.trials or any(len(row) != len(batch.codes) for row in rows):
            raise ValueError(f"batch {index}: {len(rows)} trials, not {batch.trials} of "
                             f"{len(batch.codes)} actions")
        self._come[index] = rows
        if len(self._come) == len(self._due):
            self._look()

    @property
    def played(self) -> int:
        """Trials that have come, those of batches out of turn too."""
        return self.done + sum(map(len, self._come.values()))

    def _plan(self, upto: int) -> None:
        """Have batches ready up to so many trials."""
        first = self.done
        while first < upto:
            trials = min(BATCH, self.trials - first)
            self._due[self._batches] = Batch(self._batches, first, trials, self._left)
            self._batches += 1
            first += trials

    def _look(self) -> None:
        for index, batch in self._due.items():
            for row in self._come[index]:
                for code, numbers in zip(batch.codes, row, strict=True):
                    self._rows[code].append(numbers)
            self.done += batch.trials
        self._due, self._come = {}, {}
        sample = self.sample()
        leader = sample.leader()
        behind = {code: sample.behind(code, leader) for code in self._left}
        self._left = tuple(
            code for code, (loss, error) in behind.items()
            if code == leader or loss <= 0 or loss < self.until * error)
        # Where nothing is left to chance more trials say no more.
        certain = not any(error for _, error in behind.values()) and (
            sample.error(leader) == 0)
        self.is_over = self.done >= self.trials or len(self._left) == 1 or certain
        if not self.is_over:
            self._plan(min(self.trials, max(self.done + 1, round(self.done * GROWTH))))

    def sample(self) -> Sample:
        """The trials so far."""
        return Sample(self._rows, BATCH)

    def result(self) -> Rollout:
        """What it says so far; raises ValueError where there is no trial yet."""
        if not self.done:
            raise ValueError("not enough trials have been played to say anything")
        sample = self.sample()
        leader = sample.leader()
        names = item_names(self.view.rules)
        chances = sample.chances(leader, self.question.seed)
        rolled = []
        for code, action in self.actions.items():
            loss, error = sample.behind(code, leader)
            items = sample.item_means(code, leader)
            rolled.append(Rolled(
                action, sum(items), sample.error(code), loss, error, len(self._rows[code]),
                chances[code], dict(zip(names, items, strict=True))))
        rolled.sort(key=lambda one: (one.loss, str(one.action)))
        seat = self.view.viewer
        assert seat is not None
        return Rollout(
            self.view, seat, tuple(rolled), self.done, sample.variance_ratio(),
            self.question.policy, self.question.nodes, self.question.seed,
            {"trials": self.trials, "min": self.minimum, "until": self.until})


def prepared(
    state: State | Knowledge | History,
    *,
    actions: Iterable[Action | str] | None = None,
    policy: str = QUICK,
    nodes: int = NODES,
    trials: int = TRIALS,
    minimum: int = MINIMUM,
    until: float = JOINT_ERRORS,
    seed: int = 0,
    inference: bool = True,
    control: bool = True,
    evaluation: str = "",
) -> Run:
    """A rollout that has not begun; arguments and errors as ``rollout`` has them."""
    seed = whole(seed, 0, MAX_SEED, "seed")
    if isinstance(state, History):
        known = state.knowledge()
    elif isinstance(state, State):
        if state.is_over:
            raise ValueError(OVER)
        known = Knowledge(state)
    elif isinstance(state, Knowledge):
        known = state
    else:
        raise TypeError(f"{given(state)} can't be rolled out; a State, a Knowledge or a "
                        "History can")
    check_decidable(known.state)
    legal = known.state.legal_actions()
    chosen = legal if actions is None else list(dict.fromkeys(legal_among(legal, actions)))
    if not chosen:
        raise ValueError(f"no action to roll out; legal are {' '.join(map(str, legal))}")
    question = Question.of(known, policy, whole(nodes, 1, 10**12, "nodes"), seed, inference,
                           evaluation, control)
    return Run(known.state, question, chosen, trials=trials, minimum=minimum, until=until)


def rollout(
    state: State | Knowledge | History,
    *,
    on_batch: Callable[[Run], None] = lambda run: None,
    **options: Any,
) -> Rollout:
    """Play the seat to move's decision on to the end, many times from each of its ``actions``.

    Of a whole truth only what that seat knows is used; of a history also what it saw.
    ``policy``: by what all seats play on: ``quick``, a player's name, or ``engine``, with so
    many ``nodes`` for an action.  It ends after so many ``trials``, or when the best is
    ``until`` joint errors ahead of all others, after ``minimum`` trials at the soonest;
    actions that are as far behind are given up.  ``seed`` makes it the same again;
    ``inference``: worlds come as likely as what was seen makes them, else all alike;
    ``control``: the luck of the deals is taken out; ``evaluation``: the path of an evaluation
    file.  ``on_batch`` hears how far it is.

    Raises ValueError where there is nothing to decide, an action is not legal, or a number is
    out of range; PlayerError for a policy that there is not.

    >>> state = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    >>> rolled = rollout(state, trials=36, seed=1)
    >>> rolled.best.action in state.legal_actions()
    True
    """
    run = prepared(state, **options)
    for batch in _batches(run):
        run.add(batch.index, play_trials(run.question, batch.codes, batch.first, batch.trials))
        on_batch(run)
    return run.result()


def _batches(run: Run) -> Iterator[Batch]:
    while due := run.due():
        yield from due
