from typing_extensions import disjoint_base

from cirulla_ai._core.position import RuleTable
from cirulla_ai._core.value import Value

@disjoint_base
class Guide: ...

@disjoint_base
class FishingGuide(Guide):
    def __init__(
        self, rules: RuleTable, value: Value | None = None, exact: bool = True
    ) -> None: ...
