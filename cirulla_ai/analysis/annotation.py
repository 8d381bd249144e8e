"""A smazzata with all its decisions judged, its luck measured, and each side's sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cirulla_ai.analysis.classes import CLASSES, FORCED
from cirulla_ai.analysis.dialect import header, rounded, rules_text
from cirulla_ai.analysis.judge import Choice
from cirulla_ai.analysis.luck import DealLuck
from cirulla_ai.records import Record
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Annotation", "Judged", "Side", "counted", "kind_of", "margins", "tally"]

# Candidates that are told of a decision.
SHOWN = 8


@dataclass(frozen=True)
class Judged:
    """One action of a record, and what its seat should have thought of it.

    ``index`` counts the record's actions from 0; ``state`` is the seat's view before it;
    ``kind`` is what sort of play it was (``kind_of``); ``name`` its class.  ``points`` and
    ``match`` are what the position was worth with the best action, ``loss`` and
    ``match_loss`` what the one played took off that.  ``why`` says by scoring item what the
    one played brings less the best, ``hands`` where the unseen cards probably were, and
    ``hindsight`` what would have been best with all cards known: of errors alone.  None: not
    judged, not known.
    """

    index: int
    round: int
    seat: int
    action: str
    kind: str
    state: str | None = None
    best: str | None = None
    points: float | None = None
    loss: float | None = None
    loss_error: float | None = None
    match: float | None = None
    match_loss: float | None = None
    match_error: float | None = None
    name: str | None = None
    exact: bool = False
    punished: bool | None = None
    choices: tuple[Choice, ...] = ()
    why: Mapping[str, float] | None = None
    hands: Mapping[int, Mapping[str, float]] | None = None
    hindsight: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect."""
        words: dict[str, Any] = {
            "index": self.index, "round": self.round, "seat": self.seat, "state": self.state,
            "action": self.action, "kind": self.kind, "best": self.best,
            **{name: _number(getattr(self, name)) for name in (
                "points", "loss", "loss_error", "match", "match_loss", "match_error")},
            "class": self.name, "exact": self.exact, "punished": self.punished}
        if self.choices:
            words["actions"] = [choice.as_dict() for choice in self._shown()]
        if self.why is not None:
            words["why"] = {name: rounded(points) for name, points in self.why.items()}
        if self.hands is not None:
            words["hands"] = {str(seat): dict(cards) for seat, cards in self.hands.items()}
        if self.hindsight is not None:
            words["hindsight"] = dict(self.hindsight)
        return words

    def _shown(self) -> list[Choice]:
        """The best few, the one played among them."""
        shown = list(self.choices[:SHOWN])
        if not any(str(choice.action) == self.action for choice in shown):
            shown[-1:] = [c for c in self.choices if str(c.action) == self.action]
        return shown


@dataclass(frozen=True)
class Side:
    """A side's sums: points less the mean of the others' = start + luck + skill + rest.

    ``points``: the smazzata's, a match won outright counting as its target and nothing to the
    others; ``start``: what the side could expect before the cards, ``skill`` what the others
    threw away less what it did, ``rest`` what is left: what the judge did not foresee.
    ``adjusted`` is the result less the luck.  ``loss`` is what it threw away in all, in
    ``decisions`` with a choice; ``forced`` had none.  ``match``: the chance to win the match
    before and after the smazzata.  None: not known.
    """

    points: int
    start: float | None
    luck: float | None
    skill: float | None
    rest: float | None
    adjusted: float | None
    loss: float | None
    decisions: int
    forced: int
    by_class: Mapping[str, int]
    match: tuple[float, float] | None

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect."""
        return {
            "points": self.points,
            **{name: _number(getattr(self, name)) for name in (
                "start", "luck", "skill", "rest", "adjusted", "loss")},
            "decisions": self.decisions, "forced": self.forced, "by_class": dict(self.by_class),
            "match": None if self.match is None else list(map(rounded, self.match))}


@dataclass(frozen=True)
class Annotation:
    """What is said of a record: its decisions in order, its deals, its sides.

    ``number`` is the record's, from 1, in what was read; ``judge`` who judged, with the
    ``evaluation`` in use, the ``seed`` and the ``limit``, and by what (``objective``, and the
    ``thresholds`` of the classes); ``seat``: whose decisions alone were asked for.
    """

    record: Record
    number: int
    judge: str
    evaluation: str | None
    seed: int
    limit: Mapping[str, object]
    objective: str
    thresholds: Mapping[str, object]
    seat: int | None
    decisions: tuple[Judged, ...]
    deals: tuple[DealLuck, ...]
    sides: tuple[Side, ...]

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect: kind ``annotation``."""
        record, start = self.record, self.record.start
        return {
            **header("annotation", evaluation=self.evaluation, seed=self.seed, limit=self.limit,
                     perspective=True),
            "judge": self.judge, "objective": self.objective,
            "thresholds": dict(self.thresholds), "seat": self.seat,
            "record": self.number, "rules": rules_text(start.rules), "players": list(record.names),
            "dealer": start.dealer, "target": start.rules.target, "scores": list(start.scores),
            "viewer": start.viewer, "points": list(record.result.points),
            "result": str(record.result),
            "decisions": [decision.as_dict() for decision in self.decisions],
            "deals": [
                {"round": deal.round, "luck": list(map(rounded, deal.luck)),
                 "match": list(map(rounded, deal.match))} for deal in self.deals],
            "sides": [side.as_dict() for side in self.sides]}


def _number(value: float | None) -> float | None:
    return None if value is None else rounded(value)


def kind_of(state: State, action: str) -> str:
    """What sort of play an action is: ``claim`` (one is made, or could have been), ``capture``,
    ``lay``, ``hand`` (a card handed on or put away), ``trick``.

    >>> state = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    >>> kind_of(state, "3CxAS5D6C"), kind_of(state.play("!3C4D7H=1"), "3CxAS5D6C")
    ('claim', 'capture')
    """
    if action == "pass" or action.startswith("!") or (
            state.viewer in (None, state.turn)
            and any(str(other).startswith("!") for other in state.legal_actions())):
        return "claim"
    if action.startswith(">"):
        return "hand"
    if "x" in action:
        return "capture"
    # A game without sweeps has no table to lay a card on.
    return "lay" if hasattr(state, "table") else "trick"


def margins(rules: Rules, points: Sequence[float]) -> tuple[float, ...]:
    """By how much each side is ahead of the mean of the others; behind, where few are good."""
    total, others = sum(points), len(points) - 1
    sign = -1 if rules.family.fewest else 1
    return tuple(sign * (own - (total - own) / others) for own in points)


def counted(record: Record) -> tuple[int, ...]:
    """The points of a record's sides, a match won outright counting as its target."""
    won = record.final.won
    if won is None:
        return record.result.points
    rules = record.start.rules
    return tuple(rules.target if side == won else 0 for side in range(rules.sides))


def tally(decisions: Sequence[Judged]) -> dict[str, int]:
    """How many decisions there are of each class, those without a choice left out."""
    return {name: sum(one.name == name for one in decisions)
            for name in CLASSES if name != FORCED}
