from typing_extensions import disjoint_base

from cirulla_ai._core.contract import Rollout
from cirulla_ai._core.fishing_position import FishingTable
from cirulla_ai._core.fishing_value import Value

@disjoint_base
class FishingRollout(Rollout):
    def __init__(
        self, rules: FishingTable, value: Value | None = None, exact: bool = True
    ) -> None: ...
