"""Records as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TextIO

from cirulla_ai.basics.numbers import given
from cirulla_ai.records.record import Record
from cirulla_ai.records.text import braced, fill, quoted
from cirulla_ai.state import State

__all__ = ["write_record", "write_records"]

INDENT = "   "


def write_record(record: Record) -> str:
    """The canonical text of a record, ended by a line break.

    >>> start = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
    >>> print(write_record(Record.from_play(start, ["!3C4D7H=2", "4DxASKD"])).split("\\n\\n")[1])
    1. 0:!3C4D7H=2 0:4DxASKD *
    <BLANKLINE>
    """
    if not isinstance(record, Record):
        raise TypeError(f"{given(record)} is no Record")
    lines = [line for name, value in tags_of(record) for line in tag_lines(name, value)]
    return "\n".join([*lines, "", *move_lines(record), ""])


def write_records(records: Iterable[Record], file: TextIO) -> None:
    """Write records to a file opened for text (UTF-8), an empty line between them.

    To go on with a file, write an empty line first.  Raises TypeError for a path: open it
    yourself, with ``encoding="utf-8"``.
    """
    if not hasattr(file, "write"):
        raise TypeError(f"file {given(file)}: an open file is needed, as "
                        "open(path, 'w', encoding='utf-8')")
    for number, record in enumerate(records):
        file.write("\n" * (number > 0) + write_record(record))


def pack_of(start: State) -> str | None:
    """Forty cards that deal this state, None where it is not the start of a smazzata.

    Each hand's cards in canonical order: other packs may deal the same.
    """
    if start.viewer is not None:
        return None
    rules, dealer = start.rules, start.dealer
    seats = [(dealer + 1 + k) % rules.players for k in range(rules.players)]
    hands = zip_longest(*(start.hands[seat] for seat in seats), fillvalue="")
    # A dealer's bonus has taken the first table; where all cards are dealt there is none.
    table = getattr(start, "table", ()) or start.taken[rules.side(dealer)]
    stock = getattr(start, "stock", ())
    pack = "".join((*(card for cards in hands for card in cards), *table, *stock))
    try:
        dealt = State.deal(rules, dealer=dealer, pack=pack, scores=start.scores,
                           misdeals=start.misdeals)
    except ValueError:
        return None
    return pack if dealt == start else None


def tags_of(record: Record) -> Iterator[tuple[str, str]]:
    """All the tags in the order in which they are written."""
    start = record.start
    free = dict(record.tags)
    for name in ("Event", "Date"):
        if name in free:
            yield name, free.pop(name)
    for seat in range(start.rules.players):
        if f"Seat{seat}" in free:
            yield f"Seat{seat}", free.pop(f"Seat{seat}")
    yield "Rules", str(start.rules).removeprefix("rules=")
    yield "Dealer", str(start.dealer)
    yield "Scores", "/".join(map(str, start.scores))
    yield "Misdeals", str(start.misdeals)
    if "Seed" in free:
        yield "Seed", free.pop("Seed")
    if start.viewer is not None:
        yield "Viewer", str(start.viewer)
    pack = pack_of(start)
    yield ("State", str(start)) if pack is None else ("Pack", pack)
    yield "Result", str(record.result)
    yield from free.items()


def tag_lines(name: str, value: str) -> Iterator[str]:
    """A tag on one line, or on several with the value in pieces."""
    head = f"[{name} "
    # Half a pack a line, so that cards are not cut in two.
    pieces = ([f'"{value[:40]}"', f'"{value[40:]}"'] if name == "Pack"
              else list(quoted(value, len(head), len(INDENT))))
    pieces[-1] += "]"
    yield head + pieces[0]
    for piece in pieces[1:]:
        yield INDENT + piece


def move_lines(record: Record) -> Iterator[str]:
    """The actions, a paragraph for each round, and the points at the end."""
    if record.comment:
        yield from fill(braced(record.comment), "", INDENT)
    result = record.result
    end = "*" if result.ending == "unfinished" else "/".join(map(str, result.points))
    words: list[str] = []
    state, number = record.start, 0
    for ply in record.plies:
        coming = state.round + ply.is_deal
        if coming != number:
            if words:
                yield from fill(words, f"{number}. ", INDENT)
            words, number = [], coming
        word = ply.word if ply.is_deal else f"{state.turn}:{ply.word}{ply.mark}"
        # An action and the figures after it are not put on two lines.
        first, *others = braced(str(ply.comment)) if ply.comment else [""]
        words += [f"{word} {first}".rstrip(), *others]
        state = state.play(ply.word)
    yield from fill([*words, end], f"{number}. " if words else "", INDENT)
