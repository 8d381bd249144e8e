from typing import final

from typing_extensions import Self

from cirulla_ai._core.blocks import Blocks
from cirulla_ai._core.contract import InformationSet, Rollout
from cirulla_ai._core.equity import Equity
from cirulla_ai._core.stop import Stop

MAX_ITERATIONS: int

@final
class Search:
    @property
    def knowledge(self) -> InformationSet: ...
    @property
    def iterations(self) -> int: ...
    @property
    def actions_played(self) -> int: ...
    @property
    def depth(self) -> int: ...
    def __new__(
        cls,
        knowledge: InformationSet,
        actions: list[int],
        *,
        seed: int,
        hash_bytes: int,
        exploration: float,
        for_match: bool,
        equity: Equity,
        stop: Stop,
        flat: bool = False,
        rollout: Rollout | None = None,
    ) -> Self: ...
    def run(self, iterations: int, deadline: int = ..., least: int = 1) -> int: ...
    def compare(
        self, places: list[int], blocks: Blocks, worlds: int, deadline: int = ..., least: int = 2
    ) -> int: ...
    def results(self) -> list[tuple[int, int, float, float, float, float]]: ...
    def line(self, action: int) -> list[int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def hashfull(self) -> int: ...

def now_ns() -> int: ...
def can_allocate(size: int) -> bool: ...
