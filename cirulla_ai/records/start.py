"""The state that a record starts from, by its tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from cirulla_ai.basics.numbers import whole_number
from cirulla_ai.records.text import RecordError
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Tags", "start_of"]

# Names to values and the lines that they stand on.
Tags = dict[str, tuple[str, int]]
T = TypeVar("T")


def start_of(tags: Mapping[str, tuple[str, int]], line: int) -> State:
    """The start: by ``State``, or else dealt by ``Pack``, or else by ``Seed``.

    Rules left out are those of ``cirulla``, the dealer the last seat, scores and misdeals 0,
    as everywhere.  What is given must agree.  Raises RecordError; ``line`` is that of the
    record.
    """
    # The rules first, and then the cards: what all the rest means depends on them.
    rules = _read(tags, "Rules", _rules)
    if not any(_is_given(tags, name) for name in ("Pack", "State", "Seed")):
        raise RecordError("no cards: one of the tags Pack, State and Seed is needed", line)
    start = _read(tags, "State", State.parse)
    dealer = _read(tags, "Dealer", whole_number)
    scores = _read(tags, "Scores", _scores)
    misdeals = _read(tags, "Misdeals", whole_number)
    viewer = _read(tags, "Viewer", whole_number)

    def deal(text: str) -> State:
        return State.deal(rules or Rules(), dealer=dealer, scores=scores, misdeals=misdeals or 0,
                          pack=text)

    def shuffle(text: str) -> State:
        # The tag counts all the misdeals before the deal, and the seed may have made some.
        seed = whole_number(text)
        counted = State.deal(rules or Rules(), dealer=dealer, scores=scores, seed=seed).misdeals
        before = 0 if misdeals is None else misdeals - counted
        if before < 0:
            raise ValueError(f"{text} makes {counted} misdeals, more than Misdeals {misdeals}")
        return State.deal(rules or Rules(), dealer=dealer, scores=scores, misdeals=before,
                          seed=seed)

    dealt = _read(tags, "Pack", deal)
    if start is not None and dealt is not None and start != dealt:
        raise RecordError(f"Pack deals another state than State: {dealt}", tags["Pack"][1])
    if start is None:
        start = dealt if dealt is not None else _read(tags, "Seed", shuffle)
    assert start is not None
    for name, given, found in (
        ("Rules", rules, start.rules), ("Dealer", dealer, start.dealer),
        ("Scores", scores, start.scores), ("Misdeals", misdeals, start.misdeals),
        ("Viewer", viewer, start.viewer),
    ):
        if given is not None and given != found:
            right = "/".join(map(str, found)) if isinstance(found, tuple) else found
            raise RecordError(f"{name} {tags[name][0]}: the cards are dealt with {name} "
                              f"{'-' if right is None else right}", tags[name][1])
    return start


def _rules(text: str) -> Rules:
    return Rules.parse(text if text.lower().startswith("rules=") else f"rules={text}")


def _scores(text: str) -> tuple[int, ...]:
    return tuple(whole_number(part.strip()) for part in text.replace("-", "/").split("/"))


def _is_given(tags: Mapping[str, tuple[str, int]], name: str) -> bool:
    return tags.get(name, ("", 0))[0] not in ("", "?", "-")


def _read(tags: Mapping[str, tuple[str, int]], name: str, read: Callable[[str], T]) -> T | None:
    """The value of a tag, None where it is left out or written ``?`` or ``-``."""
    if not _is_given(tags, name):
        return None
    text, line = tags[name]
    try:
        return read(text)
    except ValueError as error:
        message = str(error)[:500]
        # The game's own errors may name the same thing, in lower case.
        if message.lower().startswith(f"{name.lower()}: "):
            message = message[len(name) + 2:]
        raise RecordError(f"{name}: {message}", line) from None
