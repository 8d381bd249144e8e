from collections.abc import Sequence
from typing import Any

from typing_extensions import Self, disjoint_base

from cirulla_ai._core.position import Position, RuleTable

def unpack(octets: Any, steps: Any, out: Any) -> None: ...
@disjoint_base
class Value:
    @property
    def rules(self) -> RuleTable: ...
    def __new__(
        cls,
        rules: RuleTable,
        networks: Sequence[Any],
        afterstates: Sequence[Any] | None = None,
        hidden: int = 32,
    ) -> Self: ...
    @staticmethod
    def shape(rules: RuleTable, hidden: int) -> tuple[int, int]: ...
    @staticmethod
    def after_shape(rules: RuleTable, hidden: int) -> tuple[int, int]: ...
    def points(self, position: Position) -> list[float]: ...
    def actions(self, position: Position) -> list[tuple[int, float]]: ...
