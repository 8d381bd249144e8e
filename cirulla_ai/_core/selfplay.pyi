from typing import Any

from typing_extensions import Self, disjoint_base

from cirulla_ai._core.position import RuleTable
from cirulla_ai._core.value import Value

@disjoint_base
class SelfPlay:
    def __new__(
        cls, rules: RuleTable, value: Value | None, temperature: float, seed: int
    ) -> Self: ...
    def states(
        self, round: int, deals: int, later: Value | None, states: Any, points: Any
    ) -> None: ...
    def results(self, points: Any, expected: Any) -> None: ...
