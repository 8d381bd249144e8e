"""Records from text: tolerant of how it is written, strict about what it says."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO, StringIO
from itertools import accumulate, chain
from os import PathLike
from os.path import isfile

from cirulla_ai.action import ActionError, Deal, Step, step_of
from cirulla_ai.basics.encoding import wrong_encoding
from cirulla_ai.basics.numbers import given
from cirulla_ai.records.comment import Comment
from cirulla_ai.records.phrases import Phrase, PhraseError, read_phrase, step_meant
from cirulla_ai.records.record import (
    DERIVED,
    MARKS,
    TAG_NAME,
    Forfeit,
    Ply,
    Record,
    Result,
    tag_name,
)
from cirulla_ai.records.start import SEAT_TAG, Place, Tags, is_given, seen_tags, start_of
from cirulla_ai.records.text import RecordError, clean, shorten, unescape
from cirulla_ai.records.words import VERBS
from cirulla_ai.state import State

__all__ = ["read_records"]

TAG_HEAD = re.compile(rf"\[\s*({TAG_NAME.pattern})\s*(?=\")")
TAG_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"\s*')
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
WORD = re.compile(r"[^\s{}();$\[]+")
ROUND = re.compile(r"([0-9]{1,3})\.+")
SEAT = re.compile(r"([0-9]{1,3}):")
POINTS = re.compile(r"[0-9]{1,9}(?:[/-][0-9]{1,9})+")
# The next word on the same line, and what words go on with the action before them.
FOLLOWS = re.compile(r"[ \t]*([^\s{}()$\[;]+)")
MARK = re.compile(r"[!?]+")
JOINING = ("take", "and", "lay", "scopa", "equals")

Lines = Iterable[str | bytes]


def read_records(
    source: str | bytes | bytearray | memoryview | PathLike[str] | Lines,
    on_error: Callable[[RecordError], object] | None = None,
) -> Iterator[Record]:
    """The records of a text, of the file at a path, or of the lines of an open file.

    Bytes, all or line by line, are text in UTF-8.

    A bad record raises RecordError with its line number; with ``on_error`` that is called
    with the error instead, and reading goes on with the next record.  A file that can't be
    opened raises OSError.

    >>> errors = []
    >>> list(read_records("[Rules \\"cirulla\\"]\\n1. 0:7H", on_error=errors.append))
    []
    >>> print(errors[0])
    line 1: no cards: one of the tags Pack, State and Seed is needed, or Hand0 … and Table with \
what one seat saw
    """
    if isinstance(source, PathLike):
        with open(source, "rb") as file:
            yield from read_records(file, on_error)
        return
    if isinstance(source, str) and "\n" not in source and isfile(source):
        raise RecordError(f"{source!r} is no record's text; the file of that name is read from "
                          f"Path({source!r})", 1)
    if isinstance(source, (bytes, bytearray, memoryview)):
        source = BytesIO(source)
    if not isinstance(source, Iterable):
        raise TypeError(f"{given(source)} has no records: a text, a Path, or an open file is "
                        "needed")
    raw = iter(StringIO(source, newline=None) if isinstance(source, str) else source)
    head = next(raw, "")
    if not isinstance(head, (str, bytes)):
        raise TypeError(f"{given(head)} is no line of text")
    if isinstance(head, str):
        # What was no UTF-8 may have been replaced already.
        wrong = wrong_encoding(head[:10].lstrip("\ufffd").encode("utf-8", "replace"))
    else:
        wrong = wrong_encoding(head)
    if wrong:
        error = RecordError(wrong, 1)
        if on_error is None:
            raise error
        on_error(error)
        return
    for first, lines in chunks(text_lines(chain([head], raw))):
        try:
            record = _Reader(first, lines).read()
        except RecordError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            if record is not None:
                yield record


# --- one record from the next ---------------------------------------------------------

def text_lines(source: Lines) -> Iterator[str]:
    """The lines of a text without their ends and byte order marks; what ends them may be LF,
    CRLF or CR."""
    for raw in source:
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
        if not isinstance(text, str):
            raise TypeError(f"{given(raw)} is no line of text")
        for line in text.rstrip("\r\n").split("\r"):
            yield line.lstrip("\ufeff")


def chunks(source: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each record with the number of the first.

    A record begins with a tag after actions, or with a tag that stands twice after an empty
    line; at the very start of a line also where a comment was never closed.  So what is
    wrong within a record does not reach the next.
    """
    lines: list[str] = []
    first = 1
    names: set[str] = set()
    moves = blank = False
    depth = 0
    for number, line in enumerate(source, 1):
        tag = TAG_HEAD.match(line if depth else line.lstrip())
        if tag:
            name = tag_name(tag[1])
            if moves or (blank and name in names):
                yield first, lines
                lines, first, names, moves, depth = [], number, set(), False, 0
            names.add(name)
        elif moves or (line.strip() and not line.lstrip().startswith(('"', "%", ";", "]", "["))):
            moves = True
            if depth or not line.startswith("%"):
                depth = braces(line, depth)
        blank = not line.strip()
        lines.append(line)
    yield first, lines


