"""What programs say in a comment, for programs: ``[%name value]`` amid its text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cirulla_ai.basics.numbers import given
from cirulla_ai.records.text import RecordError, clean

__all__ = ["notes_of", "with_notes"]

NOTE = re.compile(r"\[%([A-Za-z][A-Za-z0-9_]{0,39})(?: ([^\[\]{}]*))?\]")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


def notes_of(text: str) -> dict[str, str]:
    """The notes in a comment's text, names in lower case to values; of one name the first.

    >>> notes_of("[%best 7Hx3S5C] [%loss 0.52] a pity")
    {'best': '7Hx3S5C', 'loss': '0.52'}
    """
    found: dict[str, str] = {}
    for match in NOTE.finditer(text):
        found.setdefault(match[1].lower(), (match[2] or "").strip())
    return found


def with_notes(text: str, notes: Mapping[str, str | None]) -> str:
    """A comment's text with these notes before all else, in place of those of the same names.

    None takes a note out.  Raises RecordError for a name or a value that can't be one.

    >>> with_notes("[%loss 0.52] a pity", {"loss": "0.48", "best": "7H"})
    '[%loss 0.48] [%best 7H] a pity'
    """
    words = []
    for name, value in notes.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise RecordError(f"note {given(name)}: a name is a letter, then letters, digits and "
                              "_, forty at most")
        if value is not None:
            note = f"[%{name} {clean(value)}]"
            if not NOTE.fullmatch(note):
                raise RecordError(f"note {name}, {given(value)}: brackets and braces can't stand "
                                  "in one")
            words.append(note)
    names = {name.lower() for name in notes}
    rest = NOTE.sub(lambda match: "" if match[1].lower() in names else match[0], text)
    return clean(" ".join((*words, rest)))
