from cirulla_ai._core.ciapano_position import CiapanoPosition
from cirulla_ai._core.stop import Stop

def solve(
    position: CiapanoPosition,
    *,
    most_nodes: int = ...,
    deadline: int = ...,
    stop: Stop | None = None,
) -> list[tuple[int, float, list[int]]] | None: ...
