"""Annotations as they are read: matches, their smazzate, deals and decisions, checked once.

Keys that a page has no use for are passed over, and what an annotation leaves out (hands that were
never seen, chances in a match) is left out of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeVar

from cirulla_ai.action import Action
from cirulla_ai.look import CARDS
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["ERRORS", "KINDS", "Candidate", "Deal", "Decision", "Hindsight", "Match", "ReviewError",
           "Side", "Smazzata", "read_matches"]

KINDS = ("best", "fine", "doubtful", "mistake", "blunder", "forced")
# Those that a reader is shown at once.
ERRORS = ("doubtful", "mistake", "blunder")
# What the whole match is worth in points where errors are weighed: as the bounds of the classes.
MATCH_IN_POINTS = 12.5

T = TypeVar("T")


class ReviewError(ValueError):
    """What was given is no annotation; the message names the record, the key, and what is right."""


@dataclass(frozen=True)
class Candidate:
    """One play that could be chosen.  Points and their errors, chances 0 … 1; None: not said."""

    action: str
    points: float | None
    error: float | None
    loss: float | None
    match: float | None
    exact: bool
    pv: tuple[str, ...]


@dataclass(frozen=True)
class Hindsight:
    """What would have been best with all cards known: the whole truth, and points."""

    state: State
    best: str
    points: float
    loss: float


@dataclass(frozen=True)
class Decision:
    """One action of a record.  ``kind`` is its class, empty where nobody could judge it; ``state``
    is what its seat saw, None where that is not known; ``number`` counts the actions of all
    records from 0; ``weight`` is its loss in points, as which chances of the match count where they
    are what was judged by."""

    number: int
    round: int
    seat: int
    side: int
    action: str
    kind: str = ""
    state: State | None = None
    best: str = ""
    loss: float = 0.0
    loss_error: float | None = None
    match_loss: float | None = None
    weight: float = 0.0
    exact: bool = False
    punished: bool | None = None
    candidates: tuple[Candidate, ...] = ()
    why: Mapping[str, float] | None = None
    hands: Mapping[int, Mapping[str, float]] | None = None
    hindsight: Hindsight | None = None

    @property
    def is_error(self) -> bool:
        """Whether it is doubtful or worse."""
        return self.kind in ERRORS


@dataclass(frozen=True)
class Deal:
    """The deal of a round, and what luck it was to each side: points, chances of the match.
    ``number`` counts those of all records from 0."""

    number: int
    round: int
    luck: tuple[float, ...]
    match: tuple[float, ...] | None


@dataclass(frozen=True)
class Side:
    """What a side's result consists of, in points; ``match`` its chances before and after.

    ``points`` counts a match that was won outright as its target.  None: not known.
    """

    points: int
    start: float | None
    luck: float | None
    skill: float | None
    rest: float | None
    match: tuple[float, float] | None


@dataclass(frozen=True)
class Smazzata:
    """One record."""

    rules: Rules
    names: tuple[str, ...]
    dealer: int
    scores: tuple[int, ...]
    points: tuple[int, ...]
    result: str
    deals: tuple[Deal, ...]
    decisions: tuple[Decision, ...]
    sides: tuple[Side, ...]
    judge: str
    nodes: int | None
    by_match: bool

    @property
    def after(self) -> tuple[int, ...]:
        """The match scores after it, a side."""
        return tuple(a + b for a, b in zip(self.scores, self.points, strict=True))

    def lead(self, side: int) -> float:
        """Points of a side less the mean of the others'; where few are good, the other way."""
        points = [one.points for one in self.sides]
        lead = points[side] - (sum(points) - points[side]) / (len(points) - 1)
        return -lead if self.rules.family.fewest else lead

    def end(self, side: int) -> float:
        """What the curve of a side's points comes to, from 0: its lead, as far as all is known."""
        one = self.sides[side]
        if one.rest is not None:
            return self.lead(side)
        return sum(part for part in (one.start, one.luck, one.skill) if part is not None)

    def is_followed_by(self, other: Smazzata) -> bool:
        """Whether the other is the next smazzata of the same match."""
        return (self.rules == other.rules and self.names == other.names
                and other.scores == self.after and any(other.scores))


