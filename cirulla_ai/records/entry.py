"""A game from a real table, told answer by answer: what is asked next, and what is possible.

``GameEntry`` asks, takes one answer at a time and gives the records of what was told.  It knows
no terminal and speaks no language: questions and refusals are keys and values, so that the
command line and a page can say them as they like (``entry_words``).  Whoever tells may know
all hands, or one seat's; cards are dealt as they are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain

from cirulla_ai._core.cards import card_name, parse_card
from cirulla_ai.action import Action, Deal, Step
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import whole_number
from cirulla_ai.games.options import RulesError
from cirulla_ai.games.reader import MAX_POINTS
from cirulla_ai.games.registry import PRESETS
from cirulla_ai.records.phrases import PhraseError, read_phrase, readings
from cirulla_ai.records.record import Ply, Record
from cirulla_ai.records.start import SCORES_APART, Dealing
from cirulla_ai.records.text import clean
from cirulla_ai.records.words import WordError, read_cards
from cirulla_ai.rules import Rules
from cirulla_ai.state import MisdealError, State

__all__ = ["ALL", "NO", "UNSEEN_TAG", "YES", "EntryError", "GameEntry", "Question", "Sheet"]

# A free tag of a whole truth that breaks off: so many cards at the end of its pack had not
# been dealt yet, and stand there in an order of no meaning.
UNSEEN_TAG = "Unseen"
ALL = ("all", "tutte", "tutti", "tutto")
YES = ("y", "yes", "s", "si", "sì", "ja")
NO = ("n", "no")
LONGEST_NAME = 60


class EntryError(PortableError, ValueError):
    """An answer that can't be taken; nothing has changed.

    ``key`` says what is wrong and ``values`` with what, for ``entry_words``.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(f"{key}: {values}" if values else key)
        self.key = key
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        return _error, (self.key, self.values, self.__dict__)


def _error(key: str, values: Mapping[str, object], noted: Mapping[str, object]) -> EntryError:
    error = EntryError(key, **values)
    error.__dict__.update(noted)
    return error


@dataclass(frozen=True)
class Question:
    """What is asked next.

    ``kind`` is ``rules``, ``names``, ``seat`` (whose hand is known), ``dealer``, ``scores``,
    ``table``, ``hand`` (of ``seat``, ``size`` cards), ``play`` (of ``seat``), ``which`` (of
    several plays that an answer may mean) or ``next`` (another smazzata?).  ``options`` are
    what can be chosen by its number, from 1, as text in the notation; where all that is
    possible stands there ``complete`` is true.  ``default`` is what an empty answer means.
    """

    kind: str
    seat: int | None = None
    size: int = 0
    options: tuple[str, ...] = ()
    complete: bool = False
    default: str | None = None


