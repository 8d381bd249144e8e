from abc import ABCMeta, abstractmethod
from typing import TypedDict, type_check_only

from typing_extensions import Self, disjoint_base

from cirulla_ai._core.stop import Stop

# What every game's class has is abstract here, though the parent itself need not have it.

@type_check_only
class Fields(TypedDict, total=False):
    """A position's parts that all games have: seats and sides by number, sets of cards as ints.

    A hand is what is known of it and the number of cards that are not.
    """

    dealer: int
    turn: int
    hands: list[tuple[int, int]]
    taken: list[int]
    scores: list[int]
    viewer: int
    phase: int

@disjoint_base
class Table:
    def random_games(self, n: int, seed: int) -> tuple[int, int, int, int]: ...

@disjoint_base
class Position(metaclass=ABCMeta):
    @property
    def turn(self) -> int: ...
    def copy(self) -> Self: ...
    def legal(self) -> list[int]: ...
    def count_legal(self) -> int: ...
    def seen(self, code: int, seat: int) -> int: ...
    def after(self, code: int) -> Self: ...
    def perft(self, depth: int, stop: Stop | None = None) -> int: ...
    @property
    @abstractmethod
    def viewer(self) -> int: ...
    @property
    @abstractmethod
    def phase(self) -> str: ...
    @property
    @abstractmethod
    def won(self) -> int: ...
    @abstractmethod
    def fields(self) -> Fields: ...
    @abstractmethod
    def unseen(self) -> int: ...
    @abstractmethod
    def accepts(self, code: int) -> bool: ...
    @abstractmethod
    def view(self, seat: int) -> Self: ...
    @abstractmethod
    def items(self) -> list[list[int]]: ...
    # Called in phase ``deal`` only, which a game may do without.
    def after_deal(self, hand: int) -> Self: ...

@disjoint_base
class InformationSet:
    viewer: int
    def position(self) -> Position: ...
    def draw(self, seed: int) -> tuple[Position, bool]: ...
    def truth(self) -> Position | None: ...

@type_check_only
class SeatInformationSet(InformationSet, metaclass=ABCMeta):
    """That of a seat: every game has its own, which follows what the seat sees."""

    @abstractmethod
    def copy(self) -> Self: ...
    @abstractmethod
    def observe(self, code: int) -> None: ...
    # As ``Position.after_deal``.
    def deal(self, hand: int) -> None: ...

@disjoint_base
class CheatInformationSet(InformationSet):
    def __init__(self, position: Position, viewer: int) -> None: ...
    def truth(self) -> Position: ...

@disjoint_base
class Rollout: ...

@disjoint_base
class QuickPlay:
    items: tuple[str, ...]
    def is_fresh(self, position: Position) -> bool: ...
