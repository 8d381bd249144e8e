from typing_extensions import Self, disjoint_base

@disjoint_base
class Equity:
    def __new__(
        cls,
        sides: int,
        target: int,
        fewest: bool,
        mean: float,
        deviation: float,
        results: list[tuple[float, ...]] | None = None,
        outright: tuple[float, ...] | None = None,
        spreads: list[tuple[float, ...]] | None = None,
        ready: bytes | None = None,
    ) -> Self: ...
    @property
    def ready(self) -> bytes: ...
    def prepare(self, left: int) -> None: ...
    def chances(
        self, scores: list[int] | list[float], dealer: int, won: int = -1, left: int = 0
    ) -> tuple[list[float], int]: ...
