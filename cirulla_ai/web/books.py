"""Smazzate as records: given, read, judged, reviewed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from io import StringIO
from itertools import islice
from typing import Any

from aiohttp import web

from cirulla_ai._core.stop import Stop
from cirulla_ai.analysis.annotate import Part, Terms, part_of, parts, put_together
from cirulla_ai.history import History
from cirulla_ai.look import LANGUAGES
from cirulla_ai.play.advice import NODES
from cirulla_ai.play.views import sheet_dict
from cirulla_ai.records import Record, read_records, write_record, write_records
from cirulla_ai.review import review
from cirulla_ai.web.asks import Ask
from cirulla_ai.web.fields import FieldError
from cirulla_ai.web.sittings import MissingError
from cirulla_ai.web.workshop import Workshop

__all__ = ["Books"]

MOST_RECORDS = 100
# Annotations that are kept, of some forty thousand octets each.
MOST_KNOWN = 100


class Books:
    """Records and score sheets, annotations and reviews."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        # Annotations made before, by the record's text, the nodes, and the record's place.
        self._known: dict[tuple[str, int, int], Mapping[str, Any]] = {}

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
        async with self._workshop.stream(ask) as stream, aclosing(
                self._annotated(records, asked)) as parts:
            async for done, total, annotation in parts:
                if self._workshop.is_ending:
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
                    come.append(await self._workshop.think(partial(_part, record, part, terms)))
                    if len(come) < len(due):
                        yield done + len(come), total, None
                found = put_together(record, come, terms, place + 1).as_dict()
            # The one that was asked for last is the last.
            self._known[key] = found
            while len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
            done += len(due)
            yield done, total, found


def _records(text: str) -> list[Record]:
    """The records of a text; raises RecordError, FieldError where there are none or too many."""
    records = list(islice(read_records(text), MOST_RECORDS + 1))
    if not 0 < len(records) <= MOST_RECORDS:
        raise FieldError("text", f"text: more than {MOST_RECORDS} records" if records else
                         "text: there are no records in it")
    return records


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
