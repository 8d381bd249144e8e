"""A match being played: the truth, who sits where, what was done, and what comes next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from secrets import randbits
from typing import Any

from cirulla_ai.action import Action, ActionError
from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import MAX_SEED, given, whole
from cirulla_ai.history import History
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.match import MOST_SMAZZATE, Match
from cirulla_ai.play.seats import Seat
from cirulla_ai.play.views import Place, SeatView
from cirulla_ai.players.base import Thought
from cirulla_ai.records import Comment, Ply, Record, RecordError, read_records, write_record
from cirulla_ai.rules import Rules
from cirulla_ai.state import State, check_seed
from cirulla_ai.tournament.schedule import deal_seed

__all__ = ["Game", "GameError", "TurnError"]

FORMAT = 1
# The tag of a record that counts the decisions taken back.
TAKEN_BACK = "TakenBack"
# Notes of one action, and what stands between them in its comment.  Whoever takes back more is
# still counted.
MOST_NOTES, BETWEEN = 30, "; "


class GameError(PortableError, ValueError):
    """A text that is no saved game."""


class TurnError(PortableError, ValueError):
    """What is asked for can't be done now: it is another seat's turn, or nobody's."""


class Game:
    """A match at one table.

    ``seats`` says who sits where (people without names, where it is left out).  ``seed``,
    0 … 2**64 - 1, makes all deals and what bots of ours choose; without it nobody can tell
    them.  ``dealer`` and ``scores`` are those to begin with; or ``start`` is the state to
    begin with, of which a seat's view gets the rest of its cards by the seed.  Nobody is asked
    here, and nothing is written: whoever shows the game calls ``act`` for people and bots
    alike, ``deal`` when the score sheet has been seen, and keeps ``to_text``.

    Raises ValueError for what can't be played, PlayerError for a bot that does not play it.

    >>> game = Game("cirulla", (Seat("A"), Seat("B")), seed=7)
    >>> view = game.view(0)
    >>> view.state.unknown, view.stage
    ((0, 3), 'playing')
    >>> game.act(0, view.state.legal_actions()[0])
    >>> Game.from_text(game.to_text()) == game
    True
    """

    def __init__(
        self,
        rules: Rules | str = "cirulla",
        seats: Sequence[Seat] | None = None,
        *,
        seed: int | None = None,
        dealer: int | None = None,
        scores: Iterable[int] | None = None,
        start: State | None = None,
        most_smazzate: int = MOST_SMAZZATE,
    ) -> None:
        self.seed = randbits(64) if seed is None else check_seed(seed)
        if start is not None:
            start = self._whole_truth(start)
            rules, dealer, scores = start.rules, start.dealer, start.scores
        self.match = Match(rules, dealer=dealer, scores=scores, most_smazzate=most_smazzate)
        self._began = (self.match.dealer, self.match.scores)
        self.seats = self._checked(
            (Seat(),) * self.rules.players if seats is None else tuple(seats))
        self.records: list[Record] = []
        # Of finished smazzate, which are many in a long match.
        self._texts: list[str] = []
        # The smazzata that was over last.
        self._finished: History | None = None
        self.version = 0
        self._begin(start or self._dealt())

    def _whole_truth(self, start: State) -> State:
        if not isinstance(start, State):
            raise TypeError(f"start {given(start)}: a State is needed")
        if start.is_over:
            raise ValueError("start: the smazzata is over: there is nothing to play")
        if start.viewer is None:
            return start
        return Knowledge(start, start.viewer).draw(deal_seed(self.seed, 0))

    def _checked(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        if len(seats) != self.rules.players:
            raise ValueError(f"seats: {len(seats)} of them; {self.rules} is for "
                             f"{self.rules.players}")
        for seat in seats:
            if not isinstance(seat, Seat):
                raise TypeError(f"seats: {given(seat)} is no Seat")
            seat.check(self.rules)
        return seats

    def _dealt(self) -> State:
        return self.match.deal(seed=deal_seed(self.seed, 0, self.match.smazzate))

    def _begin(self, start: State) -> None:
        self.history = History(start)
        self._comments: list[Comment | None] = []
        # By seat: what there is to be said of its next action.
        self._notes: dict[int, list[str]] = {}
        self.taken_back = 0
        # The first table can win the match.
        self._see_the_end()

    def _see_the_end(self) -> None:
        if self.history.state.is_over:
            self._keep(self._record())

    def _keep(self, record: Record) -> None:
        """A smazzata is over."""
        self.match.record(record.final)
        self.records.append(record)
        self._texts.append(write_record(record))
        self._finished = self.history

    # --- what there is ------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.match.rules

    @property
    def stage(self) -> str:
        """``playing``, ``between`` two smazzate, or ``over``."""
        if self.match.is_over:
            return "over"
        return "between" if self.history.state.is_over else "playing"

    @property
    def turn(self) -> int | None:
        """The seat to decide, None where nobody is."""
        return self.history.state.turn

    @property
    def smazzata(self) -> int:
        """The number of the smazzata that is played or was played last, from 1."""
        return self.match.smazzate + (self.stage == "playing")

    @property
    def decision_seed(self) -> int:
        """For the bot to move: the same whenever it comes to this decision."""
        return deal_seed(self.seed, self.smazzata, 1 + len(self.history.steps))

    def view(self, seat: int) -> SeatView:
        """What a seat may be shown; raises ValueError where there is no such seat."""
        seat = whole(seat, 0, self.rules.players - 1, "seat")
        return SeatView(
            seat=seat, history=self.history.view(seat),
            last=self._finished and self._finished.view(seat), version=self.version,
            places=tuple(Place(who.name, self.rules.side(k), who.kind, who.level)
                         for k, who in enumerate(self.seats)),
            stage=self.stage, smazzata=self.smazzata, scores=self.match.scores,
            winners=self.match.winners, is_cut=self.match.is_cut, taken_back=self.taken_back,
            can_take_back=self._last_of(seat) is not None)

    def _record(self) -> Record:
        """The smazzata that is played, as far as it is."""
        tags = {TAKEN_BACK: str(self.taken_back)} if self.taken_back else {}
        names = {f"Seat{k}": seat.name for k, seat in enumerate(self.seats) if seat.name}
        plies = (Ply(str(step), comment)
                 for step, comment in zip(self.history.steps, self._comments, strict=True))
        return Record(self.history.start, tuple(plies), {**names, **tags})

    def record_for(self, seat: int) -> list[Record]:
        """The smazzate so far: whole those that are over, the one that is played as the seat
        saw it."""
        if self.history.state.is_over:
            return list(self.records)
        return [*self.records, self._record().seen_by(seat)]

    # --- what is done -------------------------------------------------------------------

    def act(self, seat: int, action: Action | str, thought: Thought | None = None) -> None:
        """Play an action; ``thought`` is what a bot says of it, for the record.

        Raises TurnError where it is not the seat's turn, ActionError, with the reason, where
        it is not legal; then nothing has changed.
        """
        state = self.history.state
        seat = whole(seat, 0, self.rules.players - 1, "seat")
        if state.turn is None:
            raise TurnError("nobody is to move: the smazzata is over")
        if seat != state.turn:
            raise TurnError(f"seat {state.turn} is to move, not seat {seat}")
        action = Action(action)
        legal = state.legal_actions()
        if action not in legal:
            state.check(action)
            raise ActionError(f"{action} is not legal here; legal are {' '.join(map(str, legal))}")
        comment = Comment(text=BETWEEN.join(self._notes.pop(seat, ())))
        if thought is not None:
            comment = replace(comment, centipoints=thought.centipoints, nodes=thought.nodes)
        self.history = self.history.play(action)
        self._comments.append(comment or None)
        self.version += 1
        self._see_the_end()

    def deal(self) -> None:
        """Deal the next smazzata; raises TurnError where it is not time for it."""
        if self.stage != "between":
            raise TurnError("the match is over" if self.stage == "over" else
                            "the smazzata is not over")
        self._begin(self._dealt())
        self.version += 1

    def note(self, seat: int, text: str) -> None:
        """Say something of what the seat plays next: it will stand in the record, once."""
        seat = whole(seat, 0, self.rules.players - 1, "seat")
        notes = self._notes.get(seat, [])
        if text not in notes:
            self._notes[seat] = [*notes, text][-MOST_NOTES:]

    def take_back(self, seat: int) -> None:
        """Undo the seat's last action of this smazzata and what bots have done since.

        It is noted, as the seat saw it, with the action that it plays then.  Raises TurnError
        where it has not played yet, another person has since, or the smazzata is over.
        """
        seat = whole(seat, 0, self.rules.players - 1, "seat")
        last = self._last_of(seat)
        if last is None:
            raise TurnError(
                "nothing can be taken back once the smazzata is over" if self.history.state.is_over
                else f"seat {seat} has done nothing that could be taken back: nothing yet in this "
                "smazzata, or somebody else has played since")
        seen = " ".join(
            f"{state.turn}:{state.seen(step, seat)}"
            for step, state in zip(self.history.steps[last:], self.history.states[last:],
                                   strict=False)
            if isinstance(step, Action))
        said = self._comments[last]
        before = said.text.split(BETWEEN) if said is not None and said.text else []
        notes = [*before, *self._notes.get(seat, ()), f"took back {seen}"]
        self._notes[seat] = notes[-MOST_NOTES:]
        # Nobody has thought yet of what is to come.
        for other in [other for other in self._notes if other != seat]:
            del self._notes[other]
        self.history = History(self.history.start, *self.history.steps[:last])
        del self._comments[last:]
        self.taken_back += 1
        self.version += 1

    def _last_of(self, seat: int) -> int | None:
        """The number of the step that the seat could take back, None where there is none."""
        if self.history.state.is_over:
            return None
        for number in reversed(range(len(self.history.steps))):
            turn = self.history.states[number].turn
            if turn == seat:
                return number
            assert turn is not None
            if self.seats[turn].is_person:
                return None
        return None

    def sit(self, seat: int, who: Seat) -> None:
        """Somebody else takes a seat from now on; raises ValueError as the making of a game."""
        seat = whole(seat, 0, self.rules.players - 1, "seat")
        seats = list(self.seats)
        seats[seat] = who
        self.seats = self._checked(tuple(seats))
        self.version += 1

    # --- as text ------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The whole game, the truth too, as plain values that ``from_json`` reads back."""
        dealer, scores = self._began
        running = [] if self.history.state.is_over else [write_record(self._record())]
        return {
            "format": FORMAT, "rules": str(self.rules), "seed": self.seed,
            "seats": [{"name": seat.name, "bot": seat.bot} for seat in self.seats],
            "dealer": dealer, "scores": list(scores),
            "most_smazzate": self.match.most_smazzate, "version": self.version,
            "notes": {str(seat): list(texts) for seat, texts in sorted(self._notes.items())},
            "records": [*self._texts, *running],
        }

    def to_text(self) -> str:
        """The same as a text of JSON."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1)

    @classmethod
    def from_text(cls, text: str) -> Game:
        """A game from its text; raises GameError, which says what is wrong with it."""
        try:
            saved = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise GameError(f"no saved game: {error}") from None
        return cls.from_json(saved)

    @classmethod
    def from_json(cls, saved: object) -> Game:
        """A game from what ``to_json`` gives; raises GameError, which says what is wrong."""
        if not isinstance(saved, dict) or saved.get("format") != FORMAT:
            raise GameError(f"no saved game of format {FORMAT}: {given(saved)}")
        try:
            return cls._read(saved)
        except (KeyError, AttributeError) as error:
            raise GameError(f"the saved game lacks {error}") from None
        except (TypeError, ValueError) as error:
            raise GameError(f"the saved game can't be read: {error}") from None

    @classmethod
    def _read(cls, saved: Mapping[str, Any]) -> Game:
        game = cls.__new__(cls)
        game.seed = check_seed(saved["seed"])
        game.match = Match(saved["rules"], dealer=saved["dealer"], scores=saved["scores"],
                           most_smazzate=saved["most_smazzate"])
        game._began = (game.match.dealer, game.match.scores)
        game.seats = game._checked(tuple(
            Seat(seat["name"], seat["bot"]) for seat in saved["seats"]))
        game.version = whole(saved["version"], 0, MAX_SEED, "version")
        game.records, game._texts, game._finished = [], [], None
        if not saved["records"]:
            raise GameError("records: there are none")
        for text in saved["records"]:
            game._resume(next(iter(read_records(text))))
        if game.match.smazzate + (game.stage == "playing") != len(saved["records"]):
            raise GameError("records: one before the last is unfinished")
        game._notes = {
            whole(int(seat), 0, game.rules.players - 1, "notes: seat"): [str(n) for n in texts]
            for seat, texts in saved["notes"].items()}
        return game

    def _resume(self, record: Record) -> None:
        """Go on after a smazzata, or in one."""
        match, start = self.match, record.start
        if (start.rules, start.dealer, start.scores) != (match.rules, match.dealer, match.scores):
            raise RecordError("it is not this match's next smazzata")
        if start.viewer is not None or any(ply.is_deal for ply in record.plies):
            raise RecordError("it is not the whole truth")
        self.history = History(start, *(ply.word for ply in record.plies))
        self._comments = [ply.comment for ply in record.plies]
        self._notes = {}
        self.taken_back = int(record.tags.get(TAKEN_BACK, "0"))
        if record.final.is_over:
            self._keep(record)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]  # It changes.

    def __reduce__(self) -> tuple[object, ...]:
        return (Game.from_text, (self.to_text(),))

    def __repr__(self) -> str:
        return f"<Game {self.rules}: smazzata {self.smazzata}, {self.stage}, {self.match}>"
