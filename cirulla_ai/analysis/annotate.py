"""Whole records judged: each decision by what its seat could know, each deal by its luck.

A record is judged in parts that know nothing of one another, a few actions each, so that
workers can share one, and put together then.  Every decision is looked at once; one that may
be an error a second time, in other worlds, with more iterations: that one counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cirulla_ai.analysis.annotation import (
    Annotation,
    Judged,
    Side,
    counted,
    kind_of,
    margins,
    tally,
)
from cirulla_ai.analysis.classes import DEFAULTS, ERRORS, FORCED, Thresholds
from cirulla_ai.analysis.dialect import rounded
from cirulla_ai.analysis.judge import Choice, Judge, OwnJudge, judge_of
from cirulla_ai.analysis.luck import DealLuck, deal_luck, start_value
from cirulla_ai.analysis.rollout import rollout, why
from cirulla_ai.basics.numbers import MAX_SEED, given, whole
from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.evaluation import Evaluation
from cirulla_ai.engine.options import Options
from cirulla_ai.history import History
from cirulla_ai.records import Record
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["DEEPER", "NODES", "Part", "Terms", "annotate", "part_of", "parts", "put_together"]

NODES = 2000
# Iterations of the second look are so many times those of the first.
DEEPER = 10
MOST_NODES = 10**12
# Actions that are judged together.
PART = 6
# Rollouts for the reasons: trials at most, and at least.
WHY_TRIALS, WHY_MINIMUM = 324, 162


@dataclass(frozen=True)
class Terms:
    """How records are judged; with the same terms they are judged the same.

    ``nodes`` iterations for a decision, ``deep`` for the second look at one that may be an
    error (ten times as many); ``seat``: whose decisions alone; ``thresholds`` of the classes,
    by default those that go with the option ``Objective``; ``options`` of the engine, and
    ``cmd`` to start one that speaks the protocol in place of ours.  Raises ValueError for what
    is out of range, OptionError for an option that ours does not take.
    """

    nodes: int = NODES
    deep: int = 0
    seed: int = 1
    seat: int | None = None
    thresholds: Thresholds | None = None
    options: tuple[tuple[str, str], ...] = ()
    cmd: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("nodes", whole(self.nodes, 1, MOST_NODES, "nodes"))
        put("deep", whole(self.deep, 0, DEEPER * MOST_NODES, "deep") or DEEPER * self.nodes)
        put("seed", whole(self.seed, 0, MAX_SEED, "seed"))
        if self.seat is not None:
            put("seat", whole(self.seat, 0, 3, "seat"))
        put("options", tuple((str(name), str(value)) for name, value in self.options))
        put("cmd", tuple(map(str, self.cmd)))
        if not self.cmd:
            own = Options()
            for name, value in self.options:
                own.set(name, value)
        if not isinstance(self.thresholds, Thresholds | None):
            raise TypeError(f"thresholds {given(self.thresholds)}: Thresholds are needed")
        put("thresholds", self.thresholds or DEFAULTS[self.objective])

    @property
    def objective(self) -> str:
        """What the best action is best for: ``points`` or ``match``."""
        wanted = next((value for name, value in reversed(self.options)
                       if name.strip().lower() == "objective"), "")
        return "match" if wanted.strip().lower() == "match" else "points"

    def limit(self) -> dict[str, object]:
        """The iterations, by name."""
        return {"nodes": self.nodes, "deep": self.deep}

    def as_dict(self) -> dict[str, object]:
        """All of them, as plain values."""
        assert self.thresholds is not None
        return {
            **self.limit(), "seed": self.seed, "seat": self.seat,
            "thresholds": self.thresholds.as_dict(), "options": dict(self.options),
            "cmd": list(self.cmd)}

    def judge(self) -> Judge:
        """Who judges."""
        return judge_of(self.cmd, self.options)


@dataclass(frozen=True)
class Part:
    """A part of a record that is judged by itself: so many actions, or the deals (none)."""

    actions: range
    decisions: tuple[Judged, ...] = ()
    deals: tuple[DealLuck, ...] = ()


def annotate(record: Record, terms: Terms | None = None, *, number: int = 1) -> Annotation:
    """Judge a record: the whole truth, or what one seat saw, whose decisions alone are judged.

    ``number`` is what the record is called, from 1.  Raises ValueError where ``terms`` ask for
    a seat that there is not, or another than the one whose record it is; EngineError where
    another engine judges and fails.

    >>> from cirulla_ai.records import Record
    >>> state = State.deal("cirulla", dealer=1, seed=7)
    >>> record = Record.from_play(state, [state.legal_actions()[0]])
    >>> annotate(record, Terms(nodes=500)).decisions[0].name
    'best'
    """
    terms = terms or Terms()
    done = [part_of(record, part, terms) for part in parts(record, terms)]
    return put_together(record, done, terms, number)


def parts(record: Record, terms: Terms) -> list[Part]:
    """The parts that are to be judged, in any order, by ``part_of``."""
    _check_seat(record, terms)
    total = sum(not ply.is_deal for ply in record.plies)
    found = [Part(range(first, min(first + PART, total))) for first in range(0, total, PART)]
    return found if record.start.viewer is not None else [*found, Part(range(0))]


def _check_seat(record: Record, terms: Terms) -> None:
    players, viewer = record.start.rules.players, record.start.viewer
    if terms.seat is None:
        return
    if terms.seat >= players:
        raise ValueError(f"seat {terms.seat}: there are 0 … {players - 1}")
    if viewer not in (None, terms.seat):
        raise ValueError(f"seat {terms.seat}: the record is what seat {viewer} saw")


def part_of(record: Record, part: Part, terms: Terms) -> Part:
    """Judge a part of a record."""
    if not part.actions:
        return _dealt(record, part, terms)
    judge = terms.judge()
    decisions = []
    history, index = History(record.start), 0
    for ply in record.plies:
        if ply.is_deal:
            history = history.play(ply.word)
            continue
        if index in part.actions:
            decisions.append(_judged(history, ply.word, index, judge, terms))
        index += 1
        if index >= part.actions.stop:
            break
        history = history.play(ply.word)
    return replace(part, decisions=tuple(decisions))


def _dealt(record: Record, part: Part, terms: Terms) -> Part:
    """The luck of the deals."""
    return replace(part, deals=deal_luck(
        record, seed=terms.seed, evaluation=_evaluation(record.start.rules, terms)))


def _evaluation(rules: Rules, terms: Terms) -> Evaluation:
    """What luck is measured by: our own values whoever judges, since its mean is zero by any."""
    engine = Engine()
    if not terms.cmd:
        for name, value in terms.options:
            engine.set(name, value)
    return engine.prepare(rules)[0]


# --- one decision ---------------------------------------------------------------------

def _judged(history: History, word: str, index: int, judge: Judge, terms: Terms) -> Judged:
    """What is to be said of the action after a history, but for what came of it."""
    truth = history.state
    seat = truth.turn
    assert seat is not None, "somebody has played"
    viewer = truth.viewer
    made = Judged(index, truth.round, seat, word, kind_of(truth, word))
    if viewer not in (None, seat) or terms.seat not in (None, seat):
        return made
    own = history.view(seat)
    view = own.state
    played = view.legal_actions()[[str(a) for a in view.legal_actions()].index(word)]
    assert terms.thresholds is not None

    def seeded(purpose: str) -> int:
        return seed_of(terms.seed, index, purpose, str(view))

    verdict = judge.judge(own, played, terms.nodes, seeded("first"))
    choice = verdict.of(played)
    made = replace(made, state=str(view))
    if len(verdict.choices) == 1 and len(view.legal_actions()) == 1:
        return replace(_said(made, verdict.choices, choice), name=FORCED)
    if _is_suspect(verdict.choices, choice, terms):
        verdict = judge.judge(own, played, terms.deep, seeded("second"), hands=True)
        choice = verdict.of(played)
    loss, error = _lost(choice, terms)
    name = None if loss is None else terms.thresholds.name(
        loss, error, is_best=choice is verdict.choices[0])
    made = replace(_said(made, verdict.choices, choice), name=name)
    if name not in ERRORS:
        return made
    hands = verdict.hands
    if judge.is_ours and not hands:
        # What is proved at the first look gets no second.
        hands = judge.judge(own, played, terms.nodes, seeded("first"), hands=True).hands
    best = verdict.choices[0].action
    rolled = rollout(own, actions=[best, played], trials=WHY_TRIALS, minimum=WHY_MINIMUM,
                     seed=seeded("why"))
    return replace(
        made, hands=hands or None, why=why(rolled, played, best),
        hindsight=_hindsight(history, word, judge, terms, seeded("hindsight")))


def seed_of(seed: int, index: int, purpose: str, view: str) -> int:
    """A seed that follows from what a seat sees, and from nothing that it does not."""
    digest = hashlib.sha256(f"{seed} {index} {purpose} {view}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1 | 1


def _said(made: Judged, choices: Sequence[Choice], played: Choice) -> Judged:
    """The values of the best and of the action that was played."""
    best = choices[0] if choices else Choice(played.action)
    return replace(
        made, best=str(best.action), points=best.points, loss=played.loss,
        loss_error=played.loss_error, match=best.match, match_loss=played.match_loss,
        match_error=played.match_error, exact=best.exact and played.exact,
        choices=tuple(choices))


def _lost(choice: Choice, terms: Terms) -> tuple[float | None, float | None]:
    """What the classes go by: a loss and its error."""
    if terms.objective == "match":
        return choice.match_loss, choice.match_error
    return choice.loss, choice.loss_error


def _is_suspect(choices: Sequence[Choice], played: Choice, terms: Terms) -> bool:
    """Whether a second look is due."""
    assert terms.thresholds is not None
    if played.exact and choices[0].exact:
        return False
    loss, error = _lost(played, terms)
    if loss is None:
        return False
    is_best = played is choices[0]
    if not is_best:
        return terms.thresholds.is_suspect(loss, error or 0.0, is_best=False)
    # Another may be the best, by as much as is not known of the difference.
    return any(
        terms.thresholds.is_suspect(-(behind or 0.0), error or 0.0, is_best=True)
        for behind, error in (_lost(other, terms) for other in choices[1:]))


def _hindsight(
    history: History, word: str, judge: Judge, terms: Terms, seed: int
) -> Mapping[str, Any] | None:
    """What would have been best with all cards known."""
    if not isinstance(judge, OwnJudge) or history.start.viewer is not None:
        return None
    verdict = judge.in_hindsight(history, terms.nodes, seed)
    played = next(choice for choice in verdict.choices if str(choice.action) == word)
    best = verdict.choices[0]
    assert best.points is not None and played.loss is not None
    return {
        "state": str(history.state), "best": str(best.action), "points": rounded(best.points),
        "loss": rounded(played.loss), "exact": best.exact and played.exact}


# --- the whole ------------------------------------------------------------------------

def put_together(
    record: Record, done: Iterable[Part], terms: Terms, number: int = 1
) -> Annotation:
    """The annotation of a record from all its parts, in any order."""
    done = list(done)
    decisions = sorted((one for part in done for one in part.decisions),
                       key=lambda one: one.index)
    deals = tuple(deal for part in done for deal in part.deals)
    judge = terms.judge()
    assert terms.thresholds is not None
    with_ends = tuple(_punished(record, decisions))
    return Annotation(
        record, number, judge.name, judge.evaluation(record.start.rules), terms.seed,
        terms.limit(), terms.objective, terms.thresholds.as_dict(), terms.seat, with_ends, deals,
        tuple(_sides(record, with_ends, deals, terms)))


def _result(record: Record) -> tuple[float, ...] | None:
    """What each side is ahead by at the end; None where the cards were not played out."""
    if record.result.ending in ("forfeit", "unfinished"):
        return None
    return margins(record.start.rules, counted(record))


def _punished(record: Record, decisions: Sequence[Judged]) -> Iterator[Judged]:
    """The decisions, errors with whether they were punished.

    An error was punished where its side had no more, when it next had a choice or at the end,
    than midway between what the action played promised and what the best would have.
    """
    rules = record.start.rules
    result = _result(record)
    for place, one in enumerate(decisions):
        if one.name not in ERRORS or one.points is None or one.loss is None:
            yield one
            continue
        side = rules.side(one.seat)
        later = next((
            other.points for other in decisions[place + 1:]
            if rules.side(other.seat) == side and other.name not in (None, FORCED)), None)
        if later is None and result is not None:
            later = result[side]
        yield one if later is None else replace(
            one, punished=later <= one.points - one.loss / 2)


def _sides(
    record: Record, decisions: Sequence[Judged], deals: Sequence[DealLuck], terms: Terms
) -> Iterator[Side]:
    """The sums of each side."""
    rules = record.start.rules
    sides = range(rules.sides)
    own = [[one for one in decisions if rules.side(one.seat) == side] for side in sides]
    losses = [_loss(mine) for mine in own]
    is_whole = record.start.viewer is None
    start = _start_of(record, decisions, deals, terms) if is_whole else None
    result = _result(record) if is_whole else None
    all_known = all(loss is not None for loss in losses) and (
        is_whole and all(one.name is not None for one in decisions))
    chances = _chances(record, terms)
    for side in sides:
        luck = rounded(sum(rounded(deal.luck[side]) for deal in deals)) if is_whole else None
        skill = rounded(
            margins_of([-(loss or 0.0) for loss in losses])[side]) if all_known else None
        begin = None if start is None else rounded(start[side])
        rest = adjusted = None
        if result is not None and luck is not None:
            adjusted = rounded(result[side] - luck)
            if begin is not None and skill is not None:
                rest = rounded(result[side] - begin - luck - skill)
        mine = own[side]
        judged = [one for one in mine if one.name is not None]
        yield Side(
            counted(record)[side], begin, luck, skill, rest, adjusted,
            losses[side] if judged or (is_whole and terms.seat is None) else None,
            sum(one.name != FORCED for one in judged),
            sum(one.name == FORCED for one in judged), tally(mine), chances[side])


def _loss(decisions: Sequence[Judged]) -> float | None:
    """What a side threw away in all, None where something of it is not known."""
    judged = [one.loss for one in decisions if one.name not in (None, FORCED)]
    if any(one.name is None and one.state is not None for one in decisions):
        return None
    return rounded(sum(rounded(loss or 0.0) for loss in judged))


def margins_of(numbers: Sequence[float]) -> list[float]:
    """Each number less the mean of the others."""
    total, others = sum(numbers), len(numbers) - 1
    return [own - (total - own) / others for own in numbers]


def _start_of(
    record: Record, decisions: Sequence[Judged], deals: Sequence[DealLuck], terms: Terms
) -> tuple[float, ...] | None:
    """What each side could expect before any card was dealt.

    Of a record that begins amid a smazzata what its first decision was worth, before the cards
    where it begins with a deal; None for three sides then, of which a decision tells nothing
    but its own side's.
    """
    rules = record.start.rules
    if _begins_anew(record.start, deals):
        return start_value(rules, record.start.dealer, evaluation=_evaluation(rules, terms))
    if rules.sides != 2 or not decisions or decisions[0].points is None:
        return None
    first = decisions[0]
    assert first.points is not None
    side = rules.side(first.seat)
    points = first.points
    if deals and deals[0].round == first.round:
        points -= deals[0].luck[side]
    return tuple(points if other == side else -points for other in range(2))


def _begins_anew(start: State, deals: Sequence[DealLuck]) -> bool:
    """Whether a record begins with the deal of a smazzata."""
    if start.is_over:
        # The first table has won or lost the match.
        return any(start.hands)
    return bool(deals) and deals[0].round == start.round == 1


def _chances(record: Record, terms: Terms) -> list[tuple[float, float] | None]:
    """The chance of each side to win the match, before and after; None where that is not
    known."""
    start, rules = record.start, record.start.rules
    result = record.result
    if result.ending == "unfinished" or start.viewer is not None:
        return [None] * rules.sides
    engine = Engine()
    evaluation, _ = engine.prepare(rules)
    before = rules.side((start.dealer - 1) % rules.players)
    after = [score + points for score, points in zip(start.scores, result.points, strict=True)]
    won = -1 if record.final.won is None else record.final.won

    def shares(scores: Sequence[int], dealer: int, won: int) -> list[float]:
        chances, winners = evaluation.equity.chances(list(scores), dealer, won)
        if not winners:
            return list(chances)
        count = winners.bit_count()
        return [1 / count if winners >> side & 1 else 0.0 for side in range(rules.sides)]

    return list(zip(shares(start.scores, before, -1),
                    shares(after, rules.side(start.dealer), won), strict=True))


def jobs(record: Record, terms: Terms) -> list[partial[Part]]:
    """What is to be done for a record, by any worker in any order."""
    return [partial(part_of, record, part, terms) for part in parts(record, terms)]
