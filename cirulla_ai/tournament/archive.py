"""The smazzate of a tournament as records that people read."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from cirulla_ai.records import Comment, Forfeit, Ply, Record, RecordError, write_records
from cirulla_ai.rules import Rules
from cirulla_ai.state import State
from cirulla_ai.tournament.referee import innocents

__all__ = ["write_archive"]

LOGGER = logging.getLogger(__name__)


def write_archive(
    path: Path, rules: Rules, names: Sequence[str], lines: Iterable[dict[str, Any]]
) -> None:
    """Write every smazzata of the stored deal sets (played with records) to ``path``."""
    left_out: Counter[str] = Counter()
    with path.open("w", encoding="utf-8") as file:
        write_records(records_of(rules, names, lines, left_out), file)
    if left_out:
        LOGGER.warning("left out of %s, whose records can't hold them: %s", path, ", ".join(
            f"{count} {name}" for name, count in sorted(left_out.items())))


def records_of(
    rules: Rules, names: Sequence[str], lines: Iterable[dict[str, Any]], left_out: Counter[str]
) -> Iterator[Record]:
    """The records of stored deal sets, in their order.

    ``left_out`` counts the numbers, by what they are, that no record can hold.
    """
    for line in lines:
        for game, played in enumerate(line["games"]):
            faults = {fault["smazzata"]: fault for fault in played.get("forfeits", ())}
            seated = [names[who] for who in played["seats"]]
            tags = {"Event": f"deal set {line['index'] + 1}, game {game + 1}"}
            for k, smazzata in enumerate(played["played"]):
                plies = [
                    Ply(word, _comment(said, left_out)) for word, said in zip(
                        smazzata["actions"].split(), smazzata["said"], strict=True)]
                forfeit = _forfeit(rules, played["seats"], faults.get(k))
                yield Record.from_play(State.parse(smazzata["start"]), plies, names=seated,
                                       tags=tags, forfeit=forfeit)


def _comment(said: Sequence[Any], left_out: Counter[str]) -> Comment:
    """What was said of an action, as far as it can be written down."""
    figures = {}
    for name, value in zip(("centipoints", "milliseconds", "nodes"), said, strict=True):
        try:
            Comment(**{name: value})
        except RecordError:
            left_out[name] += 1
        else:
            figures[name] = value
    return Comment(**figures)


def _forfeit(
    rules: Rules, seating: Sequence[int], fault: dict[str, Any] | None
) -> Forfeit | None:
    if fault is None:
        return None
    innocent = innocents(rules, seating, fault["seat"])
    points = tuple(fault["points"] if side in innocent else 0 for side in range(rules.sides))
    return Forfeit(fault["seat"], points, f"{fault['kind']}: {fault['detail']}")
