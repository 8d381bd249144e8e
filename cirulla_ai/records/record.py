"""A record: the start of a smazzata, the actions, what was said, how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cirulla_ai._core.cards import set_of, text_of
from cirulla_ai.action import Action, ActionError, several, step_of
from cirulla_ai.basics.numbers import as_index, given
from cirulla_ai.knowledge import seen_steps
from cirulla_ai.records.comment import Comment
from cirulla_ai.records.text import RecordError, clean, shorten
from cirulla_ai.state import State

__all__ = ["ENDINGS", "MARKS", "Forfeit", "Ply", "Record", "Result"]

# What can end a record: its cards played out; all ten diamonds; a first table that wins;
# misdeals in a row that lose; a seat's fault; nothing, it breaks off.
ENDINGS = ("normal", "cappotto", "table", "misdeals", "forfeit", "unfinished")

# Tags that say what the start and the actions say themselves.
DERIVED = ("Rules", "Dealer", "Scores", "Misdeals", "Viewer", "Pack", "State", "Result")
# Free tags with a meaning; others are kept as they are.
KNOWN = ("Event", "Date", "Seed")
# What can stand behind an action, from very good to very bad.
MARKS = ("!!", "!", "!?", "?!", "?", "??")
# What an annotator says that shows more than the seat has seen: a tag, notes in comments.
TELLING_TAG = "luck"
TELLING_NOTES = ("luck", "punished")

# Credited for a forfeit, as a record can hold them.
MOST_POINTS = 10**9 - 1

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
DIAMONDS = frozenset(rank + "D" for rank in "A234567JQK")
RESULT = re.compile(
    r"([0-9]{1,9}(?:/[0-9]{1,9})+)(?: ([a-z]+)(?: of seat ([0-9]{1,3})(?:: ?(.*))?)?)?")


def tag_name(name: str) -> str:
    """A tag's name as it is written; names that are known are read in any letter case."""
    lower = name.lower()
    for known in (*DERIVED, *KNOWN):
        if lower == known.lower():
            return known
    return f"Seat{name[4:]}" if lower.startswith("seat") and name[4:].isdigit() else name


@dataclass(frozen=True)
class Forfeit:
    """A smazzata that a seat's fault ended: whose, the points credited a side, and why.

    Points are credited as the match wants it, whatever stood on the table.
    """

    seat: int
    points: tuple[int, ...]
    reason: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.points, Iterable):
            raise RecordError(f"points {given(self.points)} of a forfeit: a number for each side "
                              "is needed")
        # Integers of any library as Python's; the record says what can't be.
        numbers = [number if (n := as_index(number)) is None else n
                   for number in (self.seat, *self.points)]
        object.__setattr__(self, "seat", numbers[0])
        object.__setattr__(self, "points", tuple(numbers[1:]))
        object.__setattr__(self, "reason", clean(self.reason))


@dataclass(frozen=True)
class Result:
    """Points of the smazzata per side and what ended it, one of ``ENDINGS``.

    ``seat`` and ``reason`` are of a forfeit.

    >>> str(Result((8, 5), "normal")), str(Result((0, 10), "forfeit", 0, "out of time"))
    ('8/5 normal', '0/10 forfeit of seat 0: out of time')
    """

    points: tuple[int, ...]
    ending: str
    seat: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        text = f"{'/'.join(map(str, self.points))} {self.ending}"
        if self.seat is not None:
            text += f" of seat {self.seat}"
        return f"{text}: {self.reason}" if self.reason else text

    @classmethod
    def parse(cls, text: str) -> Result:
        """Back from the text; the ending may be left out (``""``).  Raises RecordError.

        >>> Result.parse("0/10 forfeit of seat 0: out of time").seat
        0
        """
        match = RESULT.fullmatch(clean(text))
        ending = (match[2] or "") if match else ""
        if not match or (ending not in ("", *ENDINGS)) or (ending == "forfeit") != bool(match[3]):
            raise RecordError(
                f"{shorten(text)} is no result; one is the points a side and what ended it "
                f"({', '.join(ENDINGS)}), as '8/5 normal' or '0/10 forfeit of seat 0: why'")
        return cls(tuple(map(int, match[1].split("/"))), ending,
                   int(match[3]) if match[3] else None, match[4] or "")


