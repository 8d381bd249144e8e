"""What one seat knows: its view of the state, and what the actions it saw have told."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

from cirulla_ai._core.cards import set_of
from cirulla_ai.action import Action, several
from cirulla_ai.basics.numbers import given
from cirulla_ai.games.registry import game_of
from cirulla_ai.state import State, check_seed

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
        if not isinstance(state, State):
            raise TypeError(f"knowledge of {given(state)}: a State is needed, as State.parse "
                            "makes it from text")
        if seat is None:
            seat = state.viewer if state.viewer is not None else state.turn
        if seat is None:
            raise ValueError("the smazzata is over: say whose knowledge is meant")
        self.state = state.view(seat)
        # As the view has it: an int, whatever it was.
        self.seat = index(seat)
        self.core = game_of(state.rules).information_set(self.state.position, self.seat)

    @classmethod
    def replay(cls, start: State, words: Iterable[str | Action], seat: int) -> Knowledge:
        """What ``seat`` knows after ``words`` (as ``State.play`` takes them) from ``start``."""
        words = several("words", words)
        known = cls(start, seat)
        if start.viewer is not None:
            known.play(*words)
            return known
        truth = start
        for word in words:
            truth = truth.play(word)
            known.watch(word, truth)
        return known

    def watch(self, word: str | Action, truth: State) -> None:
        """Take in one word that led to the whole truth ``truth``.

        Of the word the seat gets what it saw; of the truth only its new hand is read, where
        the word ended a round.
        """
        if isinstance(word, str) and word.startswith("@"):
            return
        self.play(self.state.seen(word, self.seat))
        if self.state.phase == "deal":
            self.play("@" + "".join(truth.hands[self.seat]))

    def play(self, *words: str | Action) -> None:
        """Take in actions as they were seen, and ``@CARDS`` for the seat's new hand.

        Raises ActionError, and takes in nothing of that word, where it can't be.
        """
        for word in words:
            after = self.state.play(word)
            if isinstance(word, str) and word.startswith("@"):
                self.core.deal(set_of(word[1:]))
            else:
                self.core.observe(Action(word).code)
            self.state = after

    def __copy__(self) -> Knowledge:
        """The same knowledge, that goes its own way from here."""
        other = Knowledge.__new__(Knowledge)
        other.state = self.state
        other.seat = self.seat
        other.core = self.core.copy()
        return other

    def draw(self, seed: int) -> State:
        """A whole truth that agrees with all that the seat has seen.

        Uniform over those; only where claims are mandatory and hands so large that nearly
        every one has a claim is a world mended to agree, and then not quite uniform.
        Raises StateError for a seed that is not 0 … 2**64 - 1.
        """
        position, _ = self.core.draw(check_seed(seed))
        return State(self.state.rules, position)

    def __repr__(self) -> str:
        return f"<Knowledge of seat {self.seat}: {self.state}>"
