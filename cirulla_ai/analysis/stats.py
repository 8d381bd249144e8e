"""Annotations pooled: what players throw away, where, how often, and how lucky they were."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from cirulla_ai.analysis.annotation import margins
from cirulla_ai.analysis.classes import CLASSES, ERRORS, FORCED
from cirulla_ai.analysis.dialect import header, rounded
from cirulla_ai.analysis.marking import read_marked
from cirulla_ai.analysis.strength import Level, level_of
from cirulla_ai.basics.numbers import given
from cirulla_ai.records import read_records
from cirulla_ai.rules import Rules

__all__ = ["Mean", "Played", "Player", "Stats", "read_annotations"]

# Beyond any points.
MOST = 1e9
KINDS = ("claim", "capture", "lay", "hand", "trick")


class Mean(NamedTuple):
    """A mean of so many numbers, and its standard error, None of one alone."""

    number: int
    mean: float
    error: float | None

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect."""
        return {"decisions": self.number, "loss": rounded(self.mean),
                "loss_error": None if self.error is None else rounded(self.error)}


@dataclass
class Losses:
    """What was lost by decisions, kept by record: those of one are not independent."""

    records: list[list[float]] = field(default_factory=list)

    def begin(self) -> None:
        """Another record."""
        self.records.append([])

    def add(self, loss: float) -> None:
        """Another decision of the record."""
        self.records[-1].append(loss)

    def mean(self) -> Mean | None:
        """The loss a decision; None where there is none.

        Its error is that of a ratio of sums over records (Cochran, Sampling Techniques, 6.4);
        of one record alone that of its decisions.
        """
        rows = [row for row in self.records if row]
        number = sum(map(len, rows))
        if not number:
            return None
        mean = sum(map(sum, rows)) / number
        if len(rows) == 1:
            rows = [[loss] for loss in rows[0]]
        k = len(rows)
        if k == 1:
            return Mean(number, mean, None)
        spread = sum((sum(row) - mean * len(row)) ** 2 for row in rows)
        return Mean(number, mean, sqrt(spread * k / (k - 1)) / number)


class Played(NamedTuple):
    """A decision as it is pooled."""

    seat: int
    round: int
    kind: str
    name: str
    loss: float | None
    match_loss: float | None
    punished: bool | None


class Pooled(NamedTuple):
    """A record as it is pooled: luck and result per side, points less the others', None where
    they are not known."""

    rules: Rules
    players: tuple[str | None, ...]
    limit: tuple[int, int] | None
    decisions: tuple[Played, ...]
    luck: tuple[float, ...] | None
    result: tuple[float, ...] | None


