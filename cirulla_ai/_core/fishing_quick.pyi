from typing_extensions import disjoint_base

from cirulla_ai._core.contract import QuickPlay
from cirulla_ai._core.fishing_position import FishingTable
from cirulla_ai._core.fishing_value import Value

@disjoint_base
class FishingQuick(QuickPlay):
    def __init__(
        self, rules: FishingTable, value: Value | None = None, temperature: float = 0
    ) -> None: ...
