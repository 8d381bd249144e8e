from typing import Any, type_check_only

from typing_extensions import disjoint_base

from cirulla_ai._core.contract import Fields, Position, Table

PHASES: tuple[str, ...]
ITEMS: tuple[str, ...]
OUTCOMES: tuple[str, ...]

@type_check_only
class FishingFields(Fields, total=False):
    round: int
    shown: list[int]
    claimed: list[int]
    declared: int
    table: int
    scopa: list[int]
    last: int
    stock: list[int]
    stock_count: int
    misdeals: int
    won: int

@disjoint_base
class FishingTable(Table):
    def __init__(self, options: dict[str, Any]) -> None: ...
    def captures(self, table: int, card: int, value: int = 0) -> list[int]: ...

def table_of(options: tuple[tuple[str, Any], ...]) -> FishingTable: ...

@disjoint_base
class FishingPosition(Position):
    rules: FishingTable
    def __init__(self, rules: FishingTable, fields: FishingFields) -> None: ...
    def fields(self) -> FishingFields: ...
    @staticmethod
    def deal(
        rules: FishingTable, dealer: int, scores: list[int], misdeals: int, pack: list[int]
    ) -> tuple[str, FishingPosition]: ...
    @staticmethod
    def deal_random(
        rules: FishingTable, dealer: int, scores: list[int], misdeals: int, seed: int
    ) -> FishingPosition: ...
    @property
    def viewer(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def won(self) -> int: ...
    def unseen(self) -> int: ...
    def accepts(self, code: int) -> bool: ...
    def after_random(self, count: int, seed: int) -> FishingPosition: ...
    def after_deal(self, hand: int) -> FishingPosition: ...
    def view(self, seat: int) -> FishingPosition: ...
    def items(self) -> list[list[int]]: ...
