from cirulla_ai._core.fishing_position import FishingPosition, FishingTable
from cirulla_ai._core.stop import Stop

def is_solvable(position: FishingPosition) -> bool: ...
def solve(
    position: FishingPosition,
    win: int,
    most_nodes: int = ...,
    deadline: int = ...,
    stop: Stop | None = None,
) -> list[tuple[int, int, list[int]]] | None: ...
def solve_random(rules: FishingTable, n: int, seed: int) -> tuple[int, int, int]: ...
