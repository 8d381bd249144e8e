"""The one JSON dialect: the words that every object of an analysis begins with, and how it is
written.

Points are those of the smazzata, of the side to move less the mean of the others'; chances are
0 … 1; errors are standard errors in the unit of what they stand beside.  ``schema.json`` beside
this module says it for machines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from cirulla_ai.engine.engine import Engine
from cirulla_ai.engine.evaluation_file import load_evaluation
from cirulla_ai.engine.limit import Limit
from cirulla_ai.rules import Rules
from cirulla_ai.version import FULL_NAME

__all__ = ["PERSPECTIVE", "SCHEMA", "error_words", "evaluation_hash", "header", "limit_words",
           "rounded", "rules_text", "schema", "written"]

# The version of the dialect: it changes where what a key means changes, not where one is new.
SCHEMA = 1
PERSPECTIVE = "seat to move"
# Decimal places of points, chances and errors: finer than any error, and what is exact in halves
# and thirds reads as such.
PLACES = 4


def header(
    kind: str, *, evaluation: str | None = None, seed: int | None = None,
    limit: Mapping[str, object] | None = None, perspective: bool = False,
) -> dict[str, Any]:
    """The keys that every object begins with.

    ``evaluation``: the hash of the evaluation file in use; ``limit``: the words of what ended
    the search, by name; ``perspective``: whether there are values of actions.
    """
    words: dict[str, Any] = {
        "schema": SCHEMA, "kind": kind, "engine": FULL_NAME, "evaluation": evaluation,
        "seed": seed, "limit": None if limit is None else dict(limit)}
    if perspective:
        words["perspective"] = PERSPECTIVE
    return words


def error_words(error: Exception, **where: object) -> dict[str, Any]:
    """What is wrong, kind ``error``, and where: its ``file`` and ``line``, or the ``id`` and the
    ``field`` of a query."""
    return {**header("error"), **where, "error": str(error)}


def evaluation_hash(engine: Engine, rules: Rules) -> str | None:
    """The hash of the evaluation file that an engine uses for these rules, None where it has
    learned nothing of them or is not to use it."""
    file = load_evaluation(str(engine.options["EvalFile"]))
    return file.hash if engine.options["Evaluation"] and file.has_value(rules) else None


def limit_words(limit: Limit, until: float | None = None) -> dict[str, object]:
    """What ends a search, by name."""
    words: dict[str, object] = {
        name: value for name in ("nodes", "movetime")
        if (value := getattr(limit, name)) is not None}
    if until is not None:
        words["until"] = until
    return words


def rules_text(rules: Rules) -> str:
    """The preset, and the options that differ from it.

    >>> rules_text(Rules("cirulla", target=31))
    'cirulla target=31'
    """
    return str(rules).removeprefix("rules=")


def rounded(number: float) -> float:
    """A number as an object has it."""
    # Without a minus before nothing.
    return round(float(number), PLACES) + 0.0


def written(words: Mapping[str, object]) -> str:
    """An object as a line of JSON, in ASCII."""
    return json.dumps(words, separators=(",", ":"), allow_nan=False)


def schema() -> dict[str, Any]:
    """The JSON Schema of all objects (draft 2020-12)."""
    text = files("cirulla_ai.analysis").joinpath("schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
