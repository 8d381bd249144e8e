"""What a seat could be told: what to play, and what a play was worth.  By what it knows alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.analysis import Analysis, Candidate, analyse
from cirulla_ai.analysis.classes import FORCED, Thresholds
from cirulla_ai.analysis.reasons import reasons as compared_by_item
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History

__all__ = ["Judgement", "advise", "decision", "judge", "last_decision",
           "reasons"]

# Search iterations of a piece of advice.
NODES = 20_000


@dataclass(frozen=True)
class Judgement:
    """A play against the best: ``grade`` is what reviews call it, ``number`` its place among
    the steps that the seat saw."""

    number: int
    played: Candidate
    best: Candidate
    grade: str

    @property
    def match_loss(self) -> float:
        """What it lost of the chance to win the match, never below nothing."""
        return max(0.0, self.best.match - self.played.match)

    def as_dict(self) -> dict[str, Any]:
        """It as plain values, in the words of the JSON dialect."""
        played = self.played.as_dict()
        return {
            "number": self.number, "action": played["action"],
            "best": str(self.best.action), "points": played["points"], "loss": played["loss"],
            "loss_error": played["loss_error"], "match_loss": round(self.match_loss, 4),
            "class": self.grade}


def decision(view: History, number: int) -> tuple[History, Action]:
    """What a seat had seen when it did what is its step of this number, and what it did.

    Raises ValueError where that is no action of its own.
    """
    own = view.start.viewer
    step = view.steps[number] if 0 <= number < len(view.steps) else None
    if not isinstance(step, Action) or view.states[number].turn != own:
        raise ValueError(f"number {number}: there is no action of seat {own} with it")
    return History(view.start, *view.steps[:number]), step


def last_decision(view: History) -> int:
    """The number of the seat's last action; raises ValueError where it has done nothing."""
    for number in reversed(range(len(view.steps))):
        if isinstance(view.steps[number], Action) and (
                view.states[number].turn == view.start.viewer):
            return number
    raise ValueError(f"seat {view.start.viewer} has not played yet")


def advise(view: History, *, nodes: int = NODES, stop: Stop | None = None) -> Analysis:
    """What the plays of the seat to move are worth; raises ValueError where another seat is."""
    return analyse(view, Limit(nodes=nodes), hands=False, stop=stop)


def judge(
    decided: History, action: Action | str, *, nodes: int = NODES, stop: Stop | None = None
) -> Judgement:
    """What an action is worth in a decision, as ``decision`` gives it; raises ValueError where
    it is not legal there."""
    found = advise(decided, nodes=nodes, stop=stop)
    played = found.of(action)
    grade = FORCED if len(found.actions) == 1 else Thresholds().name(
        played.loss, played.loss_error, is_best=played is found.best)
    return Judgement(len(decided.steps), played, found.best, grade)


def reasons(decided: History, judged: Judgement) -> dict[str, float]:
    """Why a play is worth more or less than the best: points by item, adding up to what a
    rollout of the two makes of the difference; nothing where there is none.  It takes a
    moment."""
    if judged.played is judged.best:
        return {}
    compared = compared_by_item(decided, judged.played.action, judged.best.action)
    return {item: points for item, points in compared.items.items() if points}