def braces(line: str, depth: int) -> int:
    """How many braces are open after a line, ``depth`` before it."""
    at = 0
    while match := BRACE.search(line, at):
        if not depth and ";" in line[at:match.start()]:
            break
        at = match.end()
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth = max(depth - 1, 0)
    return depth


# --- one record -----------------------------------------------------------------------

class _Reader:
    """Reads the lines of one record."""

    def __init__(self, first: int, lines: list[str]) -> None:
        self.first = first
        self.ends = list(accumulate(len(line) + 1 for line in lines))
        self.text = "\n".join(lines)
        self.at = 0
        self.tags: Tags = {}
        self.plies: list[Ply] = []
        self.comment = ""
        # The last action, its mark, and the comments since.
        self.word: str | None = None
        self.mark = ""
        self.said: list[str] = []
        # Seats by who sits there, in lower case; what a mark by name looks like, and what
        # ends the words for an action.
        self.seats: dict[str, int] = {}
        self.named: re.Pattern[str] | None = None
        self.stops: re.Pattern[str] | None = None

    def place(self, at: int) -> Place:
        """The line and the column of the character at ``at``."""
        at = min(at, len(self.text))
        row = bisect_right(self.ends, at)
        return self.first + row, at - (self.ends[row - 1] if row else 0) + 1

    def error(self, message: str, at: int | None = None) -> RecordError:
        """An error at a place, by default where reading stands."""
        return RecordError(message, *self.place(self.at if at is None else at))

    def read(self) -> Record | None:
        """The record; None where there is nothing but empty lines and remarks."""
        self.skip()
        while self.text.startswith("[", self.at):
            self.read_tag()
            self.skip()
        if not self.tags and self.at >= len(self.text):
            return None
        self.read_names()
        start = start_of(self.tags, self.first,
                         None if is_given(self.tags, "Dealer") else self.first_seat())
        end = self.read_moves(start)
        forfeit = self.read_forfeit()
        seen = seen_tags(self.tags).values()
        free = {name: value for name, (value, _) in self.tags.items()
                if name not in DERIVED and name not in seen}
        try:
            record = Record(start, tuple(self.plies), free, self.comment, forfeit)
        except RecordError as error:
            raise RecordError(str(error), self.first) from None
        self.check_result(record, end)
        return record

    def read_names(self) -> None:
        """Who sits where, for the marks of seats by name."""
        names: dict[str, set[int]] = {}
        for tag, (name, _) in self.tags.items():
            if (match := SEAT_TAG.fullmatch(tag)) and name:
                names.setdefault(name.casefold(), set()).add(int(match[1]))
        # A name that two have is nobody's.
        self.seats = {name: seats.pop() for name, seats in names.items() if len(seats) == 1}
        marks = [SEAT.pattern, ROUND.pattern, POINTS.pattern]
        if self.seats:
            several = "|".join(r"\s+".join(map(re.escape, name.split()))
                               for name in sorted(self.seats, key=len, reverse=True))
            self.named = re.compile(rf"({several})[ \t]*:", re.IGNORECASE)
            marks.append(self.named.pattern)
        self.stops = re.compile("|".join(marks), re.IGNORECASE)

    def first_seat(self) -> int | None:
        """The seat that is said to act first, None where nothing says so."""
        began = self.at
        try:
            for word, at in self.words():
                if match := ROUND.match(word):
                    at += match.end()
                if mark := self.seat_mark(at):
                    return mark[0]
                if self.text[at:self.at].strip("!?"):
                    return None
        except RecordError:
            # It is met again where the actions are read.
            pass
        finally:
            self.at = began
            self.said.clear()
        return None

    def skip(self) -> None:
        """Over white space, and over lines that are remarks: % first, or from ; on."""
        while self.at < len(self.text):
            letter = self.text[self.at]
            first = self.at == 0 or self.text[self.at - 1] == "\n"
            if letter == ";" or (letter == "%" and first):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif letter.isspace():
                self.at += 1
            else:
                return

    def read_tag(self) -> None:
        began = self.at
        head = TAG_HEAD.match(self.text, self.at)
        if not head:
            raise self.error(f"{self.here()} is no tag; one is [Name \"value\"]")
        self.at = value = head.end()
        pieces = []
        while piece := TAG_TEXT.match(self.text, self.at):
            pieces.append(unescape(piece[1], '"'))
            self.at = piece.end()
        if not pieces or not self.text.startswith("]", self.at):
            raise self.error(f"{self.here(began)}: the value in quotes and then ] are needed, as "
                             f"[{head[1]} \"value\"]", began)
        self.at += 1
        name = tag_name(head[1])
        if name in self.tags:
            raise self.error(f"tag {name} stands twice", began)
        self.tags[name] = (clean("".join(pieces)), self.place(value))

    def here(self, at: int | None = None) -> str:
        """What stands at a place, for messages."""
        at = self.at if at is None else at
        return shorten(self.text[at:at + 200].split("\n")[0])

    # --- the actions ------------------------------------------------------------------

    def read_moves(self, start: State) -> tuple[str, int] | None:
        """Plays the actions; the points that end them, if any do, with their place."""
        state = start
        seat: tuple[int, int] | None = None
        end: tuple[str, int] | None = None
        for word, at in self.words():
            if end:
                raise self.error(f"{shorten(word)} stands after the end of the record, {end[0]}",
                                 at)
            if match := ROUND.match(word):
                self.check_round(state, int(match[1]), at)
                at += match.end()
            if mark := self.seat_mark(at):
                seat = mark[0], at
                at = mark[1]
                self.at = max(self.at, at)
            word = self.text[at:self.at]
            if not word.strip("!?"):
                self.keep_mark(word)
                continue
            if word == "*" or POINTS.fullmatch(word):
                end = word, at
                continue
            state = self.act(state, word, at, seat)
            seat = None
        if seat:
            raise self.error(f"no action follows {seat[0]}:", seat[1])
        self.keep()
        return end

    def seat_mark(self, at: int) -> tuple[int, int] | None:
        """The seat that a place says is to act, by its number or by who sits there, and the
        place after that; None where it says none."""
        if match := SEAT.match(self.text, at):
            return int(match[1]), match.end()
        if self.named and (match := self.named.match(self.text, at)):
            return self.seats[clean(match[1]).casefold()], match.end()
        return None

    def act(self, state: State, word: str, at: int, seat: tuple[int, int] | None) -> State:
        """The state after the action or deal that begins at ``at`` with ``word``; ``seat`` is
        who was said to act, and where."""
        # What follows an action is a mark, but for the ? of a card that was not seen.
        action = word.rstrip("!?")
        if action == ">":
            action = ">?"
        step: Step | None = None
        wrong = f"{action}: the cards that are dealt are needed, as @3C4D7H"
        try:
            # The hand may stand apart.
            step = None if action == "@" else step_of(action)
        except ActionError as error:
            wrong = str(error)
        phrase = None
        if step is None or self.goes_on():
            phrase = self.phrase(state, at)
            if step is None and phrase is None:
                raise self.error(wrong[:500], at)
        deals = phrase.kind == "deal" if phrase else isinstance(step, Deal)
        if seat:
            self.check_seat(state, *seat, word, deals)
        if step is not None and not phrase:
            try:
                after = self.play(state, step, action)
                self.keep_mark(word[len(action):])
                return after
            except ActionError as error:
                # Perhaps what it leaves open can be told, or a hand goes on behind it.
                phrase = self.phrase(state, at)
                if phrase is None or (deals and phrase.end <= self.at):
                    raise self.error(str(error)[:500], at) from None
        assert phrase
        self.at = max(self.at, phrase.end)
        try:
            after = self.play(state, step_meant(
                phrase, state, self.text[phrase.begin:phrase.end]))
        except ActionError as error:
            raise self.error(str(error)[:500], phrase.begin) from None
        if phrase.scopa and not has_swept(state, after):
            raise self.error("a scopa is said to be made; this play makes none", phrase.begin)
        if mark := MARK.match(self.text, self.at):
            self.at = mark.end()
            # Of a scopa! the ! says nothing of the play.
            self.keep_mark("" if phrase.scopa else mark[0])
        return after

    def goes_on(self) -> bool:
        """Whether the word that ends here is the first of several that say one action."""
        match = FOLLOWS.match(self.text, self.at)
        word = match[1].casefold() if match else ""
        return "+" in word or word[:1] in ("x", "×", "→") or VERBS.get(word) in JOINING

    def phrase(self, state: State, at: int) -> Phrase | None:
        """What begins at a place as words for an action, None where it is none."""
        hand = state.rules.rounds[state.round] if state.phase == "deal" else 40
        try:
            return read_phrase(self.text, at, self.stops, hand)
        except PhraseError as error:
            raise self.error(str(error), error.at) from None

    def play(self, state: State, step: Step, word: str = "") -> State:
        after = state.play(step)
        # The whole truth has the cards that are dealt; what says so again is left out.
        if not (isinstance(step, Deal) and state.viewer is None):
            self.keep()
            self.word = word or str(step)
        return after

    def keep_mark(self, mark: str) -> None:
        """The mark of the last action, the first that it has; others are not kept."""
        if self.word is not None and not self.word.startswith("@") and not self.mark:
            self.mark = mark if mark in MARKS else ""

    def keep(self) -> None:
        """Keep the last action with what was said after it; before the first action that was
        said of the record."""
        if self.word is None:
            self.comment = clean(" ".join((self.comment, *self.said)))
        else:
            comment = Comment.joined([Comment.parse(text) for text in self.said])
            self.plies.append(Ply(self.word, comment, self.mark))
        self.word, self.mark = None, ""
        self.said.clear()

    def check_round(self, state: State, number: int, at: int) -> None:
        coming = state.round + (state.phase == "deal")
        if number not in (state.round, coming) and not state.is_over:
            raise self.error(f"{number}. stands where round {coming} is played", at)

    def check_seat(self, state: State, seat: int, at: int, word: str, deals: bool) -> None:
        wanted = state.viewer if deals else state.turn
        if wanted is not None and seat != wanted:
            raise self.error(f"{seat}:{word[:60]} stands where seat {wanted} "
                             f"{'is dealt' if deals else 'is to play'}", at)

    def words(self) -> Iterator[tuple[str, int]]:
        """The words of the actions with their places; takes in comments on the way."""
        while True:
            self.skip()
            if self.at >= len(self.text):
                return
            letter, began = self.text[self.at], self.at
            if letter == "{":
                self.said.append(self.braced())
            elif letter == "(":
                self.skip_variation()
            elif letter in "})":
                # What closes nothing is overlooked.
                self.at += 1
            elif letter == "$":
                self.at += 1
                while self.text[self.at:self.at + 1].isdigit():
                    self.at += 1
            elif letter == "[":
                raise self.error(f"{self.here()} amid the actions; tags stand before them")
            else:
                match = WORD.match(self.text, self.at)
                assert match
                self.at = match.end()
                yield match[0], began

    def braced(self) -> str:
        """The text of the comment that begins here; braces within it may be nested."""
        began, depth = self.at, 0
        while match := BRACE.search(self.text, self.at):
            self.at = match.end()
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if not depth:
                return unescape(self.text[began + 1:self.at - 1], "{}")
        raise self.error(f"the comment {self.here(began)} is never closed; it ends with }}", began)

    def skip_variation(self) -> None:
        """Over what stands in parentheses: other actions, which records do not keep."""
        began, depth = self.at, 0
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter == "{":
                self.braced()
                continue
            self.at += 1
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if not depth:
                return
        raise self.error(f"{self.here(began)} is never closed; it ends with )", began)

    # --- the result -------------------------------------------------------------------

    def read_result(self) -> tuple[Result, Place] | None:
        if "Result" not in self.tags or self.tags["Result"][0] in ("", "*", "?"):
            return None
        value, place = self.tags["Result"]
        try:
            return Result.parse(value), place
        except RecordError as error:
            raise RecordError(f"Result: {error}", *place) from None

    def read_forfeit(self) -> Forfeit | None:
        read = self.read_result()
        if read is None or read[0].seat is None:
            return None
        return Forfeit(read[0].seat, read[0].points, read[0].reason)

    def check_result(self, record: Record, end: tuple[str, int] | None) -> None:
        result = record.result
        read = self.read_result()
        if read and (read[0].points != result.points
                     or read[0].ending not in ("", result.ending)):
            raise RecordError(f"Result {shorten(str(read[0]))}: the actions give "
                              f"{shorten(str(result))}", *read[1])
        if end and end[0] != "*" and end[0].replace("-", "/") != "/".join(map(str, result.points)):
            raise self.error(f"{end[0]} ends the record; the actions give {result}", end[1])


def has_swept(before: State, after: State) -> bool:
    """Whether the play between two states was a scopa."""
    side = before.rules.side(before.turn or 0)
    try:
        return after.scopa[side] > before.scopa[side]
    except AttributeError:
        # There are none in this game.
        return False
