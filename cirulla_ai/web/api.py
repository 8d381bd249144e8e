"""The answers of the API: a method for each endpoint of the table."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import web

from cirulla_ai._core.stop import Stop
from cirulla_ai.action import Action
from cirulla_ai.analysis import Analysis, analyse
from cirulla_ai.analysis.annotate import Part, Terms, part_of, parts, put_together
from cirulla_ai.analysis.dialect import rounded
from cirulla_ai.basics.encoding import read_text
from cirulla_ai.basics.outputs import written_whole
from cirulla_ai.engine.levels import FULL
from cirulla_ai.engine.limit import Limit
from cirulla_ai.games.options import Choice, Flag, Number
from cirulla_ai.games.registry import FAMILIES
from cirulla_ai.history import History
from cirulla_ai.look import LANGUAGES
from cirulla_ai.play import Game, Seat, TurnError, level_seat
from cirulla_ai.play.advice import NODES, advise, decision, judge, last_decision, reasons
from cirulla_ai.play.views import legal_dicts, position_dict, sheet_dict
from cirulla_ai.players import PLAYERS, make_player
from cirulla_ai.records import Record, read_records, write_record, write_records
from cirulla_ai.review import review
from cirulla_ai.rules import Rules
from cirulla_ai.state import State
from cirulla_ai.web.endpoints import SETTINGS
from cirulla_ai.web.fields import FieldError
from cirulla_ai.web.sittings import BusyError, MissingError, Sitting, Sittings
from cirulla_ai.web.streams import PULSE_SECONDS, Stream, dumped
from cirulla_ai.web.tokens import Grants, Tokens

__all__ = ["Api", "Ask", "mine"]

# Streams and searches at a time; beyond them 429.
MOST_STREAMS = 200
MOST_SEARCHES = 32
# Octets of what a client may say on a socket, where nothing is expected.
MOST_MESSAGE = 1024
MOST_RECORDS = 100
# Annotations that are kept, of some forty thousand octets each.
MOST_KNOWN = 100
# Games in a list, where it is not said how many.
MOST_LISTED = 100
# The first of a stream of analyses; each of those after it has twice as many iterations.
FIRST_NODES = 1000
STREAM_NODES = 128_000

T = TypeVar("T")


@dataclass
class Ask:
    """A request that may be answered: who asks, and what for.

    ``sitting`` is the game that the path names and ``seats`` those in it that the asker plays.
    """

    request: web.Request
    grants: Grants
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    sitting: Sitting | None = None
    seats: Sequence[int] = ()

    @property
    def game(self) -> Sitting:
        """The game that the path names."""
        assert self.sitting is not None
        return self.sitting

    def check_seat(self) -> None:
        """Raise FieldError where it is not clear, or not theirs, which seat is meant."""
        _ = self.seat

    @property
    def seat(self) -> int:
        """The seat that is meant; raises FieldError where it has to be said."""
        given = self.query.get("seat")
        if given is not None:
            if given not in self.seats:
                raise FieldError("seat", f"seat {given}: yours are "
                                 f"{', '.join(map(str, self.seats)) or 'none'}")
            return int(given)
        if len(self.seats) != 1:
            turn = self.game.game.turn
            if turn in self.seats:
                assert turn is not None
                return turn
            if not self.seats:
                raise FieldError("seat", "no seat of this game is yours")
        return self.seats[0]


class Api:
    """Everything that can be asked for, by the names of the table."""

    def __init__(self, folder: Path, tokens: Tokens, engines: Sequence[Seat] = ()) -> None:
        workers = max(2, os.cpu_count() or 1)
        self._bots = ThreadPoolExecutor(workers, thread_name_prefix="bot")
        self._advisers = ThreadPoolExecutor(workers, thread_name_prefix="adviser")
        self.sittings = Sittings(folder / "games", self._bots)
        self._settings = folder / "settings.json"
        self._tokens = tokens
        self._seats = {**{f"level-{k}": level_seat(k) for k in range(FULL + 1)},
                       **{name: Seat(name, f"player={name}") for name in PLAYERS
                          if not make_player(name).sees_all},
                       **{seat.name: seat for seat in engines}}
        self._streams = 0
        self._searches = 0
        self._is_ending = False
        # Annotations made before, by the record's text, the nodes, and the record's place.
        self._known: dict[tuple[str, int, int], Mapping[str, Any]] = {}
        # Where the server can be reached, as it says itself.
        self.address = ""

    def end_streams(self) -> None:
        """Let those that listen go."""
        self._is_ending = True
        self.sittings.tell()

    async def close(self) -> None:
        """End all that is under way."""
        await self.sittings.close()
        self._bots.shutdown(cancel_futures=True)
        self._advisers.shutdown(cancel_futures=True)

    # --- what there is ------------------------------------------------------------------

    async def presets(self, ask: Ask) -> dict[str, Any]:
        return {"families": [{
            "fewest": family.fewest,
            "presets": [{"name": name, "tradition": tradition, "changes": changes,
                         "players": Rules(name).players}
                        for name, (tradition, changes) in family.presets.items()],
            "options": [{
                "name": option.name, "help": option.help, "takes": option.takes,
                "default": option.format(Rules(next(iter(family.presets)))[option.name]),
                "kind": "flag" if isinstance(option, Flag) else
                "choice" if isinstance(option, Choice) else
                "number" if type(option) is Number else "text",
                "choices": list(option.choices) if isinstance(option, Choice) else [],
            } for option in family.options.values()]} for family in FAMILIES]}

    async def bots(self, ask: Ask) -> dict[str, Any]:
        def presets(seat: Seat) -> list[str]:
            families = FAMILIES
            if seat.kind == "player":
                families = make_player(seat.contender.player).families
            return [preset for family in families for preset in family.presets]

        return {"bots": [{"id": name, "name": seat.name, "kind": seat.kind, "level": seat.level,
                          "presets": presets(seat)} for name, seat in self._seats.items()]}

    async def rules(self, ask: Ask) -> dict[str, Any]:
        rules = _rules(ask.body["rules"])
        base = Rules(rules.preset)
        options = rules.family.options.items()
        return {
            "rules": str(rules).removeprefix("rules="), "preset": rules.preset,
            "tradition": Rules.tradition(rules.preset), "players": rules.players,
            "sides": rules.sides, "target": rules.target, "fewest": rules.family.fewest,
            "options": {name: option.format(rules[name]) for name, option in options},
            "changed": [name for name, _ in options if rules[name] != base[name]]}

    async def settings(self, ask: Ask) -> dict[str, Any]:
        try:
            found = SETTINGS.check(json.loads(read_text(self._settings)), "")
        except (OSError, ValueError):
            found = {}
        return {"language": "en", "level": FULL, "coach": False, "threshold": 25, "tables": [],
                "page": {}, **found}

    async def set_settings(self, ask: Ask) -> dict[str, Any]:
        tables = [{"name": table["name"], "rules":
                   str(_rules(table["rules"])).removeprefix("rules=")}
                  for table in ask.body.get("tables", ())]
        chosen = {**ask.body, **({"tables": tables} if tables else {})}
        with written_whole(self._settings) as unfinished:
            unfinished.write_text(json.dumps(chosen, ensure_ascii=False, indent=1), "utf-8")
        return await self.settings(ask)

    # --- games --------------------------------------------------------------------------

    async def games(self, ask: Ask) -> dict[str, Any]:
        return {"games": self.sittings.summaries(ask.query.get("most", MOST_LISTED)),
                "count": self.sittings.count}

    async def new_game(self, ask: Ask) -> dict[str, Any]:
        body = dict(ask.body)
        start = _state(body.pop("start")) if "start" in body else None
        if start is not None and (both := {"rules", "dealer", "scores"} & body.keys()):
            raise FieldError(min(both), f"{min(both)}: the start says it")
        rules = start.rules if start is not None else _rules(body.get("rules", "cirulla"))
        places = body.pop("seats", None)
        if places is None:
            places = [{"who": "me"}, *[{"who": f"level-{FULL}"}] * (rules.players - 1)]
        seats = [self._seat(place, f"seats[{k}].who") for k, place in enumerate(places)]
        if not any(seat.is_person for seat in seats):
            raise FieldError("seats", "seats: nobody would see it: one at least is me or guest")
        body["rules"] = rules
        game = Game(seats=seats, start=start, **body)
        sitting = self.sittings.add(game, [place["who"] for place in places])
        own = mine(sitting, Grants(True))
        view = self._view(sitting, own, own[0]) if own else None
        return {"game": sitting.name, "links": self._links(sitting), "view": view}

    def _seat(self, place: Mapping[str, str], name: str) -> Seat:
        who = place["who"]
        if who in ("me", "guest"):
            return Seat(place.get("name", ""))
        if who not in self._seats:
            raise FieldError(name, f"{name} {who!r}: it takes me, guest, level-0 … level-{FULL}, "
                             f"{', '.join(n for n in self._seats if not n.startswith('level-'))}")
        seat = self._seats[who]
        return Seat(place.get("name") or seat.name, seat.bot)

    def _links(self, sitting: Sitting) -> dict[str, str]:
        return {str(seat): f"{self.address}/?token={self._tokens.seat(sitting.name, seat)}"
                for seat, who in enumerate(sitting.who) if who == "guest"}

    def _view(self, sitting: Sitting, seats: Sequence[int], seat: int) -> dict[str, Any]:
        view = sitting.game.view(seat).as_dict()
        places = [{**place, "who": who}
                  for place, who in zip(view["seats"], sitting.who, strict=True)]
        return {"game": sitting.name, **view, "yours": list(seats), "seats": places,
                "problem": sitting.problem}

    async def view(self, ask: Ask) -> dict[str, Any]:
        return self._view(ask.game, ask.seats, ask.seat)

    async def delete(self, ask: Ask) -> None:
        await self.sittings.delete(ask.game.name)

    async def links(self, ask: Ask) -> dict[str, Any]:
        return {"links": self._links(ask.game)}

    async def sit(self, ask: Ask) -> dict[str, Any]:
        sitting = ask.game
        text = ask.request.match_info["place"]
        if text not in map(str, range(len(sitting.who))):
            raise MissingError(f"there is no seat {text[:20]!r}; there are 0 … "
                               f"{len(sitting.who) - 1}")
        place = int(text)
        seat = self._seat(ask.body, "who")
        before = list(sitting.who)

        def sit(game: Game) -> None:
            game.sit(place, seat)
            sitting.who[place] = ask.body["who"]

        if not seat.is_person and not any(
                other.is_person for k, other in enumerate(sitting.game.seats) if k != place):
            raise FieldError("who", "who: nobody would see it: one seat at least is me or guest")
        sitting.dismiss(place)
        try:
            sitting.change(sit)
        except OSError:
            sitting.who = before
            raise
        ask.seats = mine(sitting, ask.grants)
        return await self.view(ask)

    async def legal(self, ask: Ask) -> dict[str, Any]:
        return {"legal": legal_dicts(ask.game.game.view(ask.seat).state)}

    async def act(self, ask: Ask) -> dict[str, Any]:
        version = ask.body.get("version")
        if version is not None and version != ask.game.game.version:
            raise TurnError(f"version {version}: the game has changed since; it is "
                            f"{ask.game.game.version} now")
        action = Action(ask.body["action"])
        return self._changed(ask, lambda game: game.act(ask.seat, action))

    async def deal(self, ask: Ask) -> dict[str, Any]:
        return self._changed(ask, Game.deal)

    async def take_back(self, ask: Ask) -> dict[str, Any]:
        return self._changed(ask, lambda game: game.take_back(ask.seat))

    def _changed(self, ask: Ask, what: Callable[[Game], None]) -> dict[str, Any]:
        # Whose view it is is settled before the turn passes on.
        seat = ask.seat
        ask.game.change(what)
        return self._view(ask.game, ask.seats, seat)

    # --- thinking -----------------------------------------------------------------------

    async def _think(self, work: Callable[[Stop], T]) -> T:
        """Do it in another thread, with a stop that is set where nobody waits any more."""
        if self._searches >= MOST_SEARCHES:
            raise BusyError(f"{self._searches} searches go on already; ask again later")
        stop = Stop()
        self._searches += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._advisers, work, stop)
        finally:
            self._searches -= 1
            stop.set()

    def _decides(self, ask: Ask) -> History:
        """What the seat has seen, where it is its turn; raises TurnError where not."""
        view = ask.game.game.view(ask.seat)
        if not view.is_turn:
            raise TurnError(f"seat {view.seat} is not to move")
        return view.history

    async def hint(self, ask: Ask) -> dict[str, Any]:
        seat, history = ask.seat, self._decides(ask)
        version = ask.game.game.version
        nodes = ask.body.get("nodes", NODES)
        found = await self._think(lambda stop: advise(history, nodes=nodes, stop=stop))
        if ask.game.game.version == version:
            ask.game.change(lambda game: game.note(seat, f"hint: {found.best.action}"))
        return found.best.as_dict()

    async def judgement(self, ask: Ask) -> dict[str, Any]:
        history = ask.game.game.view(ask.seat).history
        number = ask.query.get("number")
        if number is None:
            number = last_decision(history)
        decided, action = decision(history, number)
        nodes = ask.query.get("nodes", NODES)
        judged = await self._think(lambda stop: judge(decided, action, nodes=nodes, stop=stop))
        why = None
        if ask.query.get("why"):
            why = await self._think(lambda _: reasons(decided, judged))
        return {**judged.as_dict(), "why": None if why is None else {
            item: rounded(points) for item, points in why.items()}}

    async def watch(self, ask: Ask) -> web.StreamResponse:
        game = ask.game
        history = self._decides(ask)
        version = game.game.version
        async with self._stream(ask) as stream:
            await self._say_analyses(
                stream, history, ask.query, lambda: game.game.version == version)
        return stream.response

    async def analyse(self, ask: Ask) -> web.StreamResponse:
        history = _history(ask.body)
        # Refused before the stream begins.
        history.choices()
        async with self._stream(ask) as stream:
            await self._say_analyses(stream, history, ask.body, lambda: True)
        return stream.response

    async def _say_analyses(
        self, stream: Stream, history: History, asked: Mapping[str, Any],
        is_there: Callable[[], bool],
    ) -> None:
        """One analysis after the other, each of twice as many iterations, while it is of use."""
        most = asked.get("nodes", STREAM_NODES)
        nodes = min(FIRST_NODES, most)
        while is_there() and not self._is_ending:
            try:
                limit = Limit(nodes=nodes)
                found = await self._think(partial(_analysed, history, limit))
            except BusyError as error:
                await stream.say("end", {"error": str(error), "field": None})
                return
            await stream.say("analysis", found.as_dict(asked.get("top")))
            if nodes >= most or all(one.exact for one in found.actions):
                break
            nodes = min(2 * nodes, most)
        await stream.say("end", {})

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """One stream more, for as long as it is open; raises BusyError."""
        if self._streams >= MOST_STREAMS:
            raise BusyError(f"{self._streams} streams are open already; close some")
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    @asynccontextmanager
    async def _stream(self, ask: Ask) -> AsyncIterator[Stream]:
        """A stream to whoever asks, until it has gone; raises BusyError."""
        with self._counted():
            stream = await Stream.to(ask.request)
            with suppress(ConnectionError):
                yield stream

    async def _views(self, ask: Ask) -> AsyncGenerator[dict[str, Any] | None, None]:
        """A seat's view at once and after every change; None where there was none for a while.

        It ends with the game, with the seat's being somebody else's, and with the server.
        """
        sitting, seat = ask.game, ask.seat
        async with aclosing(sitting.changes(PULSE_SECONDS)) as changes:
            async for is_changed in changes:
                seats = mine(sitting, ask.grants)
                if self._is_ending or sitting.is_gone or seat not in seats:
                    return
                yield self._view(sitting, seats, seat) if is_changed else None

    async def events(self, ask: Ask) -> web.StreamResponse:
        # Refused before the stream begins.
        ask.check_seat()
        async with self._stream(ask) as stream, aclosing(self._views(ask)) as views:
            async for view in views:
                if view is None:
                    await stream.pulse()
                else:
                    await stream.say("view", view, view["version"])
            await stream.say("end", {})
        return stream.response

    async def socket(self, ask: Ask) -> web.StreamResponse:
        ask.check_seat()
        with self._counted():
            socket = web.WebSocketResponse(heartbeat=PULSE_SECONDS, max_msg_size=MOST_MESSAGE)
            await socket.prepare(ask.request)

            async def send() -> None:
                async with aclosing(self._views(ask)) as views:
                    async for view in views:
                        if view is not None:
                            await socket.send_str(dumped({"event": "view", "data": view}))
                await socket.send_str(dumped({"event": "end", "data": {}}))
                await socket.close()

            sending = asyncio.create_task(send())
            try:
                # Nothing is expected: it ends when it is closed.
                async for _ in socket:
                    pass
            finally:
                sending.cancel()
                with suppress(asyncio.CancelledError, ConnectionError):
                    await sending
        return socket

    # --- smazzate judged ----------------------------------------------------------------

    def _finished(self, ask: Ask) -> list[Record]:
        """The smazzate of a game that are over, or the one that is asked for."""
        records = ask.game.game.records
        number = ask.query.get("smazzata")
        if number is None and records:
            return list(records)
        if number is None or number > len(records):
            raise MissingError(_not_over(number, len(records)))
        return [records[number - 1]]

    async def annotations(self, ask: Ask) -> web.StreamResponse:
        return await self._stream_annotations(ask, self._finished(ask), ask.query)

    async def annotate(self, ask: Ask) -> web.StreamResponse:
        return await self._stream_annotations(ask, _records(ask.body["text"]), ask.body)

    async def review(self, ask: Ask) -> web.Response:
        return await self._review(self._finished(ask), ask.query)

    async def review_records(self, ask: Ask) -> web.Response:
        return await self._review(_records(ask.body["text"]), ask.body)

    async def _stream_annotations(
        self, ask: Ask, records: Sequence[Record], asked: Mapping[str, Any]
    ) -> web.StreamResponse:
        async with self._stream(ask) as stream, aclosing(
                self._annotated(records, asked)) as parts:
            async for done, total, annotation in parts:
                if self._is_ending:
                    break
                await stream.say("progress", {"done": done, "total": total})
                if annotation is not None:
                    await stream.say("annotation", annotation)
            await stream.say("end", {})
        return stream.response

    async def _review(self, records: Sequence[Record], asked: Mapping[str, Any]) -> web.Response:
        annotations = [annotation async for _, _, annotation in self._annotated(records, asked)
                       if annotation is not None]
        page = review(annotations, asked.get("language", LANGUAGES[0]))
        # It brings its own styles and scripts, so it may do nothing here.
        return web.Response(text=page, content_type="text/html", headers={
            "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'self'"})

    async def _annotated(
        self, records: Sequence[Record], asked: Mapping[str, Any]
    ) -> AsyncGenerator[tuple[int, int, Mapping[str, Any] | None], None]:
        """How many parts are judged, of how many, and the record's annotation with its last."""
        terms = Terms(nodes=asked.get("nodes", NODES))
        split = [parts(record, terms) for record in records]
        total, done = sum(map(len, split)), 0
        for place, (record, due) in enumerate(zip(records, split, strict=True)):
            key = (write_record(record), terms.nodes, place)
            found = self._known.pop(key, None)
            if found is None:
                come = []
                for part in due:
                    come.append(await self._think(partial(_part, record, part, terms)))
                    if len(come) < len(due):
                        yield done + len(come), total, None
                found = put_together(record, come, terms, place + 1).as_dict()
            # The one that was asked for last is the last.
            self._known[key] = found
            while len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
            done += len(due)
            yield done, total, found

    # --- records and positions ----------------------------------------------------------

    async def sheet(self, ask: Ask) -> dict[str, Any]:
        game = ask.game.game
        number = ask.query.get("smazzata", len(game.records))
        if not 1 <= number <= len(game.records):
            raise MissingError(_not_over(number, len(game.records)))
        record = game.records[number - 1]
        return sheet_dict(_played(record).view(ask.seat), number)

    async def record(self, ask: Ask) -> web.Response:
        records = ask.game.game.record_for(ask.seat)
        number = ask.query.get("smazzata")
        if number is not None:
            if number > len(records):
                raise MissingError(f"smazzata {number}: there are 1 … {len(records)}")
            records = [records[number - 1]]
        return web.Response(text=_text(records))

    async def read(self, ask: Ask) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        for record in _records(ask.body["text"]):
            result = record.result
            found.append({
                "text": _text([record]), "names": list(record.names),
                "rules": str(record.start.rules).removeprefix("rules="),
                "points": list(result.points), "ending": result.ending,
                "viewer": record.start.viewer, "start": str(record.start),
                "moves": [ply.word for ply in record.plies],
                "positions": [str(state) for state in record.states()]})
        return {"records": found}

    async def position(self, ask: Ask) -> dict[str, Any]:
        state = _history(ask.body).state
        try:
            return position_dict(state, ask.body.get("holding"))
        except ValueError as error:
            raise FieldError("holding", str(error)) from None


