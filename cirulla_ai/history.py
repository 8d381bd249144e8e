"""A game as it was played: a state, the steps from it, and what each seat has seen of them."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from cirulla_ai.action import Action, Step, step_of
from cirulla_ai.basics.numbers import given, whole
from cirulla_ai.knowledge import Knowledge, seen_steps
from cirulla_ai.state import State, check_decidable, legal_among

__all__ = ["History"]


class History:
    """The start of a smazzata and the steps played from it: actions, and a viewer's deals.

    ``states`` are the start and those after each step.  Immutable: ``play`` gives another
    one, which goes on from what this one has worked out, so that a game that is followed
    step by step is stepped just once, for the truth and for each seat that looks.

    An engine that is told the whole smazzata can read what other seats probably hold from
    what they did; one that is told only the present state can't.

    >>> game = History(State.deal("cirulla", dealer=1, seed=7))
    >>> game = game.play(game.state.legal_actions()[0])
    >>> game.view(1).state == game.state.view(1)
    True
    """

    __slots__ = ("_known", "_views", "states", "steps")

    def __init__(self, start: State, *words: str | Step) -> None:
        """Raises ActionError as ``play`` does."""
        self.steps: tuple[Step, ...] = ()
        if not isinstance(start, State):
            raise TypeError(f"start {given(start)}: a State is needed")
        self.states: tuple[State, ...] = (start,)
        # By seat: its view of the first so many steps, and as many of them.
        self._views: dict[int, tuple[History, int]] = {}
        # Of a view: what its seat knows after the first so many steps, and as many of them.
        self._known: tuple[Knowledge, int] | None = None
        self._extend(words)

    @classmethod
    def of(cls, position: State | History, *words: str | Step) -> History:
        """A history, or the one that begins with a state, with more steps played.

        Raises ActionError as ``play`` does.
        """
        if isinstance(position, History):
            return position.play(*words) if words else position
        if not isinstance(position, State):
            raise TypeError(f"start {given(position)}: a State or a History is needed")
        return cls(position, *words)

    def _extend(self, words: Iterable[str | Step]) -> None:
        steps = tuple(map(step_of, words))
        self.states += self.state.through(*steps)[1:]
        self.steps += steps

    @property
    def start(self) -> State:
        """The state before the first step."""
        return self.states[0]

    @property
    def state(self) -> State:
        """The state after the last step."""
        return self.states[-1]

    @property
    def words(self) -> tuple[str, ...]:
        """The steps as text."""
        return tuple(map(str, self.steps))

    def play(self, *words: str | Step) -> History:
        """The history with more steps (actions, or ``@CARDS``) played.

        Raises ActionError where one of them can't be.
        """
        after = History.__new__(History)
        after.steps, after.states = self.steps, self.states
        after._views, after._known = dict(self._views), self._known
        after._extend(words)
        return after

    def view(self, seat: int) -> History:
        """What ``seat`` has seen of it: what to send to the engine that sits there.

        Raises ValueError where there is no such seat, or this is another seat's view already.
        """
        seat = whole(seat, 0, self.start.rules.players - 1, "seat")
        if self.start.viewer == seat:
            return self
        seen, done = self._views.get(seat) or (History(self.start.view(seat)), 0)
        seen = seen.play(*(
            step for k in range(done, len(self.steps))
            for step in seen_steps(self.states[k], self.steps[k], self.states[k + 1], seat)))
        self._views[seat] = (seen, len(self.steps))
        return seen

    def knowledge(self, seat: int | None = None) -> Knowledge:
        """What ``seat`` knows after it: by default the viewer, or in a whole truth the seat
        to move.

        Raises ValueError where this is another seat's view, or the smazzata is over and no
        seat is given.
        """
        if seat is None:
            seat = self.state.viewer if self.state.viewer is not None else self.state.turn
        if seat is None:
            return Knowledge(self.state)  # which says what is wrong
        if self.start.viewer != seat:
            return self.view(seat).knowledge(seat)
        known, done = self._known or (Knowledge(self.start), 0)
        known = copy(known)
        known.play(*self.steps[done:])
        self._known = (known, len(self.steps))
        # A copy: what its owner sees from now on is not of this history.
        return copy(known)

    @property
    def line(self) -> str:
        """The ``position`` command that sets it up."""
        moves = f" moves {' '.join(self.words)}" if self.steps else ""
        return f"position state {self.start}{moves}"

    def choices(self, actions: Iterable[Action | str] | None = None) -> list[Action]:
        """The legal actions of the seat to move, or ``actions`` where they are legal.

        Raises ValueError where they are not, there is nothing to decide, or the viewer is
        not to move.
        """
        state = self.state
        check_decidable(state if state.viewer is not None else state.view(state.turn or 0))
        legal = state.legal_actions()
        if actions is None:
            return legal
        chosen = legal_among(legal, actions)
        if not chosen:
            raise ValueError("no actions to choose from")
        return chosen

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and (self.start, self.steps) == (other.start, other.steps)

    def __hash__(self) -> int:
        return hash((self.start, self.steps))

    def __reduce__(self) -> tuple[object, ...]:
        return (History, (self.start, *self.steps))

    def __repr__(self) -> str:
        return f"<History of {len(self.steps)} steps: {self.state}>"
