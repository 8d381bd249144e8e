from cirulla_ai._core.contract import Position, QuickPlay
from cirulla_ai._core.equity import Equity

def deal_values(
    quick: QuickPlay, dealt: Position, equity: Equity, plays: int, redeals: int, seed: int
) -> tuple[tuple[list[float], list[float]], tuple[list[float], list[float]]]: ...