def mine(sitting: Sitting, grants: Grants) -> list[int]:
    """The seats that somebody plays with these tokens."""
    return [seat for seat, who in enumerate(sitting.who)
            if (who == "me" and grants.is_owner)
            or (who == "guest" and (sitting.name, seat) in grants.seats)]


def _rules(text: str) -> Rules:
    try:
        return Rules.parse(text)
    except ValueError as error:
        raise FieldError("rules", str(error)) from None


def _state(text: str) -> State:
    try:
        return State.parse(text)
    except ValueError as error:
        raise FieldError("start", str(error)) from None


def _history(asked: Mapping[str, Any]) -> History:
    """A position that was set up, and what was played from it."""
    try:
        state = State.parse(asked["state"].removeprefix("state "))
    except ValueError as error:
        raise FieldError("state", str(error)) from None
    try:
        return History(state, *asked.get("moves", ()))
    except ValueError as error:
        raise FieldError("moves", str(error)) from None


def _records(text: str) -> list[Record]:
    """The records of a text; raises RecordError, FieldError where there are none or too many."""
    records = list(islice(read_records(text), MOST_RECORDS + 1))
    if not 0 < len(records) <= MOST_RECORDS:
        raise FieldError("text", f"text: more than {MOST_RECORDS} records" if records else
                         "text: there are no records in it")
    return records


def _analysed(history: History, limit: Limit, stop: Stop) -> Analysis:
    return analyse(history, limit, stop=stop)


def _part(record: Record, part: Part, terms: Terms, _: Stop) -> Part:
    """A part of a record judged: short enough to be waited for."""
    return part_of(record, part, terms)


def _not_over(number: int | None, finished: int) -> str:
    if not finished:
        return "no smazzata is over yet"
    return f"smazzata {number}: those that are over are 1 … {finished}"


def _played(record: Record) -> History:
    return History(record.start, *(ply.word for ply in record.plies))


def _text(records: Sequence[Record]) -> str:

    file = StringIO()
    write_records(records, file)
    return file.getvalue()


