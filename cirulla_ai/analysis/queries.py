"""Queries of the JSON lines engine: what a line asks.

A query is an object with an ``id`` and a ``position``, or a ``record`` and the ``turns`` that are
asked for; an ``action`` is about other queries, or the engine.  The semantics are those of
KataGo's analysis engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from cirulla_ai.analysis.positions import read_position
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import MAX_SEED, given, real, whole
from cirulla_ai.engine.limit import Limit
from cirulla_ai.history import History
from cirulla_ai.records.reader import read_records

__all__ = ["OPTIONAL", "Asked", "Defaults", "Query", "QueryError", "Request", "read_query"]

# The parts of an answer that a query may do without.
OPTIONAL = ("pv", "hands")
ACTIONS = ("terminate", "terminate_all", "version", "query_version")
FIELDS = ("id", "position", "record", "turns", "limit", "include", "priority", "top", "seed")
ACTION_FIELDS = ("id", "action", "terminateId", "turns")
# What one query may ask: some ten minutes of one thread.
MOST_NODES = 10**9
MOST_MILLISECONDS = 600_000
LEAST_UNTIL = 1e-3
MOST_PRIORITY = 10**9
MOST_ID = 1000
MOST_TOP = 10_000

T = TypeVar("T")


class QueryError(PortableError, ValueError):
    """A query that can't be carried out: the reason, the ``field`` at fault, and its ``id``."""

    def __init__(self, message: str, field: str | None = None, id: str | int | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.id = id


@dataclass(frozen=True)
class Defaults:
    """What holds where a query does not say: of the command line."""

    limit: Limit
    until: float | None = None
    seed: int = 1
    top: int | None = None
    threads: int = 1


@dataclass(frozen=True)
class Asked:
    """A decision that is asked for: the game so far, and in a record the number of the action
    that was chosen there, from 0."""

    game: History
    turn: int | None = None


@dataclass(frozen=True)
class Query:
    """Decisions to analyse, and how."""

    id: str | int
    asked: tuple[Asked, ...]
    limit: Limit
    until: float | None
    include: tuple[str, ...]
    priority: int
    top: int | None
    seed: int


@dataclass(frozen=True)
class Request:
    """An ``action``: ``terminate`` (the queries ``of`` that id, or only their ``turns``),
    ``terminate_all`` or ``version``; ``words`` are its own."""

    id: str | int
    action: str
    words: Mapping[str, Any]
    of: str | int | None = None
    turns: tuple[int, ...] | None = None


def read_query(line: str, defaults: Defaults) -> Query | Request:
    """What a line asks; raises QueryError with the field at fault."""
    try:
        words = json.loads(line, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise QueryError(f"no JSON: {error.msg} at column {error.colno}; a line is an object, as "
                         '{"id":"a","position":"startpos seed 1"}') from None
    except (ValueError, RecursionError) as error:
        raise QueryError(f"no JSON that can be read: {error}") from None
    if not isinstance(words, dict):
        raise QueryError(f"{given(words)} is no object; one is needed, as "
                         '{"id":"a","position":"startpos seed 1"}')
    id = _id(words, "id")
    try:
        return _request(id, words) if "action" in words else _query(id, words, defaults)
    except QueryError as error:
        raise QueryError(str(error), error.field, id) from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _id(words: Mapping[str, Any], field: str) -> str | int:
    id = words.get(field)
    if isinstance(id, str) and len(id) <= MOST_ID:
        return id
    if isinstance(id, int) and not isinstance(id, bool) and abs(id) < 1 << 53:
        return id
    what = "is missing" if field not in words else f"{given(id)} can't be one"
    raise QueryError(f"{field} {what}; it is a text of at most {MOST_ID} letters, or a whole "
                     "number", field)


def _check_fields(words: Mapping[str, Any], fields: Sequence[str]) -> None:
    for field in words:
        if field not in fields:
            raise QueryError(f"there is no field {given(field)} here; there are "
                             f"{', '.join(fields)}", field)


def _request(id: str | int, words: Mapping[str, Any]) -> Request:
    action = words["action"]
    if action not in ACTIONS:
        raise QueryError(f"action {given(action)}: there are {', '.join(ACTIONS)}", "action")
    _check_fields(words, ACTION_FIELDS if action == "terminate" else ACTION_FIELDS[:2])
    if action != "terminate":
        return Request(id, action, words)
    turns = _turns(words, 1 << 20)
    return Request(id, action, words, _id(words, "terminateId"), turns)


def _query(id: str | int, words: Mapping[str, Any], defaults: Defaults) -> Query:
    _check_fields(words, FIELDS)
    if ("position" in words) == ("record" in words):
        raise QueryError("it takes a position or a record, and has "
                         f"{'both' if 'record' in words else 'neither'}",
                         "record" if "record" in words else "position")
    seed = _read("seed", words, lambda value: whole(value, 0, MAX_SEED), defaults.seed)
    limit, until = _limit(words, defaults)
    return Query(
        id, _asked(words, seed), limit, until, _include(words),
        _read("priority", words, lambda value: whole(value, -MOST_PRIORITY, MOST_PRIORITY), 0),
        _read("top", words, lambda value: whole(value, 1, MOST_TOP), defaults.top), seed)


def _read(field: str, words: Mapping[str, Any], read: Callable[[Any], T], default: T) -> T:
    """What a field says, by ``read``, which raises ValueError; where it is missing, or null, the
    default."""
    value = words.get(field)
    if value is None:
        return default
    try:
        return read(value)
    except (ValueError, TypeError) as error:
        raise QueryError(f"{field}: {error}", field) from None


def _limit(words: Mapping[str, Any], defaults: Defaults) -> tuple[Limit, float | None]:
    limit = words.get("limit")
    if limit is None:
        return defaults.limit, defaults.until
    if not isinstance(limit, dict) or not limit or not limit.keys() <= {
            "nodes", "movetime", "until"}:
        raise QueryError(f"limit: {given(limit)} is none; one is an object of nodes, movetime (in "
                         'ms) or until (in points), as {"nodes":20000}', "limit")

    def read(name: str, check: Callable[[Any], T]) -> T | None:
        if name not in limit:
            return None
        try:
            return check(limit[name])
        except ValueError as error:
            raise QueryError(f"limit: {name} {error}", "limit") from None

    nodes = read("nodes", lambda value: whole(value, 1, MOST_NODES))
    movetime = read("movetime", lambda value: real(value, 0, MOST_MILLISECONDS))
    until = read("until", lambda value: real(value, LEAST_UNTIL, 1e6))
    return Limit(nodes=nodes, movetime=movetime), until


def _include(words: Mapping[str, Any]) -> tuple[str, ...]:
    include = words.get("include")
    if include is None:
        return OPTIONAL
    if not isinstance(include, list) or not all(name in OPTIONAL for name in include):
        raise QueryError(f"include: {given(include)} is none; one is a list of some of "
                         f"{', '.join(OPTIONAL)}", "include")
    return tuple(include)


def _turns(words: Mapping[str, Any], last: int) -> tuple[int, ...] | None:
    turns = words.get("turns")
    if turns is None:
        return None
    if not isinstance(turns, list) or not turns:
        raise QueryError(f"turns: {given(turns)} is no list of turns; one is as [0,5]", "turns")
    try:
        found = tuple(whole(turn, 0, last, "turn") for turn in turns)
    except ValueError as error:
        raise QueryError(f"turns: {error}", "turns") from None
    if len(set(found)) < len(found):
        raise QueryError("turns: one of them stands twice", "turns")
    return found


def _asked(words: Mapping[str, Any], seed: int) -> tuple[Asked, ...]:
    if "position" in words:
        if words.get("turns") is not None:
            raise QueryError("turns are those of a record; a position has none", "turns")
        return (Asked(_read("position", words, lambda text: read_position(_text(text), seed),
                            None) or _missing("position")),)
    games = _read("record", words, _games, None) or _missing("record")
    turns = _turns(words, len(games) - 1)
    if turns is None:
        # Those that somebody decides whose knowledge is there.
        turns = tuple(turn for turn, game in enumerate(games)
                      if game.state.turn is not None
                      and game.state.viewer in (None, game.state.turn)
                      and game.state.phase != "deal")
    if not turns:
        raise QueryError("record: nothing is decided in it", "record")
    return tuple(Asked(games[turn], turn) for turn in turns)


def _missing(field: str) -> NoReturn:
    raise QueryError(f"{field}: a text is needed, not null", field)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{given(value)} is no text")
    return value


def _games(text: object) -> list[History]:
    """The game before each action of a record, and after the last."""
    records = list(read_records(_text(text).splitlines(keepends=True)))
    if len(records) != 1:
        raise ValueError(f"{len(records)} records; one is needed")
    record = records[0]
    game = History(record.start)
    games = []
    for ply in record.plies:
        if not ply.is_deal:
            games.append(game)
        game = game.play(ply.word)
    return [*games, game]
