"""The JSON dialect of the analysis, checked against its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from cirulla_ai.analysis.dialect import schema

__all__ = ["check_object", "objects"]

VALIDATOR = Draft202012Validator(schema())


def check_object(words: Mapping[str, Any]) -> None:
    """Fail where an object is not as the schema says, or not as it reads back from its text."""
    VALIDATOR.validate(words)
    assert json.loads(json.dumps(words, allow_nan=False)) == words


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects of a command's output, one a line, each as the schema says."""
    for line in text.splitlines():
        words = json.loads(line)
        check_object(words)
        yield words
