"""Many records annotated: by workers, gone on with after a kill, written in their order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

from cirulla_ai.analysis.annotate import Part, Terms, part_of, parts, put_together
from cirulla_ai.analysis.dialect import written
from cirulla_ai.records import Record, write_record
from cirulla_ai.version import FULL_NAME
from cirulla_ai.workers.journal import Journal
from cirulla_ai.workers.pool import work

__all__ = ["Annotations", "annotate_all", "journal_for"]


class Annotations(Journal):
    """The annotations of a run that is not over yet: for each record a line with its text, as it
    is to be written."""

    run = "run of annotate"
    entry = "annotation"

    def check(self, result: Any) -> None:
        """Raise an error, as Journal says, for what is not an annotation."""
        if json.loads(result["annotation"])["kind"] != "annotation":
            raise ValueError("another kind")


def journal_for(path: Path, records: Sequence[Record], terms: Terms) -> Annotations:
    """What a run of these records by these terms has done for ``path`` already.

    Raises JournalError where another run was left unfinished there.
    """
    texts = hashlib.sha256("\n".join(map(write_record, records)).encode()).hexdigest()
    return Annotations(path.with_name(f"{path.name}.unfinished"), {
        "engine": FULL_NAME, "evaluation": [
            terms.judge().evaluation(rules) for rules in
            dict.fromkeys(record.start.rules for record in records)],
        "records": texts, **terms.as_dict()})


def annotate_all(
    records: Sequence[Record],
    terms: Terms,
    on_record: Callable[[int, Mapping[str, Any]], object],
    *,
    done: Annotations | None = None,
    executor: Executor | None = None,
    in_flight: int = 1,
    on_part: Callable[[int], object] = lambda parts: None,
    on_interrupt: Callable[[int], None] = lambda running: None,
) -> None:
    """Annotate records, those that are not ``done`` yet, by an executor's workers or here.

    ``on_record`` gets each annotation in the JSON dialect with its place from 0, in the order in
    which they come, ``on_part`` how many parts are over.  What comes does not depend on how
    many work.  Raises InterruptedByUserError as ``work`` does, and what ``annotate`` raises.
    """
    left = [place for place in range(len(records)) if done is None or place not in done]
    split = {place: parts(records[place], terms) for place in left}
    come: dict[int, list[Part]] = {place: [] for place in left}
    over = 0

    def finish(place: int) -> None:
        words = put_together(records[place], come.pop(place), terms, place + 1).as_dict()
        if done is not None:
            done.add({"index": place, "annotation": written(words)})
        on_record(place, words)

    def take(result: tuple[int, Part]) -> bool:
        nonlocal over
        place, part = result
        come[place].append(part)
        over += 1
        on_part(over)
        if len(come[place]) == len(split[place]):
            finish(place)
        return False

    for place in left:
        if not split[place]:
            finish(place)
    jobs = (partial(judged_part, records[place], place, part, terms)
            for place in left for part in split[place])
    if executor is not None:
        work(jobs, executor, in_flight=in_flight, on_result=take, on_interrupt=on_interrupt)
        return
    for job in jobs:
        take(job())


def judged_part(record: Record, place: int, part: Part, terms: Terms) -> tuple[int, Part]:
    """A part of a record judged, with the record's place."""
    return place, part_of(record, part, terms)


def in_order(
    total: int, write: Callable[[Mapping[str, Any]], object]
) -> Callable[[int, Mapping[str, Any]], None]:
    """A function that is given annotations with their places from 0 as they come, and hands
    them to ``write`` in the order of their places."""
    waiting: dict[int, Mapping[str, Any]] = {}
    order: Iterator[int] = iter(range(total))
    following = next(order, None)

    def take(place: int, words: Mapping[str, Any]) -> None:
        nonlocal following
        waiting[place] = words
        while following in waiting:
            write(waiting.pop(following))
            following = next(order, None)

    return take