@dataclass(frozen=True)
class Sheet:
    """All that has been told so far; each answer makes another one.

    ``seat`` is the one whose hand is known, None where all are (``told`` once that is said).
    ``hands`` are those told of the deal that is going on, ``dealt`` the number of rounds
    whose hands are known, ``stock`` the cards of later rounds as they were dealt.  ``done``
    are the records of the smazzate before this one.
    """

    rules: Rules | None = None
    names: tuple[str, ...] | None = None
    told: bool = False
    seat: int | None = None
    dealer: int | None = None
    scores: tuple[int, ...] | None = None
    misdeals: int = 0
    table: tuple[str, ...] | None = None
    hands: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    stock: tuple[str, ...] = ()
    dealt: int = 0
    start: State | None = None
    state: State | None = None
    plies: tuple[Ply, ...] = ()
    readings: tuple[Action, ...] = ()
    done: tuple[Record, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""
    stopped: bool = False

    @property
    def by(self) -> Rules:
        """The rules, which have been told."""
        assert self.rules is not None
        return self.rules

    @property
    def dealing(self) -> Dealing:
        """What the smazzata is dealt by."""
        return Dealing(self.by, self.dealer, self.scores, self.misdeals)

    @property
    def record(self) -> Record | None:
        """The record of the smazzata that is going on, None before its cards are known."""
        if self.start is None:
            return None
        tags = dict(self.tags)
        for seat, name in enumerate(self.names or ()):
            if name:
                tags[f"Seat{seat}"] = name
        unseen = len(getattr(self.start, "stock", None) or ()) - len(self.stock)
        if unseen and self.dealt < len(self.by.rounds):
            tags[UNSEEN_TAG] = str(unseen)
        return Record(self.start, self.plies, tags, self.comment)

    @property
    def records(self) -> tuple[Record, ...]:
        """All records: of what is over, and what is going on."""
        return (*self.done, *filter(None, [self.record]))

    def in_order(self) -> list[int]:
        """The seats in the order in which they are dealt cards and play."""
        assert self.dealer is not None
        return [(self.dealer + 1 + k) % self.by.players for k in range(self.by.players)]

    def awaited(self) -> list[int]:
        """The seats whose hands are to be told now, in the order of dealing."""
        if self.start is None:
            seats = self.in_order() if self.seat is None else [self.seat]
        elif self.state is None or self.state.is_over or self.start.viewer is not None:
            return []
        else:
            seats = self.in_order() if self.state.round > self.dealt else []
        return [seat for seat in seats if seat not in self.hands]

    def size(self, seat: int) -> int:
        """How many cards a seat is dealt now."""
        if self.start is None:
            return self.dealing.sizes()[seat]
        return self.by.rounds[self.dealt]

    def seen(self) -> set[str]:
        """The cards that have been told, all of which lie or lay somewhere."""
        if self.state is not None and self.state.viewer is not None:
            unseen = self.state.position.unseen()
            return {card_name(card) for card in range(40) if not unseen >> card & 1}
        told = {*chain.from_iterable(self.hands.values()), *(self.table or ()), *self.stock}
        if self.start is not None and self.start.viewer is None:
            told.update(chain.from_iterable(self.start.hands), *self.start.taken)
        return told


class GameEntry:
    """A game that is being told.

    ``question`` is asked next, None at the end; ``answer`` takes what was answered and
    ``back`` takes the last answer back.  ``rules``, ``seat`` (``all``: every hand is known)
    and ``dealer`` need not be asked where they are given.  ``resumed`` is an unfinished
    record to go on with, ``after`` a finished one whose match may go on: its rules, names,
    scores and next dealer are then offered.

    >>> entry = GameEntry(rules="scopa", seat="0", dealer="1")
    >>> for text in ("", "", "2c 2s 3h 3d", "ah ac 2h"):
    ...     entry.answer(text)
    >>> entry.question.options
    ('2Hx2C', '2Hx2S', 'AC', 'AH')
    >>> entry.answer("due prende il due di fiori")
    >>> entry.question.seat, str(entry.records[0].plies[0].word)
    (1, '2Hx2C')
    """

    def __init__(
        self, *, rules: Rules | str | None = None, seat: str | None = None,
        dealer: str | None = None, resumed: Record | None = None, after: Record | None = None,
    ) -> None:
        """Raises EntryError, or RulesError, for what is given and can't be."""
        self.offered: Mapping[str, str] = {} if after is None else _offers(after)
        self._given = {"seat": seat, "dealer": dealer}
        self._past: list[Sheet] = []
        sheet = Sheet()
        if resumed is not None:
            *self._past, sheet = _told(resumed)
        elif rules is not None:
            sheet = replace(sheet, rules=Rules.parse(rules))
        self.sheet = sheet
        if rules is not None:
            # Numbers can be told to be wrong at once, names only when they are known.
            for kind, take in (("seat", self._seat), ("dealer", self._dealer)):
                if (text := self._given[kind]) is not None and text.strip("-").isdigit():
                    take(Question(kind), text)

    @property
    def records(self) -> tuple[Record, ...]:
        """The records so far; the last one may be unfinished."""
        return self.sheet.records

    @property
    def question(self) -> Question | None:
        """What is asked next, None where nothing more can be told."""
        sheet = self.sheet
        if sheet.stopped:
            return None
        for kind, known in (("rules", sheet.rules), ("names", sheet.names),
                            ("seat", sheet.told or None), ("dealer", sheet.dealer),
                            ("scores", sheet.scores)):
            if known is None:
                return self._asked(kind)
        if sheet.start is None and sheet.table is None and sheet.by.table_size:
            return Question("table", size=sheet.by.table_size)
        if awaited := sheet.awaited():
            return Question("hand", awaited[0], sheet.size(awaited[0]))
        state = sheet.state
        assert state is not None
        if sheet.readings:
            return Question("which", state.turn, options=tuple(map(str, sheet.readings)),
                            complete=True)
        if state.is_over:
            return Question("next", options=(), default="yes") if self.goes_on() else None
        if state.phase == "deal":
            return Question("hand", state.viewer, state.rules.rounds[state.round])
        return self._play(state)

    def _asked(self, kind: str) -> Question:
        """A question about the match, with what an empty answer to it means."""
        plain = {"rules": "cirulla", "names": "", "seat": None, "dealer": None, "scores": "0"}
        offered = self.offered
        if kind != "rules" and offered and self.sheet.rules != Rules.parse(offered["rules"]):
            offered = {}
        default = offered.get(kind, plain[kind])
        return Question(kind, options=PRESETS if kind == "rules" else (), default=default)

    @staticmethod
    def _play(state: State) -> Question:
        """What a seat may do, as far as that can be listed."""
        knows = state.viewer in (None, state.turn)
        if knows:
            actions = state.legal_actions()
        else:
            actions = state.possible_actions(_deduced(state))
            # Where all its cards are known, or it does not show which it gives.
            knows = bool(actions) and (bool(_deduced(state)) or not state.unknown[state.turn or 0]
                                       or actions[0].kind == "give")
        options = tuple(map(str, actions))
        return Question("play", state.turn, options=options, complete=knows,
                        default=options[0] if knows and len(options) == 1 else None)

    def goes_on(self) -> bool:
        """Whether the match goes on after the smazzata that is over."""
        state = self.sheet.state
        return state is not None and state.is_over and not state.match_winners()

    # --- answers ----------------------------------------------------------------------

    def answer(self, text: str) -> None:
        """Take the answer to the question.  Raises EntryError, and takes nothing, for what
        is none; what it says is for ``entry_words``.

        A first table that is a misdeal raises EntryError with the key ``misdeal``; it is
        counted, and the next deal is asked for.
        """
        question = self.question
        if question is None:
            raise EntryError("over")
        text = clean(text)
        if not text and question.default is not None:
            text = question.default
        take = {"rules": self._rules, "names": self._names, "seat": self._seat,
                "dealer": self._dealer, "scores": self._scores, "table": self._table,
                "hand": self._hand, "play": self._action, "which": self._action,
                "next": self._next}[question.kind]
        before = self.sheet
        misdeal: EntryError | None = None
        try:
            sheet = take(question, text)
        except MisdealError:
            misdeal = EntryError("misdeal", misdeals=before.misdeals + 1)
            sheet = replace(before, table=None, hands={}, misdeals=before.misdeals + 1)
        self.sheet = self._settled(sheet)
        self._past.append(before)
        if misdeal:
            raise misdeal

    def back(self) -> bool:
        """Take the last answer back; False where there is none."""
        if not self._past:
            return False
        self.sheet = self._past.pop()
        return True

    def stop(self) -> None:
        """Ask nothing more."""
        self.sheet = replace(self.sheet, stopped=True)

    def _settled(self, sheet: Sheet) -> Sheet:
        """With the answers that were given beforehand, where they are next; those that turn
        out to be none are asked for."""
        for kind, take in (("seat", self._seat), ("dealer", self._dealer)):
            text = self._given[kind]
            due = sheet.names is not None and not sheet.done and (
                not sheet.told if kind == "seat" else sheet.told and sheet.dealer is None)
            if text is not None and due:
                before, self.sheet = self.sheet, sheet
                with suppress(EntryError):
                    sheet = take(Question(kind), text)
                self.sheet = before
        return sheet

    def _rules(self, question: Question, text: str) -> Sheet:
        if text.isdigit():
            text = _chosen(question, text)
        try:
            return replace(self.sheet, rules=Rules.parse(text))
        except RulesError as error:
            raise EntryError("rules_wrong", text=text, why=str(error)) from None

    def _names(self, question: Question, text: str) -> Sheet:
        players = self.sheet.by.players
        names = tuple(clean(name) for name in text.split(",")) if text else ("",) * players
        if len(names) != players:
            raise EntryError("names_count", n=len(names), players=players)
        if long := next((name for name in names if len(name) > LONGEST_NAME), None):
            raise EntryError("name_long", name=long[:LONGEST_NAME], most=LONGEST_NAME)
        return replace(self.sheet, names=names)

    def _seat(self, question: Question, text: str) -> Sheet:
        if text.casefold() in ALL:
            return replace(self.sheet, told=True, seat=None)
        return replace(self.sheet, told=True, seat=self._who(text, "seat_wrong"))

    def _dealer(self, question: Question, text: str) -> Sheet:
        return replace(self.sheet, dealer=self._who(text, "who_wrong"))

    def _who(self, text: str, wrong: str) -> int:
        """A seat by its number or by who sits there."""
        names = [name.casefold() for name in self.sheet.names or ()]
        if names.count(text.casefold()) == 1 and text:
            return names.index(text.casefold())
        try:
            return whole_number(text, 0, self.sheet.by.players - 1)
        except ValueError:
            raise EntryError(wrong, text=text, last=self.sheet.by.players - 1) from None

    def _scores(self, question: Question, text: str) -> Sheet:
        sides = self.sheet.by.sides
        parts = SCORES_APART.split(text)
        if text == "0":
            parts = ["0"] * sides
        try:
            scores = tuple(whole_number(part, 0, MAX_POINTS) for part in parts)
        except ValueError:
            raise EntryError("scores_wrong", text=text, sides=sides) from None
        if len(scores) != sides:
            raise EntryError("scores_wrong", text=text, sides=sides)
        if self.sheet.by.winners(scores):
            raise EntryError("scores_won", text=text, target=self.sheet.by.target)
        return replace(self.sheet, scores=scores)

    def _next(self, question: Question, text: str) -> Sheet:
        word = text.casefold()
        if word in NO:
            return replace(self.sheet, stopped=True)
        if word not in YES:
            raise EntryError("yes_or_no", text=text)
        sheet, state, record = self.sheet, self.sheet.state, self.sheet.record
        assert state and record and sheet.dealer is not None
        return Sheet(rules=sheet.rules, names=sheet.names, told=True, seat=sheet.seat,
                     dealer=(sheet.dealer + 1) % sheet.by.players, scores=state.match_scores(),
                     done=(*sheet.done, record), tags=sheet.tags)

    # --- cards ------------------------------------------------------------------------

    def _cards(self, text: str, size: int) -> tuple[str, ...]:
        """So many cards, none of which has been told already."""
        try:
            cards = read_cards(text)
        except WordError as error:
            raise EntryError("card_wrong" if error.is_other else "card_suit",
                             word=error.word) from None
        if twice := next((card for card in cards if cards.count(card) > 1), None):
            raise EntryError("card_twice", card=twice)
        seen = self.sheet.seen()
        if told := next((card for card in cards if card in seen), None):
            raise EntryError("card_seen", card=told)
        if len(cards) != size:
            raise EntryError("cards_count", n=len(cards), size=size)
        return tuple(sorted(cards, key=parse_card))

    def _table(self, question: Question, text: str) -> Sheet:
        cards = self._cards(text, question.size)
        # A misdeal shows at once.
        self.sheet.dealing.state({}, cards)
        return replace(self.sheet, table=cards)

    def _hand(self, question: Question, text: str) -> Sheet:
        sheet, seat = self.sheet, question.seat
        assert seat is not None
        cards = self._cards(text, question.size)
        if sheet.start is not None and sheet.start.viewer is not None:
            return self._played(Deal("".join(cards)), text)
        sheet = replace(sheet, hands={**sheet.hands, seat: cards})
        left = sheet.awaited()
        unseen = [card for card in map(card_name, range(40)) if card not in sheet.seen()]
        if len(left) == 1 and len(unseen) == sheet.size(left[0]) and sheet.seat is None:
            # The last hand is all that is left.
            sheet = replace(sheet, hands={**sheet.hands, left[0]: tuple(unseen)})
            left = []
        return sheet if left else _dealt(sheet)

    # --- actions ----------------------------------------------------------------------

    def _action(self, question: Question, text: str) -> Sheet:
        state = self.sheet.state
        assert state is not None
        if text.isdigit() and question.options and (
            question.complete or text in map(str, range(1, len(question.options) + 1))
        ):
            return self._played(Action(_chosen(question, text)), text)
        try:
            phrase = read_phrase(text)
        except PhraseError as error:
            raise EntryError("breaks_off", text=text, rest=text[error.at:]) from None
        if phrase is None or text[phrase.end:].strip(" .!"):
            rest = text if phrase is None else text[phrase.end:].strip()
            raise EntryError("no_action", text=rest)
        found = [] if phrase.kind == "deal" else readings(phrase, state)
        if question.kind == "which":
            found = [action for action in found if str(action) in question.options]
        if not found:
            raise EntryError("not_possible", text=text)
        if len(found) > 1:
            return replace(self.sheet, readings=tuple(found))
        return self._played(found[0], text)

    def _played(self, step: Step, text: str) -> Sheet:
        """The sheet after an action, or the viewer's new hand."""
        sheet = self.sheet
        assert sheet.state is not None
        try:
            state = sheet.state.play(step)
        except ValueError:
            raise EntryError("not_possible", text=text) from None
        return replace(sheet, state=state, plies=(*sheet.plies, Ply(str(step))), readings=())


# --- the deal -------------------------------------------------------------------------

def _dealt(sheet: Sheet) -> Sheet:
    """The sheet once all hands that can be told of a deal have been."""
    if sheet.start is None:
        truth = sheet.dealing.state(sheet.hands, sheet.table or ())
        start = truth if sheet.seat is None else truth.view(sheet.seat)
        return replace(sheet, start=start, state=start, dealt=1, hands={})
    # A later round: what was dealt goes before what is still unknown, and all is played again.
    hands = [sheet.hands[seat] for seat in sheet.in_order()]
    stock = (*sheet.stock, *chain.from_iterable(zip(*hands, strict=True)))
    first = dict(enumerate(sheet.start.hands))
    start = sheet.dealing.state(first, sheet.table or (), stock)
    return replace(sheet, start=start, state=start.play(*(ply.word for ply in sheet.plies)),
                   stock=stock, dealt=sheet.dealt + 1, hands={})


def _deduced(state: State) -> tuple[str, ...]:
    """The cards of the seat to move in a view, where they are all that nobody has seen."""
    unknown = sum(state.unknown) + state.stock_count
    turn = state.turn
    if turn is None or not unknown or state.unknown[turn] != unknown:
        return ()
    unseen = state.position.unseen()
    cards = tuple(card_name(card) for card in range(40) if unseen >> card & 1)
    return cards if len(cards) == unknown else ()


# --- from records ---------------------------------------------------------------------

def _told(record: Record) -> Iterator[Sheet]:
    """The sheets of a record, as if it had been told: its start, and after each action."""
    start = record.start
    tags = dict(record.tags)
    names = tuple(tags.pop(f"Seat{seat}", "") for seat in range(start.rules.players))
    unseen = tags.pop(UNSEEN_TAG, "0")
    stock = getattr(start, "stock", None) or ()
    kept = len(stock) - min(int(unseen) if unseen.isdigit() else 0, len(stock))
    # Rounds after the first whose hands are known.
    later, dealt = start.rules.rounds[start.round:], start.round
    while later and start.rules.players * sum(later[:dealt + 1 - start.round]) <= kept and (
        dealt < len(start.rules.rounds)
    ):
        dealt += 1
    table = getattr(start, "table", ()) or start.taken[start.rules.side(start.dealer)]
    sheet = Sheet(
        rules=start.rules, names=names, told=True, seat=start.viewer, dealer=start.dealer,
        scores=start.scores, misdeals=start.misdeals, table=table, stock=stock[:kept],
        dealt=dealt, start=start, state=start, tags=tags, comment=record.comment)
    yield sheet
    for ply in record.plies:
        assert sheet.state is not None
        sheet = replace(sheet, state=sheet.state.play(ply.word), plies=(*sheet.plies, ply))
        yield sheet


def _offers(record: Record) -> Mapping[str, str]:
    """What the next smazzata after a record would be told with; nothing after a match."""
    final = record.final
    if not final.is_over or final.match_winners():
        return {}
    names = [name or "" for name in record.names]
    return {
        "rules": str(final.rules).removeprefix("rules="),
        "names": ",".join(names) if any(names) else "",
        "seat": "all" if record.start.viewer is None else str(record.start.viewer),
        "dealer": str((final.dealer + 1) % final.rules.players),
        "scores": "/".join(map(str, final.match_scores())),
    }


def _chosen(question: Question, text: str) -> str:
    """The option with a number."""
    try:
        return question.options[whole_number(text, 1, len(question.options)) - 1]
    except ValueError:
        raise EntryError("choice_wrong", text=text, n=len(question.options)) from None
