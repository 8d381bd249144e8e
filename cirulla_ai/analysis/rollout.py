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
from cirulla_ai.analysis.dialect import header, rounded, rules_text
from cirulla_ai.analysis.estimate import Sample
from cirulla_ai.analysis.trials import QUICK, Question, item_names, play_trials
from cirulla_ai.basics.numbers import MAX_SEED, given, real, whole
from cirulla_ai.engine.evaluation_file import load_evaluation
from cirulla_ai.history import History
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.state import OVER, State, check_decidable, legal_among

__all__ = ["JOINT_ERRORS", "MINIMUM", "NODES", "TRIALS", "Batch", "Rolled", "Rollout", "Run",
           "prepared", "rollout", "why"]

TRIALS, MINIMUM, JOINT_ERRORS = 5184, 324, 2.33
# Trials that are played together, and how much further a rollout goes before it looks again at
# how the actions stand.
BATCH = 18
GROWTH = 4 / 3
MOST_TRIALS = 10**9
# Iterations of a decision by the policy ``engine``.  (The command's help says these numbers.)
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

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect; its items add up to its points there too."""
        items = {name: rounded(points) for name, points in self.items.items()}
        return {
            "action": str(self.action), "points": rounded(sum(items.values())),
            "error": rounded(self.error), "loss": rounded(self.loss),
            "loss_error": rounded(self.loss_error), "trials": self.trials,
            "best": rounded(self.best), "items": items}


@dataclass(frozen=True)
class Rollout:
    """A decision rolled out: what each action is worth, best first.

    ``variance_ratio``: how many times larger the variance of plain trials is; ``worth``: how
    many plain ones would say as much.  ``policy``, ``seed``, ``limit``: how it was played on;
    ``evaluation``: the hash of the evaluation file in use.
    """

    view: State
    seat: int
    actions: tuple[Rolled, ...]
    trials: int
    variance_ratio: float
    policy: str = QUICK
    seed: int = 1
    limit: Mapping[str, float] = field(default_factory=dict)
    evaluation: str | None = None

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

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect: kind ``rollout``."""
        return {
            **header("rollout", evaluation=self.evaluation, seed=self.seed, limit=self.limit,
                     perspective=True),
            "rules": rules_text(self.view.rules), "state": str(self.view), "seat": self.seat,
            "round": self.view.round, "policy": self.policy, "trials": self.trials,
            "actions": [one.as_dict() for one in self.actions], "close": self.is_close,
            "variance_ratio": rounded(self.variance_ratio), "worth": self.worth}


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
    """Trials that are played together: by its place, of the actions of these codes."""

    index: int
    codes: tuple[int, ...]

    def play(self, question: Question) -> list[list[list[float]]]:
        """Play them, as ``play_trials`` does."""
        return play_trials(question, self.codes, self.index * BATCH, BATCH)


