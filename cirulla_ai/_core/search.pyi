from typing_extensions import Self

from typing_extensions import disjoint_base

from cirulla_ai._core.fishing import Stop
from cirulla_ai._core.worlds import InformationSet

MAX_ITERATIONS: int

@disjoint_base
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
        mean: float,
        deviation: float,
        stop: Stop,
        flat: bool = False,
    ) -> Self: ...
    def run(self, iterations: int, deadline: int = ...) -> int: ...
    def results(self) -> list[tuple[int, int, float, float, float]]: ...
    def line(self, action: int) -> list[int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def hashfull(self) -> int: ...
    @property
    def memory(self) -> int: ...

def now_ns() -> int: ...
def can_allocate(size: int) -> bool: ...
