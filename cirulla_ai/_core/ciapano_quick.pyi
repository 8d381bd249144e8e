from cirulla_ai._core.ciapano_position import CiapanoTable
from cirulla_ai._core.contract import QuickPlay

class CiapanoQuick(QuickPlay):
    def __init__(self, rules: CiapanoTable) -> None: ...
