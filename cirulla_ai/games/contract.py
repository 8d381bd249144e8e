"""What a game is to everything above it: its rules, its entry, and the values it can prove.

States, knowledge, the search, the protocol and matches know a game by its ``Game`` alone;
docs/adding-a-game.md says how one is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from cirulla_ai._core.contract import InformationSet, Position, QuickPlay, Rollout, Table
from cirulla_ai._core.fishing_value import Value as Networks
from cirulla_ai._core.stop import Stop
from cirulla_ai.games.options import Option, Value

if TYPE_CHECKING:
    from cirulla_ai._core.contract import Fields, SeatInformationSet
    from cirulla_ai.history import History
    from cirulla_ai.rules import Rules
    from cirulla_ai.state import State

__all__ = ["AnyGame", "Game", "PositionClass", "RuleFamily", "SheetItem", "SidePoints", "Solved"]

# A game's own position, its parts, and what a seat knows of it.
P = TypeVar("P", bound=Position)
F = TypeVar("F", bound="Fields")
K = TypeVar("K", bound="SeatInformationSet")
# As ``PositionClass`` gives and takes them.
Made = TypeVar("Made", bound=Position, covariant=True)
Parts = TypeVar("Parts", bound="Fields", contravariant=True)


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


class SidePoints(Protocol):
    """A side's points of a smazzata: a dataclass of what they are made of."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def total(self) -> int:
        """All of them together."""


@dataclass(frozen=True)
class SheetItem:
    """A row of the score sheet, a side each: the points, and what they are for.

    ``item`` names it; ``counts`` is what was counted for it, ``cards`` are those to show, as
    far as there are any; ``reason`` is why nobody has got points for it, "" where somebody
    has or it needs none: ``tie``, ``nobody`` (took it), ``none`` (is complete), ``short``.
    """

    item: str
    points: tuple[int, ...]
    counts: tuple[int, ...]
    cards: tuple[tuple[str, ...], ...] = ()
    reason: str = ""


class PositionClass(Protocol[Made, Parts]):
    """The class of a game's positions: what makes them, by the rules in the core's form."""

    def __call__(self, rules: Any, fields: Parts) -> Made:
        """The position of these parts, which ``Game.read`` has checked."""

    def deal(
        self, rules: Any, dealer: int, scores: list[int], misdeals: int, pack: list[int]
    ) -> tuple[str, Made]:
        """Deal forty card indices in deal order: (outcome, position)."""

    def deal_random(
        self, rules: Any, dealer: int, scores: list[int], misdeals: int, seed: int
    ) -> Made:
        """Shuffle by ``seed`` and deal, again after each misdeal."""


@dataclass(frozen=True)
class Game(Generic[P, F, K]):
    """One game, or a family of games that share a core.

    ``keys`` are those of a state string, in order, ``deal_keys`` those that make sense
    before a deal; ``position`` is the class of the core's states, ``read`` makes the parts
    of one from the texts of a state string and ``write`` the string; ``explain_refusal``
    says why an action can't be played; ``information_set`` is what the search is given of
    what a seat knows; ``exact`` solves what can be proved, by the deadline and unless
    stopped; ``rollout`` is what helps the search to tell outcomes, ``posterior`` a seat's
    knowledge whose worlds come as likely as what was seen makes them, ``has_value`` whether
    there are learned values of its states, ``exploration`` its constant of UCT in per cent
    where lines end with learned values, and ``far_exploration`` where they are played out;
    ``quick`` is a quick way to play, by a softmax or always a best action, and tells what deals
    are worth; ``points`` are a side's, ``sheet`` what they are made of, row by row;
    ``progress`` is how far a smazzata is in a few words, ``picture`` the whole in lines.
    """

    family: RuleFamily
    keys: tuple[str, ...]
    deal_keys: tuple[str, ...]
    position: PositionClass[P, F]
    read: Callable[[Rules, Mapping[str, str]], F]
    write: Callable[[Rules, P], str]
    explain_refusal: Callable[[P, int], str]
    information_set: Callable[[P, int], K]
    exact: Callable[[InformationSet, Sequence[int], int, Stop], list[Solved] | None] | None
    has_value: bool
    exploration: int
    far_exploration: int
    rollout: Callable[[Rules, Networks | None, bool], Rollout | None]
    posterior: Callable[[K, Networks | None], K]
    quick: Callable[[Rules, Networks | None, bool], QuickPlay]
    points: Callable[[P], tuple[SidePoints, ...]]
    sheet: Callable[[History], tuple[SheetItem, ...]]
    progress: Callable[[State], str]
    picture: Callable[[State], Iterable[str]]


# Whoever asks the registry has positions and knowledge of the same game as the entry.
AnyGame = Game[Any, Any, Any]


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
    def table(self, values: tuple[tuple[str, Value], ...]) -> Table:
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
