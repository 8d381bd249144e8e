from typing_extensions import disjoint_base

from cirulla_ai._core.ciapano_position import CiapanoTable
from cirulla_ai._core.contract import QuickPlay

@disjoint_base
class CiapanoQuick(QuickPlay):
    def __init__(self, rules: CiapanoTable) -> None: ...
