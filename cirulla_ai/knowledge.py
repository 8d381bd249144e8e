"""What one seat knows: its view of the state, and what the actions it saw have told."""

from __future__ import annotations

from collections.abc import Iterable

from cirulla_ai._core.cards import set_of
from cirulla_ai._core.worlds import FishingInformationSet
from cirulla_ai.action import Action
from cirulla_ai.state import State

__all__ = ["Knowledge"]


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
        if seat is None:
            seat = state.viewer if state.viewer is not None else state.turn
        if seat is None:
            raise ValueError("the smazzata is over: say whose knowledge is meant")
        self.state = state.view(seat)
        self.seat = seat
        self.core = FishingInformationSet(self.state.position, seat)

    @classmethod
    def replay(cls, start: State, words: Iterable[str], seat: int) -> Knowledge:
        """What ``seat`` knows after ``words`` (as ``State.play`` takes them) from ``start``."""
        known = cls(start, seat)
        truth = start
        for word in words:
            before, truth = truth, truth.play(word)
            if truth.viewer is not None:
                known.play(word)
            elif truth is not before:
                known.play(word)
                if known.state.phase == "deal":
                    known.play("@" + "".join(truth.hands[seat]))
        return known

    def play(self, *words: str) -> None:
        """Take in actions as they were seen, and ``@CARDS`` for the seat's new hand.

        Raises ActionError, and takes in nothing of that word, where it can't be.
        """
        for word in words:
            after = self.state.play(word)
            if word.startswith("@"):
                self.core.deal(set_of(word[1:]))
            else:
                self.core.observe(Action(word).code)
            self.state = after

    def draw(self, seed: int) -> State:
        """A whole truth, uniform over those that agree with all that the seat has seen."""
        position, _ = self.core.draw(seed)
        return State(self.state.rules, position)
