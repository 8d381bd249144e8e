"""What is said of an action: its value, the time and nodes it took, and free text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cirulla_ai.basics.numbers import given, whole
from cirulla_ai.records.notes import notes_of, with_notes
from cirulla_ai.records.text import RecordError, clean

__all__ = ["Comment"]

VALUE = re.compile(r"([+-])([0-9]{1,12})(?:\.([0-9]{1,2}))?")
TIME = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,3}))?s")
NODES = re.compile(r"([0-9]{1,18})n")
# Stands for the figures where there are none, and the text would look like some.
NO_FIGURES = "-"


@dataclass(frozen=True)
class Comment:
    """A comment on an action.

    ``centipoints`` is 100 × the points that the side to move expects to be ahead by at the
    end of the smazzata, as the engine's ``score cp``; ``milliseconds`` what the decision
    took, ``nodes`` the iterations of its search; ``text`` is free, its white space made
    single spaces.  Raises RecordError for numbers that are not whole or out of range.

    >>> comment = Comment(centipoints=125, milliseconds=300, nodes=12000, text="or a scopa")
    >>> str(comment)
    '+1.25/0.3s/12000n or a scopa'
    >>> Comment.parse(str(comment)) == comment
    True
    """

    centipoints: int | None = None
    milliseconds: int | None = None
    nodes: int | None = None
    text: str = ""

    def __post_init__(self) -> None:
        limits = (("centipoints", self.centipoints, -(10**14), 10**14),
                  ("milliseconds", self.milliseconds, 0, 10**15),
                  ("nodes", self.nodes, 0, 10**18))
        for name, value, low, high in limits:
            if value is None:
                continue
            try:
                object.__setattr__(self, name, whole(value, low, high - 1))
            except ValueError:
                raise RecordError(f"{name} {given(value)}: a whole number from {low} to below "
                                  f"{high} is needed") from None
        object.__setattr__(self, "text", clean(self.text))

    def __bool__(self) -> bool:
        return bool(self.text) or any(
            n is not None for n in (self.centipoints, self.milliseconds, self.nodes))

    @property
    def notes(self) -> dict[str, str]:
        """What a program says in the text as ``[%name value]``, by name in lower case.

        >>> Comment(text="[%loss 0.52] a pity").notes
        {'loss': '0.52'}
        """
        return notes_of(self.text)

    def with_notes(self, notes: Mapping[str, str | None]) -> Comment:
        """The comment with these notes in place of those of the same names; None takes one out.

        Raises RecordError for a name or a value that can't be one.
        """
        return replace(self, text=with_notes(self.text, notes))

    def figures(self) -> str:
        """Value, time and nodes, those that there are: ``+1.25/0.3s/12000n``."""
        parts = []
        if self.centipoints is not None:
            whole, hundredths = divmod(abs(self.centipoints), 100)
            parts.append(f"{'-' if self.centipoints < 0 else '+'}{whole}.{hundredths:02}")
        if self.milliseconds is not None:
            seconds, rest = divmod(self.milliseconds, 1000)
            parts.append(f"{seconds}.{rest:03}".rstrip("0").rstrip(".") + "s")
        if self.nodes is not None:
            parts.append(f"{self.nodes}n")
        return "/".join(parts)

    def __str__(self) -> str:
        """As it stands between braces, its own braces not escaped."""
        figures = self.figures()
        first = self.text.partition(" ")[0]
        if not figures and (first == NO_FIGURES or read_figures(first) is not None):
            figures = NO_FIGURES
        return f"{figures} {self.text}".strip()

    @classmethod
    def parse(cls, text: str) -> Comment:
        """From what stands between braces; whatever is no figure is text.

        Raises TypeError for what is no text.
        """
        first, _, rest = clean(text).partition(" ")
        if first == NO_FIGURES:
            return cls(text=rest)
        figures = read_figures(first)
        return cls(text=text) if figures is None else cls(*figures, text=rest)

    @classmethod
    def joined(cls, comments: Sequence[Comment]) -> Comment:
        """Several comments as one: the first figures that there are, and all that was said."""
        if len(comments) < 2:
            return comments[0] if comments else cls()
        figures = next((c for c in comments if c.figures()), None)
        text = " ".join(str(c) if c.figures() and c is not figures else c.text for c in comments)
        return replace(figures, text=text) if figures else cls(text=text)


def read_figures(word: str) -> tuple[int | None, int | None, int | None] | None:
    """Centipoints, milliseconds and nodes of ``+1.25/0.3s/12000n``, of which some may be left
    out; None where it is no such word."""
    found: dict[int, int] = {}
    for part in word.split("/"):
        if match := VALUE.fullmatch(part):
            sign, whole, hundredths = match.groups()
            kind, number = 0, int(whole) * 100 + int((hundredths or "").ljust(2, "0"))
            number = -number if sign == "-" else number
        elif match := TIME.fullmatch(part):
            kind, number = 1, int(match[1]) * 1000 + int((match[2] or "").ljust(3, "0"))
        elif match := NODES.fullmatch(part):
            kind, number = 2, int(match[1])
        else:
            return None
        if any(kind <= other for other in found):
            return None
        found[kind] = number
    return found.get(0), found.get(1), found.get(2)