@dataclass(frozen=True)
class Ply:
    """One action as text, or ``@CARDS`` dealt to the viewer, and what was said of it.

    The text is made canonical.  ``mark`` is one of ``MARKS``, or empty.  Raises ActionError
    where it is no action, RecordError for another mark or one of a deal.

    >>> Ply("7hx5C3S").word
    '7Hx3S5C'
    """

    word: str
    comment: Comment | None = None
    mark: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.word, Action):
            object.__setattr__(self, "word", str(self.word))
        if self.comment is not None and not isinstance(self.comment, Comment):
            raise TypeError(f"comment {given(self.comment)}: a Comment is needed, as "
                            "Comment(text='…')")
        if not isinstance(self.word, str):
            raise TypeError(f"{given(self.word)} is no action as text, nor an Action")
        if self.is_deal:
            try:
                word = f"@{text_of(set_of(self.word[1:]))}"
            except ValueError as error:
                raise ActionError(f"{shorten(self.word)}: {error}") from None
        else:
            word = str(Action(self.word))
        object.__setattr__(self, "word", word)
        object.__setattr__(self, "comment", self.comment or None)
        if self.mark != "" and (self.is_deal or self.mark not in MARKS):
            raise RecordError(f"mark {given(self.mark)} of {self.word}: an action may have one of "
                              f"{' '.join(MARKS)}")

    @property
    def is_deal(self) -> bool:
        """Whether this is no action but the viewer's new hand."""
        return self.word.startswith("@")


