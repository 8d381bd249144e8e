from typing import Any

from typing_extensions import Self, disjoint_base

from cirulla_ai._core.fishing_position import FishingTable
from cirulla_ai._core.fishing_value import Value

@disjoint_base
class SelfPlay:
    def __new__(
        cls, rules: FishingTable, value: Value, temperature: float, seed: int
    ) -> Self: ...
    @staticmethod
    def solves(rules: FishingTable) -> bool: ...
    def states(
        self, round: int, deals: int, later: Value, states: Any, points: Any
    ) -> None: ...
    def afterstates(self, round: int, deals: int, states: Any, margins: Any) -> None: ...
    def results(self, points: Any, expected: Any) -> None: ...