class Run:
    """A rollout as it goes: what is to be played next, and how it stands.

    The batches of ``due`` may be played anywhere and in any order, by ``play_trials``; when
    ``add`` has been given all of them there are others, until the rollout ``is_over``.  What
    comes out depends on the question alone.
    """

    def __init__(
        self, view: State, question: Question, actions: Sequence[Action], *,
        trials: int = TRIALS, minimum: int = MINIMUM, until: float = JOINT_ERRORS,
        seen: str = "",
    ) -> None:
        self.view = view
        # What the seat has seen, as text, which tells one rollout from another.
        self.seen = seen or str(view)
        self.question = question
        self.names = item_names(view.rules)
        self.trials = whole(trials, 1, MOST_TRIALS, "trials")
        self.minimum = whole(minimum, 1, MOST_TRIALS, "minimum")
        self.until = real(until, 0, inf, "until")
        self.actions = {action.code: action for action in actions}
        # Codes of those that are still in.
        self.left = tuple(self.actions)
        self._rows: dict[int, list[list[float]]] = {code: [] for code in self.actions}
        self._due: dict[int, Batch] = {}
        self._come: dict[int, list[list[list[float]]]] = {}
        # Trials that all of them have.
        self.done = 0
        self.is_over = False
        self._plan(min(self.minimum, self.trials))

    def due(self) -> list[Batch]:
        """What is to be played before the next look at how it stands; empty at the end."""
        return [batch for index, batch in self._due.items() if index not in self._come]

    def add(self, index: int, rows: list[list[list[float]]]) -> None:
        """Take in the trials of a batch that is due; raises ValueError where they are none."""
        batch = self._due[index]
        width = len(self.names) + 1
        if len(rows) != BATCH or not all(
                len(row) == len(batch.codes) and all(len(line) == width for line in row)
                for row in rows):
            raise ValueError(f"batch {index}: not {BATCH} trials of {len(batch.codes)} actions, "
                             f"{width} numbers each")
        self._come[index] = rows
        if len(self._come) == len(self._due):
            self._take()
            self._look()

    @property
    def played(self) -> int:
        """Trials that have come, those of batches out of turn too."""
        return min(self.trials, self.done + BATCH * len(self._come))

    def cut(self) -> None:
        """End it here, with the batches that have come in turn."""
        self._take()
        self._due = {}
        self.is_over = True

    def _plan(self, upto: int) -> None:
        """Have batches ready up to so many trials."""
        first = self.done // BATCH
        for index in range(first, -(-upto // BATCH)):
            self._due[index] = Batch(index, self.left)

    def _take(self) -> None:
        """Take in what has come, up to the first batch that has not."""
        for index in sorted(self._due):
            if index not in self._come:
                break
            batch = self._due.pop(index)
            # The last batch is played whole as well, so that more trials can follow it.
            rows = self._come.pop(index)[:self.trials - self.done]
            for row in rows:
                for code, numbers in zip(batch.codes, row, strict=True):
                    self._rows[code].append(numbers)
            self.done += len(rows)

    def _look(self) -> None:
        """See how the actions stand, and plan what comes next."""
        sample = self.sample()
        leader = sample.leader()
        behind = {code: sample.behind(code, leader) for code in self.left}
        self.left = tuple(
            code for code, (loss, error) in behind.items()
            if code == leader or loss <= 0 or loss < self.until * error)
        # Where nothing is left to chance more trials say no more.
        certain = not any(error for _, error in behind.values()) and (
            sample.error(leader) == 0)
        self.is_over = self.done >= self.trials or len(self.left) == 1 or certain
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
        chances = sample.chances(leader, self.question.seed)
        rolled = []
        for code, action in self.actions.items():
            loss, error = sample.behind(code, leader)
            items = sample.item_means(code, leader)
            rolled.append(Rolled(
                action, sum(items), sample.error(code), loss, error, len(self._rows[code]),
                chances[code], dict(zip(self.names, items, strict=True))))
        rolled.sort(key=lambda one: (one.loss, str(one.action)))
        seat = self.view.viewer
        assert seat is not None
        return Rollout(
            self.view, seat, tuple(rolled), self.done, sample.variance_ratio(),
            self.question.policy, self.question.seed, self.limit, self.evaluation)

    @property
    def limit(self) -> dict[str, float]:
        """What ends it, and how long its players may think."""
        words = {"trials": self.trials, "min": self.minimum, "until": self.until}
        return words if self.question.policy == QUICK else {**words, "nodes": self.question.nodes}

    @property
    def evaluation(self) -> str | None:
        """The hash of the evaluation file in use, None where it knows nothing of these rules."""
        file = load_evaluation(self.question.evaluation)
        return file.hash if file.has_value(self.view.rules) else None


def prepared(
    state: State | Knowledge | History,
    *,
    actions: Iterable[Action | str] | None = None,
    policy: str = QUICK,
    nodes: int = NODES,
    trials: int = TRIALS,
    minimum: int = MINIMUM,
    until: float = JOINT_ERRORS,
    seed: int = 1,
    inference: bool = True,
    control: bool = True,
    evaluation: str = "",
) -> Run:
    """A rollout that has not begun; arguments and errors as ``rollout`` has them."""
    seed = whole(seed, 0, MAX_SEED, "seed")
    seen = ""
    if isinstance(state, History):
        known = state.knowledge()
        seen = state.view(known.seat).line
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
    return Run(known.state, question, chosen, trials=trials, minimum=minimum, until=until,
               seen=seen)


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
        run.add(batch.index, batch.play(run.question))
        on_batch(run)
    return run.result()


def _batches(run: Run) -> Iterator[Batch]:
    while due := run.due():
        yield from due
