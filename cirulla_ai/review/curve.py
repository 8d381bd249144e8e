"""The match as a curve: a step for each deal and each error, what is left spread between them.

The curve begins with what a side could expect and ends at what it got.  Deals move it by their
luck, decisions by what they lost, and neither explains it all: the rest of each smazzata, which is
known only when it is over, lies evenly over its actions as a slope.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cirulla_ai.review.reading import Deal, Decision, Match, Smazzata

__all__ = ["Curve", "Step", "curve_of"]


@dataclass(frozen=True)
class Step:
    """A vertical step: of a deal or a decision (``of``), from a value to a value."""

    of: Deal | Decision | None
    before: float
    after: float


@dataclass
class Curve:
    """The steps in playing order; between two of them the curve goes straight.

    ``parts`` are the places of the first steps of the smazzate.
    """

    steps: list[Step] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        values = [value for step in self.steps for value in (step.before, step.after)]
        return min(values, default=0.0), max(values, default=0.0)


def curve_of(match: Match, side: int, chances: bool) -> Curve:
    """A side's curve: chances to win the match, or points ahead in it."""
    curve = Curve()
    lead = 0.0 if chances else _lead_before(match.first, side)
    for smazzata in match.smazzate:
        lead = _smazzata(curve, smazzata, side, chances, lead)
    return curve


def _smazzata(curve: Curve, one: Smazzata, side: int, chances: bool, lead: float) -> float:
    """Append a smazzata; returns where it ends."""
    events = list(events_of(one))
    moves = [_move(event, one, side, chances) for event in events]
    sums = one.sides[side]
    if chances:
        assert sums.match is not None
        first, last = sums.match
    else:
        first, last = lead + (sums.start or 0.0), lead + one.end(side)
    slope = (last - first - sum(moves)) / max(1, len(events))
    curve.parts.append(len(curve.steps))
    value = first
    for event, move in zip(events, moves, strict=True):
        curve.steps.append(Step(event, value, value + move))
        value += move + slope
    curve.steps.append(Step(None, last, last))
    return last


def events_of(one: Smazzata) -> Iterator[Deal | Decision]:
    """The deals and decisions of a smazzata in playing order: a round's deal before its plays."""
    deals = list(one.deals)
    for decision in one.decisions:
        while deals and deals[0].round <= decision.round:
            yield deals.pop(0)
        yield decision
    yield from deals


def _move(event: Deal | Decision, one: Smazzata, side: int, chances: bool) -> float:
    """By how much a deal or a decision moves a side's curve."""
    if isinstance(event, Deal):
        luck = event.match if chances else event.luck
        return luck[side] if luck is not None else 0.0
    lost = event.match_loss if chances else event.loss
    if not lost or event.kind == "forced":
        return 0.0
    # The others share what one side loses.
    return -lost if event.side == side else lost / (one.rules.sides - 1)


def _lead_before(one: Smazzata, side: int) -> float:
    others = (sum(one.scores) - one.scores[side]) / (len(one.scores) - 1)
    lead = one.scores[side] - others
    return -lead if one.rules.family.fewest else lead
