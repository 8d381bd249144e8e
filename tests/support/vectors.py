"""The test vectors: positions with their right answers, from an independent program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[1] / "data"
PRESET = re.compile(r"rules=(\S+)", re.IGNORECASE)


def _rows(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    with (DATA / f"{name}.jsonl").open(encoding="ascii") as lines:
        for number, line in enumerate(lines, start=1):
            row = json.loads(line)
            text = row.get("rules") or row.get("state") or row.get("text") or ""
            found = PRESET.search(text)
            preset = found.group(1).lower() if found else "none"
            yield f"line{number}-{preset}", row


def rows(name: str, **fields: object) -> list[Any]:
    """The rows of one file as pytest parameters, named by line and preset.

    Only those that have these values in these fields.
    """
    return [
        pytest.param(row, id=label)
        for label, row in _rows(name)
        if all(row.get(field) == value for field, value in fields.items())
    ]
