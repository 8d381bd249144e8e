"""What one seat knows: its view of the state, and what the actions it saw have told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index
from typing import TYPE_CHECKING, Any

from cirulla_ai.action import Action, Deal, Step, several, step_of
from cirulla_ai.basics.numbers import given
from cirulla_ai.games.registry import game_of
from cirulla_ai.state import State, check_seed

if TYPE_CHECKING:
    from cirulla_ai._core.contract import SeatInformationSet

__all__ = ["Knowledge", "seen_steps"]


def seen_steps(before: State, step: Step, after: State, seat: int) -> Iterator[Step]:
    """A step from one state, a truth or the seat's view, to the next truth as ``seat`` sees it.

    The action, hidden where it is hidden from the seat, and the seat's new hand where it has
    ended a round.  A deal among the steps tells nothing: a whole truth deals by itself.
    """
    if isinstance(step, Deal):
        return
    yield before.seen(step, seat)
    if after.round > before.round:
        yield Deal("".join(after.hands[seat]))


class Knowledge:
    """The information set of ``seat`` (by default the seat to move) in ``state``.

    Of a whole truth just what the seat may know is kept.  Where claims are mandatory, what
    was seen of the round matters beyond the present view: make the Knowledge at the start
    of the round and ``play`` what is seen, or use ``Knowledge.replay``.

    Raises ValueError where the smazzata is over and no seat is given, or the state is
    another seat's view.

    >>> truth = State.deal(seed=7, dealer=1)
    >>> world = Knowledge(truth).draw(seed=1)
    >>> world.view(0) == truth.view(0), world == truth
    (True, False)
    """

    def __init__(self, state: State, seat: int | None = None) -> None:
        if not isinstance(state, State):
            raise TypeError(f"knowledge of {given(state)}: a State is needed, as State.parse "
                            "makes it from text")
        if seat is None:
            seat = state.viewer if state.viewer is not None else state.turn
        if seat is None:
            raise ValueError("the smazzata is over: say whose knowledge is meant")
        self.rules = state.rules
        self._state: State | None = state.view(seat)
        # As the view has it: an int, whatever it was.
        self.seat = index(seat)
        game = game_of(state.rules)
        self._core: SeatInformationSet = game.information_set(self._state.position, self.seat)

    @classmethod
    def replay(cls, start: State, words: Iterable[str | Step], seat: int) -> Knowledge:
        """What ``seat`` knows after ``words`` (as ``State.play`` takes them) from ``start``."""
        words = several("words", words)
        known = cls(start, seat)
        steps = [step_of(word) for word in words]
        if start.viewer is not None:
            known.play(*steps)
        else:
            for step, truth in zip(steps, start.through(*steps)[1:], strict=True):
                known.watch(step, truth)
        return known

    @property
    def core(self) -> Any:
        """It in the core's form, of which each game has its own."""
        return self._core

    @property
    def state(self) -> State:
        """The seat's view of the state."""
        if self._state is None:
            self._state = State(self.rules, self._core.position())
        return self._state

    def watch(self, word: str | Step, truth: State) -> None:
        """Take in one step that led to the whole truth ``truth``.

        Of the step the seat gets what it saw; of the truth only its new hand is read, where
        the step ended a round.
        """
        self.play(*seen_steps(self.state, step_of(word), truth, self.seat))

    def play(self, *words: str | Step) -> None:
        """Take in actions as they were seen, and ``@CARDS`` for the seat's new hand.

        Raises ActionError, and takes in nothing of that word, where it can't be.
        """
        for word in words:
            step = step_of(word)
            self.state.check(step)
            if isinstance(step, Action):
                self._core.observe(step.code)
            else:
                self._core.deal(step.cards)
            self._state = None

    def __copy__(self) -> Knowledge:
        """The same knowledge, that goes its own way from here."""
        other = Knowledge.__new__(Knowledge)
        other.seat = self.seat
        other.rules = self.rules
        other._state = self._state
        other._core = self._core.copy()
        return other

    def draw(self, seed: int) -> State:
        """A whole truth that agrees with all that the seat has seen.

        Uniform over those; only where claims are mandatory and hands so large that nearly
        every one has a claim is a world mended to agree, and then not quite uniform.
        Raises StateError for a seed that is not 0 … 2**64 - 1.
        """
        position, _ = self._core.draw(check_seed(seed))
        return State(self.rules, position)

    def __repr__(self) -> str:
        return f"<Knowledge of seat {self.seat}: {self.state}>"