@dataclass(frozen=True)
class Record:
    """One smazzata, or a part of one, the whole truth or as one seat saw it.

    ``start`` is the state before the first of ``plies``; ``tags`` are free (``Event``,
    ``Date``, ``Seat0`` … for who sat where, any other), names to values; ``comment`` is said
    before the first action.  What else is written stands in the state: rules, dealer,
    scores, misdeals, cards.

    Raises RecordError where an action can't be played, naming it, or a tag can't be.  Equal
    records give equal texts, and the text reads back as an equal record.
    """

    start: State
    plies: tuple[Ply, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""
    forfeit: Forfeit | None = None
    final: State = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.start, State):
            raise TypeError(f"start {given(self.start)}: a State is needed")
        if not isinstance(self.tags, Mapping):
            raise TypeError(f"tags {given(self.tags)}: a mapping of names to values is needed")
        if not isinstance(self.forfeit, Forfeit | None):
            raise TypeError(f"forfeit {given(self.forfeit)}: a Forfeit is needed, or None")

        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("plies", tuple(several("plies", self.plies)))
        for ply in self.plies:
            if not isinstance(ply, Ply):
                raise TypeError(f"{given(ply)} is no Ply; Record.from_play makes a record of "
                                "actions")
        put("comment", clean(self.comment))
        put("tags", self._checked_tags())
        put("final", self._played())
        if self.forfeit is not None:
            self._check_forfeit(self.forfeit)

    def _checked_tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        for key, value in self.tags.items():
            if not isinstance(key, str) or not TAG_NAME.fullmatch(key):
                raise RecordError(f"tag {given(key)}: a name is a letter, then letters, "
                                  "digits and _, forty at most")
            name = tag_name(key)
            if name in DERIVED:
                raise RecordError(f"tag {name} is written from the start and the actions; it "
                                  "can't be given")
            if name in tags:
                raise RecordError(f"tag {name} stands twice")
            if not isinstance(value, str):
                raise RecordError(f"tag {name}, {given(value)}: a text is needed")
            tags[name] = clean(value)
        return tags

    def _played(self) -> State:
        state = self.start
        for number, ply in enumerate(self.plies):
            if ply.is_deal and state.viewer is None:
                raise RecordError(f"action {number + 1}, {ply.word}: the whole truth has the "
                                  "cards that are dealt; @ is only for one seat's view")
            try:
                state = state.play(ply.word)
            except ValueError as error:
                raise RecordError(f"action {number + 1}: {error}") from None
        return state

    def _check_forfeit(self, forfeit: Forfeit) -> None:
        rules = self.start.rules
        if as_index(forfeit.seat) is None or not 0 <= forfeit.seat < rules.players:
            raise RecordError(f"forfeit of seat {given(forfeit.seat)}; there are "
                              f"0 … {rules.players - 1}")
        try:
            rules.check_scores(forfeit.points, MOST_POINTS)
        except ValueError:
            raise RecordError(f"points {given(forfeit.points)} of a forfeit: a whole number from "
                              f"0 on for each of {rules.sides} sides is needed") from None
        if self.final.is_over:
            raise RecordError(f"forfeit of seat {forfeit.seat}, but the smazzata is played out")

    @classmethod
    def from_play(
        cls,
        start: State,
        actions: Iterable[Ply | Action | str],
        *,
        names: Sequence[str] = (),
        tags: Mapping[str, str] | None = None,
        comment: str = "",
        forfeit: Forfeit | None = None,
    ) -> Record:
        """A record of actions as ``State.play`` takes them, or plies with comments.

        ``names`` says who sat at each seat.  In the whole truth ``@CARDS`` is checked and
        left out.  Raises RecordError.

        >>> start = State.parse("rules=cirulla dealer=1 hands=3C4D7H/?3 table=AS5D6CKD viewer=0")
        >>> record = Record.from_play(start, ["!7H3C4D=2", "4dxKDAS"], names=("A", "B"))
        >>> [ply.word for ply in record.plies], record.names
        (['!3C4D7H=2', '4DxASKD'], ('A', 'B'))
        """
        if isinstance(names, (str, bytes)):
            raise TypeError(f"names {given(names)}: a list of names is needed, one a seat")
        if not isinstance(start, State):
            raise TypeError(f"start {given(start)}: a State is needed")
        seats = {f"Seat{seat}": name for seat, name in enumerate(names)}
        plies: list[Ply] = []
        state = start
        for number, action in enumerate(several("actions", actions)):
            try:
                ply = action if isinstance(action, Ply) else Ply(
                    action if isinstance(action, str) else str(Action(action)))
                state = state.play(ply.word)
            except ValueError as error:
                raise RecordError(f"action {number + 1}: {error}") from None
            if not (ply.is_deal and start.viewer is None):
                plies.append(ply)
        return cls(start, tuple(plies), {**seats, **(tags or {})}, comment, forfeit)

    @property
    def names(self) -> tuple[str | None, ...]:
        """Per seat, who sat there, None where nothing says so."""
        return tuple(self.tags.get(f"Seat{seat}") for seat in range(self.start.rules.players))

    @property
    def result(self) -> Result:
        """Points and ending; the points of an unfinished record are those so far."""
        if self.forfeit is not None:
            return Result(self.forfeit.points, "forfeit", self.forfeit.seat, self.forfeit.reason)
        return Result(tuple(p.total for p in self.final.points()), self._ending())

    def _ending(self) -> str:
        final = self.final
        if not final.is_over:
            return "unfinished"
        if final.won is None:
            return "normal"
        if DIAMONDS.issubset(final.taken[final.won]):
            return "cappotto"
        return "table" if final.won == final.rules.side(final.dealer) else "misdeals"

    def states(self) -> list[State]:
        """The start and the state after each ply: one more than there are plies."""
        states = [self.start]
        for ply in self.plies:
            states.append(states[-1].play(ply.word))
        return states

    def moves(self) -> Iterator[tuple[State, Ply]]:
        """Each action with the state in which it was chosen; deals to the viewer left out."""
        state = self.start
        for ply in self.plies:
            if not ply.is_deal:
                yield state, ply
            state = state.play(ply.word)

    def seen_by(self, seat: int) -> Record:
        """The record as one seat saw it, with ``@CARDS`` for its new hands.

        Comments are what a player thought: those of the other seats are left out, their
        marks with them, and what an annotator could tell only by the hidden cards.  Raises
        ValueError where there is no such seat, or the record is another seat's.
        """
        view = self.start.view(seat)
        if self.start.viewer is not None:
            return self
        plies = []
        for truth, ply in self.moves():
            step = step_of(ply.word)
            action, *deals = seen_steps(truth, step, truth.play(step), seat)
            if truth.turn == seat:
                comment = ply.comment and ply.comment.with_notes(dict.fromkeys(TELLING_NOTES))
                plies.append(Ply(str(action), comment, ply.mark))
            else:
                plies.append(Ply(str(action)))
            plies += [Ply(str(deal)) for deal in deals]
        tags = {name: value for name, value in self.tags.items() if name.lower() != TELLING_TAG}
        return Record(view, tuple(plies), tags, self.comment, self.forfeit)