class Player:
    """What is pooled of one player, or of all."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.records = 0
        self.classes: Counter[str] = Counter()
        self.losses = Losses()
        self.match_losses = Losses()
        self.rounds: dict[int, Losses] = {}
        self.kinds: dict[str, Losses] = {}
        self.last_rounds = Losses()
        self.punished: Counter[bool] = Counter()
        self.luck: list[float] = []
        self.results: list[float] = []
        # Under which rules, and judged by how many iterations: what a level depends on.
        self.terms: set[tuple[str, tuple[int, int] | None]] = set()

    def add(self, pooled: Pooled, seats: Sequence[int]) -> None:
        """Take in the decisions of some seats of a record."""
        self.records += 1
        last = len(pooled.rules.rounds)
        self.terms.add((str(pooled.rules), pooled.limit))
        for losses in (self.losses, self.match_losses, self.last_rounds, *self.rounds.values(),
                       *self.kinds.values()):
            losses.begin()
        for one in pooled.decisions:
            if one.seat not in seats:
                continue
            self.classes[one.name] += 1
            if one.name == FORCED:
                continue
            if one.punished is not None:
                self.punished[one.punished] += 1
            if one.match_loss is not None:
                self.match_losses.add(one.match_loss)
            if one.loss is None:
                continue
            places = [self.losses, self._place(self.rounds, one.round),
                      self._place(self.kinds, one.kind)]
            if one.round == last > 1:
                places.append(self.last_rounds)
            for losses in places:
                losses.add(one.loss)
        sides = {pooled.rules.side(seat) for seat in seats}
        if pooled.luck is not None and pooled.result is not None and len(sides) == 1:
            side = sides.pop()
            self.luck.append(pooled.luck[side])
            self.results.append(pooled.result[side])

    @staticmethod
    def _place(places: dict[Any, Losses], key: object) -> Losses:
        if key not in places:
            places[key] = Losses()
            places[key].begin()
        return places[key]

    @property
    def decisions(self) -> int:
        """How many decisions with a choice were judged."""
        return sum(number for name, number in self.classes.items() if name != FORCED)

    @property
    def errors(self) -> int:
        """How many of them were doubtful or worse."""
        return sum(self.classes[name] for name in ERRORS)

    def level(self) -> Level | None:
        """Which level of the engine loses as much; None where no table says so."""
        mean = self.losses.mean()
        if mean is None or mean.error is None or len(self.terms) != 1:
            return None
        (rules, limit), = self.terms
        return level_of(rules, limit, mean.mean, mean.error)

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect."""
        losses, match_losses, last = (
            one.mean() for one in (self.losses, self.match_losses, self.last_rounds))
        level = self.level()
        return {
            "player": self.name, "records": self.records, "decisions": self.decisions,
            "forced": self.classes[FORCED],
            "loss": rounded(losses.mean) if losses else None,
            "loss_error": rounded(losses.error) if losses and losses.error is not None else None,
            "match_loss": rounded(match_losses.mean) if match_losses else None,
            "by_class": {name: self.classes[name] for name in CLASSES if name != FORCED},
            "rates": {name: rounded(self.classes[name] / self.decisions)
                      for name in CLASSES if name != FORCED} if self.decisions else {},
            "punished": self.punished[True], "unpunished": self.punished[False],
            "rounds": [{"round": number, **mean.as_dict()}
                       for number, row in sorted(self.rounds.items()) if (mean := row.mean())],
            "kinds": [{"kind": kind, **mean.as_dict()} for kind in KINDS
                      if kind in self.kinds and (mean := self.kinds[kind].mean())],
            "last_rounds": last.as_dict() if last else None,
            "smazzate": len(self.luck),
            "result": _mean(self.results), "luck": _mean(self.luck),
            "adjusted": _mean([a - b for a, b in zip(self.results, self.luck, strict=True)]),
            "level": None if level is None else level.as_dict()}


def _mean(numbers: Sequence[float]) -> float | None:
    return rounded(sum(numbers) / len(numbers)) if numbers else None


class Stats:
    """Annotations pooled, by player and in all."""

    def __init__(self) -> None:
        self.all = Player(None)
        self.players: dict[str, Player] = {}

    def add(self, words: Mapping[str, Any]) -> None:
        """Take in an annotation in the JSON dialect.

        Raises ValueError where it is none, with what is wrong.
        """
        pooled = _pooled(words)
        seats = range(pooled.rules.players)
        self.all.add(pooled, seats)
        names = [name or f"seat {seat}" for seat, name in enumerate(pooled.players)]
        for name in dict.fromkeys(names):
            own = [seat for seat in seats if names[seat] == name]
            # One who was not judged was not there, as in what another seat saw.
            if any(one.seat in own for one in pooled.decisions):
                self.players.setdefault(name, Player(name)).add(pooled, own)

    def as_dict(self) -> dict[str, Any]:
        """It in the JSON dialect: kind ``stats``."""
        return {**header("stats"), "records": self.all.records, "all": self.all.as_dict(),
                "players": [self.players[name].as_dict() for name in sorted(self.players)]}


# --- what is read ---------------------------------------------------------------------

def read_annotations(path: Path) -> Iterator[tuple[str, Mapping[str, Any] | ValueError]]:
    """The annotations of a file, JSON lines or annotated records, each with where it stands.

    An error stands for one that can't be read.  Raises OSError where the file can't be opened.
    """
    with path.open("rb") as file:
        first = next((line for line in file if line.strip(b"\xef\xbb\xbf \t\r\n")), b"")
        is_json = first.lstrip(b"\xef\xbb\xbf \t").startswith(b"{")
        file.seek(0)
        if is_json:
            for number, line in enumerate(file, 1):
                if line.strip(b"\xef\xbb\xbf \t\r\n"):
                    yield f"line {number}", _parsed(line)
            return
        errors: list[ValueError] = []
        for number, record in enumerate(read_records(file, on_error=errors.append), 1):
            yield from (("", error) for error in errors)
            errors.clear()
            try:
                yield f"record {number}", read_marked(record)
            except ValueError as error:
                yield f"record {number}", error
        yield from (("", error) for error in errors)


