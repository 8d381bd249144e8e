from collections.abc import Sequence
from typing import Any

from typing_extensions import Self, disjoint_base

from cirulla_ai._core.fishing_position import FishingPosition, FishingTable

def unpack(octets: Any, steps: Any, out: Any) -> None: ...
@disjoint_base
class Value:
    @property
    def rules(self) -> FishingTable: ...
    def __new__(
        cls,
        rules: FishingTable,
        networks: Sequence[Any],
        afterstates: Sequence[Any] | None = None,
        hidden: int = 32,
    ) -> Self: ...
    @staticmethod
    def shape(rules: FishingTable, hidden: int) -> tuple[int, int]: ...
    @staticmethod
    def after_shape(rules: FishingTable, hidden: int) -> tuple[int, int]: ...
    def points(self, position: FishingPosition) -> list[float]: ...
    def actions(self, position: FishingPosition) -> list[tuple[int, float]]: ...