@dataclass(frozen=True)
class Match:
    """Smazzate that follow one another in one match; often just one."""

    smazzate: tuple[Smazzata, ...]

    @property
    def first(self) -> Smazzata:
        """The first of them, whose rules and players are those of all."""
        return self.smazzate[0]

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores at the end, a side."""
        return self.smazzate[-1].after

    def knows(self, name: str) -> bool:
        """Whether a part of the sums is known of all sides of all its smazzate."""
        return all(getattr(side, name) is not None
                   for one in self.smazzate for side in one.sides)

    @property
    def has_curve(self) -> bool:
        """Whether what the curve consists of is known."""
        return all(map(self.knows, ("start", "luck", "skill")))

    @property
    def has_chances(self) -> bool:
        """Whether chances to win the match are known for all of it."""
        return self.has_curve and self.knows("match") and all(
            deal.match is not None for one in self.smazzate for deal in one.deals)


def read_matches(annotations: Iterable[Mapping[str, Any]]) -> tuple[Match, ...]:
    """Annotations in the order of their records, joined to matches where they follow one another.

    Raises ReviewError for what is no annotation, or none at all.
    """
    matches: list[list[Smazzata]] = []
    decisions = deals = 0
    for number, words in enumerate(annotations, 1):
        smazzata = _Reader(f"record {number}", words).smazzata(decisions, deals)
        decisions += len(smazzata.decisions)
        deals += len(smazzata.deals)
        if matches and matches[-1][-1].is_followed_by(smazzata):
            matches[-1].append(smazzata)
        else:
            matches.append([smazzata])
    if not matches:
        raise ReviewError("there is no annotation: at least one record is needed")
    return tuple(Match(tuple(one)) for one in matches)


class _Reader:
    """Reads an object key by key, and knows where it stands."""

    def __init__(self, where: str, words: Any) -> None:
        if not isinstance(words, Mapping):
            raise ReviewError(f"{where}: an object is needed")
        self.where = where
        self.words = words

    # --- one key ----------------------------------------------------------------------

    def wrong(self, key: str, needed: str) -> ReviewError:
        return ReviewError(f"{self.where}: {key}: {needed} is needed")

    def text(self, key: str, default: str | None = None) -> str:
        value = self.words.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self.words.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
            raise self.wrong(key, "a number")
        return float(value)

    def maybe(self, key: str) -> float | None:
        return None if self.words.get(key) is None else self.number(key)

    def whole(self, key: str, most: int, default: int | None = None) -> int:
        value = self.words.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise self.wrong(key, f"a whole number from 0 to {most}")
        return value

    def listed(self, key: str, length: int | None = None) -> list[Any]:
        value = self.words.get(key, None if length else [])
        if not isinstance(value, list) or length not in (None, len(value)):
            raise self.wrong(key, "a list" if length is None else f"a list of {length}")
        return value

    def numbers(self, key: str, length: int) -> tuple[float, ...]:
        reader = _Reader(f"{self.where}: {key}", dict(enumerate(self.listed(key, length))))
        return tuple(reader.number(place) for place in range(length))  # type: ignore[arg-type]

    def inner(self, key: str, words: Any) -> _Reader:
        return _Reader(f"{self.where}: {key}", words)

    def action(self, key: str) -> str:
        text = self.text(key)
        try:
            return str(Action(text))
        except ValueError as error:
            raise ReviewError(f"{self.where}: {key}: {error}") from None

    def state(self, key: str) -> State:
        text = self.text(key)
        try:
            return State.parse(text)
        except ValueError as error:
            raise ReviewError(f"{self.where}: {key}: {error}") from None

    def shares(self, key: str) -> dict[str, float] | None:
        """Numbers by name, or None where there are none."""
        if self.words.get(key) is None:
            return None
        inner = self.inner(key, self.words[key])
        return {str(name): inner.number(name) for name in inner.words}

    # --- what they are together -------------------------------------------------------

    def smazzata(self, decisions: int, deals: int) -> Smazzata:
        """A record, after so many decisions and deals of those before it."""
        if self.words.get("kind") != "annotation":
            raise self.wrong("kind", "annotation")
        text = self.text("rules")
        try:
            rules = Rules.parse(text)
        except ValueError as error:
            raise ReviewError(f"{self.where}: rules: {error}") from None
        sides, players = rules.sides, rules.players
        names = self.listed("players") or [""] * players
        if len(names) != players:
            raise self.wrong("players", f"a list of {players}")
        whole = _Reader(self.where, {"scores": [0] * sides, **self.words})
        return Smazzata(
            rules, tuple(str(name or "") for name in names),
            self.whole("dealer", players - 1, players - 1),
            tuple(map(int, whole.numbers("scores", sides))),
            tuple(map(int, self.numbers("points", sides))), self.text("result", ""),
            tuple(self.inner(f"deals[{place}]", deal).deal(deals + place, sides)
                  for place, deal in enumerate(self.listed("deals"))),
            tuple(self.inner(f"decisions[{place}]", decision).decision(
                decisions + place, rules, self._by_match)
                  for place, decision in enumerate(self.listed("decisions"))),
            tuple(self.inner(f"sides[{place}]", side).side()
                  for place, side in enumerate(self.listed("sides", sides))),
            self.text("judge", self.words.get("engine") or ""), self._nodes(), self._by_match)

    @property
    def _by_match(self) -> bool:
        return self.words.get("objective") == "match"

    def _nodes(self) -> int | None:
        limit = self.words.get("limit")
        nodes = limit.get("nodes") if isinstance(limit, Mapping) else None
        return nodes if isinstance(nodes, int) else None

    def deal(self, number: int, sides: int) -> Deal:
        match = self.words.get("match")
        return Deal(number, self.whole("round", 40), self.numbers("luck", sides),
                    None if match is None else self.numbers("match", sides))

    def side(self) -> Side:
        match = None
        if self.words.get("match") is not None:
            before, after = self.numbers("match", 2)
            match = before, after
        return Side(int(self.number("points", 0)), self.maybe("start"), self.maybe("luck"),
                    self.maybe("skill"), self.maybe("rest"), match)

    def decision(self, number: int, rules: Rules, by_match: bool) -> Decision:
        seat = self.whole("seat", rules.players - 1)
        # A card handed on by another seat was not seen.
        action = self.action("action")
        kind = self.words.get("class") or ""
        if kind and self.words.get("best") is None:
            kind = ""
        if kind not in ("", *KINDS):
            raise self.wrong("class", f"one of {', '.join(KINDS)}")
        if not kind:
            return Decision(number, self.whole("round", 40, 1), seat, rules.side(seat), action)
        best = self.action("best")
        state = self.state("state")
        if state.rules != rules or state.turn != seat:
            raise self.wrong("state", f"one where seat {seat} is to play by these rules")
        candidates = tuple(self.inner(f"actions[{place}]", one).candidate()
                           for place, one in enumerate(self.listed("actions")))
        loss, match_loss = max(0.0, self.maybe("loss") or 0.0), self.maybe("match_loss")
        return Decision(
            number, self.whole("round", 40, 1), seat, rules.side(seat), action, kind, state, best,
            loss, self.maybe("loss_error"), match_loss,
            max(0.0, match_loss or 0.0) * MATCH_IN_POINTS if by_match else loss,
            bool(self.words.get("exact")), self._punished(), candidates,
            self.shares("why"), self._hands(rules, seat), self._hindsight(rules))

    def _punished(self) -> bool | None:
        punished = self.words.get("punished")
        return punished if isinstance(punished, bool) else None

    def _hands(self, rules: Rules, seat: int) -> dict[int, Mapping[str, float]] | None:
        if self.words.get("hands") is None:
            return None
        inner = self.inner("hands", self.words["hands"])
        found: dict[int, Mapping[str, float]] = {
            other: inner.shares(str(other)) or {} for other in range(rules.players)
            if other != seat and str(other) in inner.words}
        for other, cards in found.items():
            for name in cards.keys() - set(CARDS):
                raise inner.wrong(str(other), f"a card as 7H, not {name!r},")
        return found

    def _hindsight(self, rules: Rules) -> Hindsight | None:
        if self.words.get("hindsight") is None:
            return None
        inner = self.inner("hindsight", self.words["hindsight"])
        state = inner.state("state")
        if state.rules != rules:
            raise inner.wrong("state", "one by the record's rules")
        return Hindsight(state, inner.action("best"), inner.number("points"),
                         max(0.0, inner.number("loss", 0)))

    def candidate(self) -> Candidate:
        pv = [self.inner("pv", {"action": one}).action("action") for one in self.listed("pv")
              if not str(one).startswith("@")]
        loss = self.maybe("loss")
        return Candidate(
            self.action("action"), self.maybe("points"), self.maybe("error"),
            None if loss is None else max(0.0, loss), self.maybe("match"),
            bool(self.words.get("exact")), tuple(pv))
