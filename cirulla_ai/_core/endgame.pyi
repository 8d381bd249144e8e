from cirulla_ai._core.position import Position, RuleTable
from cirulla_ai._core.stop import Stop

def is_solvable(position: Position) -> bool: ...
def solve(
    position: Position,
    win: int,
    most_nodes: int = ...,
    deadline: int = ...,
    stop: Stop | None = None,
) -> list[tuple[int, int, list[int]]] | None: ...
def solve_random(rules: RuleTable, n: int, seed: int) -> tuple[int, int, int]: ...
