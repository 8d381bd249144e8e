"""What rules are made of: options, the values that they take, and families of rules.

A family is a game's part of the rules: its options, its presets, and what follows from
them.  Everything that reads, prints or plays rules goes through it, so that a game is added
by adding a family.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cirulla_ai._core.contract import Rollout
from cirulla_ai._core.fishing_value import Value as Networks
from cirulla_ai._core.stop import Stop
from cirulla_ai.games.options import Option, Value
from cirulla_ai.games.reader import Fields

if TYPE_CHECKING:
    from cirulla_ai.rules import Rules
    from cirulla_ai.state import State

__all__ = ["Game", "RuleFamily", "Solved"]


@dataclass(frozen=True)
class Solved:
    """The proved value of an action.

    ``code`` of the action; ``points`` the side to move gets over the whole smazzata, less
    those of the other, with best play of both; ``line`` the codes of that play, the action
    first, to the end of the smazzata.
    """

    code: int
    points: float
    line: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """One game, or a family of games that share a core.

    ``keys`` are those of a state string, in order, ``deal_keys`` those that make sense
    before a deal; ``position`` is the core's state, ``read`` makes its fields from the
    texts of a state string and ``write`` the string; ``explain_refusal`` says why an action
    can't be played; ``information_set`` is what the search is given of what a seat knows;
    ``exact`` solves what can be proved (see ``fishing_exact``); ``rollout`` is what helps
    the search to tell outcomes, ``posterior`` a seat's knowledge whose worlds come as likely
    as what was seen makes them, ``has_value`` whether there are learned values of its states,
    ``exploration`` its constant of UCT in per cent where lines end with learned values, and
    ``far_exploration`` where they are played out; ``points`` are a side's, ``progress`` is
    how far a smazzata is in a few words, ``picture`` the whole in lines.
    """

    family: RuleFamily
    keys: tuple[str, ...]
    deal_keys: tuple[str, ...]
    position: Any
    read: Callable[[Rules, Mapping[str, str]], Fields]
    write: Callable[[Rules, Any], str]
    explain_refusal: Callable[[Any, int], str]
    information_set: Callable[[Any, int], Any]
    exact: Callable[[Any, Sequence[int], int, Stop], list[Solved] | None] | None
    has_value: bool
    exploration: int
    far_exploration: int
    rollout: Callable[[Rules, Networks | None, bool], Rollout | None]
    posterior: Callable[[Any, Networks | None], Any]
    points: Callable[[Any], tuple[Any, ...]]
    progress: Callable[[State], str]
    picture: Callable[[State], Iterable[str]]


class RuleFamily(ABC):
    """The rules of one game, or of several that share their options.

    ``options`` are in the order in which a state string lists them.  ``presets`` maps each
    preset to its tradition in a few words and to what differs from ``defaults``, as option
    tokens.  ``fewest``: few points are good.
    """

    options: ClassVar[Mapping[str, Option]]
    presets: ClassVar[Mapping[str, tuple[str, str]]]
    defaults: ClassVar[Mapping[str, Value]]
    fewest: ClassVar[bool] = False

    def settle(  # noqa: B027  (most options mean what they say)
        self, values: dict[str, Value], base: dict[str, Value], given: Mapping[str, str]
    ) -> None:
        """Work out the values, of these rules and of their preset, that follow from others.

        ``given`` are the options that were named.
        """

    def check(self, rules: Rules) -> None:  # noqa: B027
        """Raise RulesError where the whole can't be played."""

    def can_score(self, values: Mapping[str, Value]) -> bool:
        """Whether a match can end at all: somebody may make a point or win it outright."""
        return True

    @abstractmethod
    def players(self, values: Mapping[str, Value]) -> int:
        """The number of seats."""

    @abstractmethod
    def sides(self, values: Mapping[str, Value]) -> int:
        """The number of sides."""

    @abstractmethod
    def table(self, values: tuple[tuple[str, Value], ...]) -> Any:
        """The rules in the core's form; the same object for equal options."""

    @abstractmethod
    def winners(self, target: int, scores: Sequence[int]) -> tuple[int, ...]:
        """The sides that have won with these match scores after a smazzata; none yet: ()."""

    def key(self, rules: Rules) -> str:
        """The rules as far as they decide what the states between rounds are worth: what is
        learnt of them goes by this."""
        return str(rules)

    def has_values(self, rules: Rules) -> bool:
        """Whether there are states between rounds whose values can be learnt."""
        return False
