"""A game as it is told to an engine: a state, and what was played from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from cirulla_ai.action import Action
from cirulla_ai.basics.numbers import given, whole
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.state import State, check_decidable, legal_among

__all__ = ["GamePosition", "History"]


@dataclass(frozen=True)
class GamePosition:
    """A state, the words played from it, and the state after them."""

    start: State
    words: tuple[str, ...]
    state: State

    def knowledge(self) -> Knowledge:
        """What the viewer, or in a whole truth the seat to move, knows, with what it saw of
        the words; raises ValueError where the smazzata is over."""
        seat = self.state.viewer if self.state.viewer is not None else self.state.turn
        if seat is None:
            return Knowledge(self.state)
        return Knowledge.replay(self.start, self.words, seat)


class History(GamePosition):
    """The start of a smazzata and the words played from it.

    An engine that is told the whole smazzata can read what other seats probably hold from
    what they did; one that is told only the present state can't.

    >>> game = History.of(State.deal("cirulla", dealer=1, seed=7))
    >>> game = game.play(game.state.legal_actions()[0])
    >>> game.view(1).state == game.state.view(1)
    True
    """

    @classmethod
    def of(cls, start: State | GamePosition, *words: str | Action) -> History:
        """The history that begins at ``start``; raises ActionError as ``play`` does."""
        if not isinstance(start, (State, GamePosition)):
            raise TypeError(f"start {given(start)}: a State or a History is needed")
        if isinstance(start, GamePosition):
            return cls(start.start, start.words, start.state).play(*words)
        return cls(start, (), start).play(*words)

    def play(self, *words: str | Action) -> History:
        """The history with more words (actions, or ``@CARDS``) played.

        Raises ActionError where one of them can't be.
        """
        texts = tuple(word if isinstance(word, str) else str(Action(word)) for word in words)
        return History(self.start, self.words + texts, self.state.play(*texts))

    def view(self, seat: int) -> History:
        """What ``seat`` has seen of it: what to send to the engine that sits there.

        Raises ValueError where there is no such seat, or this is another seat's view already.
        """
        seat = whole(seat, 0, self.start.rules.players - 1, "seat")
        if self.start.viewer == seat:
            return self
        seen = History.of(self.start.view(seat))
        truth = self.start
        for word in self.words:
            truth = truth.play(word)
            if word.startswith("@"):
                continue
            seen = seen.play(seen.state.seen(word, seat))
            if seen.state.phase == "deal":
                seen = seen.play("@" + "".join(truth.hands[seat]))
        return seen

    @cached_property
    def line(self) -> str:
        """The ``position`` command that sets it up."""
        moves = f" moves {' '.join(self.words)}" if self.words else ""
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
