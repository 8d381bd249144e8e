"""What a player is given on its turn, and what it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from dataclasses import dataclass
from random import Random

from cirulla_ai.action import Action
from cirulla_ai.basics.numbers import MAX_SEED, given, whole
from cirulla_ai.engine.limit import Limit
from cirulla_ai.games.contract import RuleFamily
from cirulla_ai.games.registry import FAMILIES
from cirulla_ai.history import History
from cirulla_ai.knowledge import Knowledge
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["Player", "PlayerError", "Thought", "Turn"]


class PlayerError(ValueError):
    """There is no player of this name, or it does not play this game."""


class Turn:
    """One decision: what the seat to move may know, made only where it is asked for.

    ``game`` is the whole truth so far; a player never sees it, but for one that ``sees_all``.
    """

    def __init__(self, game: History, limit: Limit) -> None:
        if game.state.turn is None:
            raise ValueError("the smazzata is over: nobody is to move")
        self.seat = game.state.turn
        self.limit = limit
        self._game = game

    @property
    def view(self) -> State:
        """The state as the seat may see it."""
        return self._game.state.view(self.seat)

    @property
    def codes(self) -> list[int]:
        """The core's codes of the legal actions."""
        codes: list[int] = self._game.state.position.legal()
        return codes

    @property
    def knowledge(self) -> Knowledge:
        """What the seat knows, with what it saw since the smazzata began."""
        return self._game.knowledge(self.seat)

    @property
    def history(self) -> History:
        """What the seat has seen since the smazzata began, as an engine is told it."""
        return self._game.view(self.seat)

    def truth(self, player: Player) -> State:
        """All the cards, for a player that declares that it sees them.

        Raises PermissionError for any other.
        """
        if not player.sees_all:
            raise PermissionError(f"{player.name} plays fair: it does not see all cards")
        return self._game.state


@dataclass(frozen=True)
class Thought:
    """What a player says of its choice: 100 × the points that it expects to be ahead by, and
    the search iterations that it took; None what it does not say."""

    centipoints: int | None = None
    nodes: int | None = None


class Player(ABC):
    """Something that chooses actions.  ``seed`` makes all its random choices reproducible;
    raises ValueError where it is not 0 … 2**64 - 1.

    ``families`` are the families of rules that it can play by; ``thought`` is what it said
    of its last choice, for records.
    """

    name: str = ""
    thought: Thought = Thought()
    families: tuple[RuleFamily, ...] = FAMILIES
    sees_all: bool = False

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(None if seed is None else whole(seed, 0, MAX_SEED, "seed"))

    def __copy__(self) -> Player:
        """The same player, with luck of its own from here."""
        return deepcopy(self)

    def check(self, rules: Rules) -> None:
        """Raise PlayerError where it can't play by these rules, TypeError where they are none."""
        if not isinstance(rules, Rules):
            raise TypeError(f"rules {given(rules)}: Rules are needed, as Rules('scopa')")
        if rules.family not in self.families:
            presets = [preset for family in self.families for preset in family.presets]
            raise PlayerError(f"the player {self.name} does not play {rules.preset}; it plays "
                              f"{', '.join(presets)}")

    def begin(self, seed: int) -> None:
        """A new game: all that it does from here on depends on ``seed`` alone.

        Raises ValueError where it is not 0 … 2**64 - 1.
        """
        self.random.seed(whole(seed, 0, MAX_SEED, "seed"))

    def prepare(self, turn: Turn | None = None) -> None:  # noqa: B027  (most are ready)
        """Get ready to choose on this turn, before the clock starts."""

    @abstractmethod
    def choose(self, turn: Turn) -> Action:
        """The action to play."""

    def close(self) -> None:  # noqa: B027  (most hold nothing)
        """Give back what it holds."""
