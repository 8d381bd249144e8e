"""Every conversation with the engine in the documents goes as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.transcripts import agrees, conversations, replay, shortened

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_conversations(path: Path) -> None:
    for written in conversations(path.read_text(encoding="utf-8")):
        now = replay(written)
        assert agrees(written, now), "\n".join(["now it goes:", *shortened(written, now)])


def test_there_are_some_and_a_wrong_one_is_found() -> None:
    found = [c for path in DOCUMENTS for c in conversations(path.read_text(encoding="utf-8"))]
    assert len(found) > 5
    assert not agrees(["> isready", "< redyok"], replay(["> isready"]))
    assert agrees(["> d", "< …", "<"], replay(["> d"]))
