from cirulla_ai._core.position import Position
from cirulla_ai._core.stop import Stop

def is_solvable(position: Position) -> bool: ...
def solve(
    position: Position, win: int, most_nodes: int = ..., stop: Stop | None = None
) -> list[tuple[int, int]] | None: ...
