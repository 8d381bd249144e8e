"""The ``go`` command's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cirulla_ai.basics.numbers import given, whole_number
from cirulla_ai.engine.limit import Limit

__all__ = ["GoWords", "parse_go"]

NUMBERS = ("movetime", "nodes", "time", "inc")
WORDS = ("searchmoves", *NUMBERS, "infinite")
# Far beyond any use, well inside the core's 64-bit numbers.
MOST = 10**15
# What a front end may send for a time without an end.
MOST_SENT = 10**30


@dataclass(frozen=True)
class GoWords:
    """What a ``go`` asks.

    ``actions``: those to choose among, None for all.  ``is_endless``: the answer waits for
    a ``stop``, whatever ends the search.
    """

    limit: Limit
    actions: tuple[str, ...] | None
    is_endless: bool


def parse_go(words: Sequence[str]) -> GoWords:
    """Read the words after ``go``; raises ValueError with the word at fault."""
    numbers: dict[str, int] = {}
    actions: list[str] | None = None
    infinite = False
    at = 0
    while at < len(words):
        word = words[at].lower()
        at += 1
        if word == "infinite":
            infinite = True
        elif word in NUMBERS:
            if at == len(words):
                raise ValueError(f"no number after {word}")
            numbers[word] = _number(word, words[at])
            at += 1
        elif word == "searchmoves":
            actions = [] if actions is None else actions
            while at < len(words) and words[at].lower() not in WORDS:
                actions.append(words[at])
                at += 1
        else:
            raise ValueError(f"{words[at - 1]!r} is not a limit; there are {', '.join(WORDS)}")
    limit = Limit(**numbers)
    return GoWords(limit, None if actions is None else tuple(actions),
                   infinite or limit.is_infinite)


def _number(word: str, text: str) -> int:
    try:
        return max(-MOST, min(MOST, whole_number(text, -MOST_SENT, MOST_SENT, signed=True)))
    except ValueError:
        raise ValueError(f"{word} takes a whole number, not {given(text)}") from None