def _parsed(line: bytes) -> Mapping[str, Any] | ValueError:
    try:
        words = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return ValueError(f"no JSON: {error}")
    return words if isinstance(words, dict) else ValueError(
        f"{given(words)[:60]}: an object is needed")


def _pooled(words: Mapping[str, Any]) -> Pooled:
    """An annotation, checked."""
    if words.get("kind") != "annotation":
        raise ValueError(f"kind {given(words.get('kind'))[:60]}: an annotation is needed, as "
                         "cirulla annotate --json writes it")
    rules = Rules.parse(_text(words, "rules"))
    players = words.get("players")
    if not isinstance(players, list) or len(players) != rules.players or not all(
            isinstance(name, str | None) for name in players):
        raise ValueError(f"players {given(players)[:60]}: a name or null for each of "
                         f"{rules.players} seats is needed")
    limit = words.get("limit")
    nodes, deep = ((limit.get("nodes"), limit.get("deep")) if isinstance(limit, dict)
                   else (None, None))
    luck, result = _sums(words, rules)
    return Pooled(
        rules, tuple(players),
        (nodes, deep) if isinstance(nodes, int) and isinstance(deep, int) else None,
        tuple(_decisions(words, rules)), luck, result)


def _text(words: Mapping[str, Any], key: str) -> str:
    if not isinstance(words.get(key), str):
        raise ValueError(f"{key} {given(words.get(key))[:60]}: a text is needed")
    return str(words[key])


def _decisions(words: Mapping[str, Any], rules: Rules) -> Iterator[Played]:
    for one in _listed(words, "decisions"):
        name = one.get("class")
        if name is None:
            continue
        seat, number = one.get("seat"), one.get("round")
        if name not in CLASSES:
            raise ValueError(f"class {given(name)[:60]}; there are {', '.join(CLASSES)}")
        if not isinstance(seat, int) or not 0 <= seat < rules.players:
            raise ValueError(f"seat {given(seat)[:60]}: there are 0 … {rules.players - 1}")
        if not isinstance(number, int) or not 0 < number < MOST:
            raise ValueError(f"round {given(number)[:60]}: a whole number is needed")
        kind = _text(one, "kind")
        punished = one.get("punished")
        yield Played(seat, number, kind, name, _number(one, "loss"), _number(one, "match_loss"),
                     punished if isinstance(punished, bool) else None)


def _sums(
    words: Mapping[str, Any], rules: Rules
) -> tuple[tuple[float, ...] | None, tuple[float, ...] | None]:
    """Luck and result a side; None where the one is not known or the cards were not played."""
    ending = _text(words, "result").split()[1:2]
    points = words.get("points")
    if not isinstance(points, list) or len(points) != rules.sides or not all(
            isinstance(number, int) for number in points):
        raise ValueError(f"points {given(points)[:60]}: a whole number for each of {rules.sides} "
                         "sides is needed")
    deals = [[_real(number, "luck") for number in _list(deal, "luck")]
             for deal in _listed(words, "deals")]
    if any(len(deal) != rules.sides for deal in deals):
        raise ValueError(f"luck: a number for each of {rules.sides} sides is needed")
    if words.get("viewer") is not None or not deals or ending in (["forfeit"], ["unfinished"]):
        return None, None
    sides = words.get("sides")
    if isinstance(sides, list) and len(sides) == rules.sides:
        # A match won outright counts as its target there, as in what luck is measured by.
        points = [side.get("points", own) if isinstance(side, dict) else own
                  for side, own in zip(sides, points, strict=True)]
    return tuple(map(sum, zip(*deals, strict=True))), margins(
        rules, [_real(number, "points") for number in points])


def _list(words: Mapping[str, Any], key: str) -> list[Any]:
    found = words.get(key)
    if not isinstance(found, list):
        raise ValueError(f"{key} {given(found)[:60]}: a list is needed")
    return found


def _listed(words: Mapping[str, Any], key: str) -> Iterable[Mapping[str, Any]]:
    found = _list(words, key)
    if not all(isinstance(one, dict) for one in found):
        raise ValueError(f"{key}: objects are needed")
    return found


def _number(words: Mapping[str, Any], key: str) -> float | None:
    return None if words.get(key) is None else _real(words[key], key)


def _real(number: Any, key: str) -> float:
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not (
            abs(number) < MOST):
        raise ValueError(f"{key} {given(number)[:60]}: a number is needed")
    return float(number)
