"""Annotations in records: marks behind the actions, notes in their comments, two tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cirulla_ai.analysis.annotation import counted, kind_of
from cirulla_ai.analysis.classes import CLASSES, ERRORS, FORCED, MARKS
from cirulla_ai.records import Comment, Ply, Record, RecordError

__all__ = ["TAGS", "is_annotated", "marked", "read_marked"]

TAGS = ("Annotator", "Luck")
# What a note says of the action before it, and the key of its number in the JSON dialect.
NUMBERS = {"points": "points", "loss": "loss", "error": "loss_error", "match": "match",
           "matchloss": "match_loss"}
NOTES = ("best", *NUMBERS, "class", "exact", "punished", "luck")
# Nothing is lost by the best, which goes without saying.
NOTHING = frozenset(("error", "matchloss"))
# With a sign.
SIGNED = frozenset(("points", "luck"))
# How the annotator tells its iterations, and whose decisions alone it has judged.
LIMIT = re.compile(r"\b([0-9]{1,14})/([0-9]{1,14}) nodes\b")
ALONE = re.compile(r", seat ([0-3]) alone\b")
# Decimal places, and how many at least.
PLACES, LEAST_PLACES = 4, 2


def marked(record: Record, words: Mapping[str, Any]) -> Record:
    """The record with an annotation of it (kind ``annotation``): earlier ones give way to it,
    what else was said stays."""
    decisions = iter(words["decisions"])
    luck = {deal["round"]: deal["luck"] for deal in words["deals"]}
    plies = []
    for ply in record.plies:
        if ply.is_deal:
            plies.append(ply)
            continue
        decision = next(decisions)
        notes: dict[str, str | None] = dict.fromkeys(NOTES)
        if (deal := luck.pop(decision["round"], None)) is not None:
            notes["luck"] = _shares(deal)
        notes |= dict(_notes(decision))
        comment = (ply.comment or Comment()).with_notes(_ordered(notes))
        mark = MARKS.get(decision["class"], "")
        # Praise is somebody's own; blame is the annotation's.
        plies.append(Ply(ply.word, comment, mark or (ply.mark if "?" not in ply.mark else "")))
    tags = {name: value for name, value in record.tags.items()
            if name.lower() not in [tag.lower() for tag in TAGS]}
    tags["Annotator"] = annotator(words)
    sums = [side["luck"] for side in words["sides"]]
    if None not in sums:
        tags["Luck"] = _shares(sums)
    return replace(record, plies=tuple(plies), tags=tags)


def annotator(words: Mapping[str, Any]) -> str:
    """Who judged, and how: what the tag says."""
    limit, terms = words["limit"], words["thresholds"]
    steps = "/".join(f"{terms[name]:g}" for name in ERRORS)
    return (f"{words['judge']}, {limit['nodes']}/{limit['deep']} nodes, seed {words['seed']}, "
            f"errors in {words['objective']} from {steps}"
            + ("" if words["seat"] is None else f", seat {words['seat']} alone"))


def _ordered(notes: Mapping[str, str | None]) -> dict[str, str | None]:
    """As they are read: the best first, the luck of the deal last."""
    return {name: notes[name] for name in NOTES}


def _notes(decision: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is said of a decision."""
    if decision["class"] in (None, FORCED):
        return
    yield "best", decision["best"]
    is_best = decision["best"] == decision["action"]
    for name, key in NUMBERS.items():
        if decision[key] is not None and not (is_best and name in NOTHING):
            yield name, _number(decision[key], is_signed=name in SIGNED)
    yield "class", decision["class"]
    if decision["exact"]:
        yield "exact", "yes"
    if decision["punished"] is not None:
        yield "punished", "yes" if decision["punished"] else "no"


def _number(number: float, *, is_signed: bool = False) -> str:
    text = f"{number:{'+' if is_signed else ''}.{PLACES}f}"
    whole, _, rest = text.partition(".")
    return f"{whole}.{rest.rstrip('0').ljust(LEAST_PLACES, '0')}"


def _shares(numbers: Sequence[float]) -> str:
    return "/".join(_number(number, is_signed=True) for number in numbers)


# --- back -----------------------------------------------------------------------------

def is_annotated(record: Record) -> bool:
    """Whether an annotation stands in a record."""
    return any(name.lower() == "annotator" for name in record.tags)


def read_marked(record: Record) -> dict[str, Any]:
    """What an annotated record says of its decisions and deals, as kind ``annotation`` has it,
    as far as it does.

    Raises RecordError for a record without one, and for notes that can't be read.
    """
    if not is_annotated(record):
        raise RecordError("it is not annotated; cirulla annotate does that")
    tag = next(value for name, value in record.tags.items() if name.lower() == "annotator")
    found, only = LIMIT.search(tag), ALONE.search(tag)
    limit = {"nodes": int(found[1]), "deep": int(found[2])} if found else {}
    alone = int(only[1]) if only else None
    decisions: list[dict[str, Any]] = []
    deals: list[dict[str, Any]] = []
    for index, (state, ply) in enumerate(record.moves()):
        notes = ply.comment.notes if ply.comment else {}
        where = f"action {index + 1}, {ply.word}"
        seat = state.turn
        name = notes.get("class")
        if name is not None and name not in CLASSES:
            raise RecordError(f"{where}: class {name[:60]!r}; there are {', '.join(CLASSES)}")
        if (name is None and state.viewer in (None, seat) and alone in (None, seat)
                and len(state.legal_actions()) == 1):
            name = FORCED
        best = ply.word if name == FORCED else notes.get("best")
        numbers: dict[str, float | None] = {
            key: None if note not in notes else _read(notes[note], where, note)
            for note, key in NUMBERS.items()}
        if best == ply.word and name != FORCED:
            numbers |= {NUMBERS[note]: 0.0 for note in NOTHING
                        if notes.keys() & {"loss" if note == "error" else "match"}}
        punished = notes.get("punished")
        decisions.append({
            "index": index, "round": state.round, "seat": seat, "action": ply.word,
            "kind": kind_of(state, ply.word), "best": best, **numbers,
            "class": name, "exact": notes.get("exact") == "yes",
            "punished": None if punished is None else punished == "yes"})
        if "luck" in notes:
            deals.append({"round": state.round, "luck": [
                _read(part, where, "luck") for part in notes["luck"].split("/")]})
            if len(deals[-1]["luck"]) != record.start.rules.sides:
                raise RecordError(f"{where}: luck {notes['luck'][:60]!r}: a number for each of "
                                  f"{record.start.rules.sides} sides is needed")
    return {
        "kind": "annotation", "limit": limit, "viewer": record.start.viewer,
        "rules": str(record.start.rules).removeprefix("rules="),
        "players": list(record.names), "points": list(record.result.points),
        "result": str(record.result), "decisions": decisions, "deals": deals,
        "sides": [{"points": points} for points in counted(record)]}


def _read(text: str, where: str, note: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e9:
        raise RecordError(f"{where}: {note} {text[:60]!r} is no number")
    return number
