"""The options of Ciapa No, a trick game for three in which few points are good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from cirulla_ai._core.ciapano_position import CiapanoTable, table_of
from cirulla_ai.games.contract import RuleFamily
from cirulla_ai.games.options import Flag, Number, Option, Value

__all__ = ["OPTIONS", "SEATS", "CiapanoFamily"]

SEATS = 3
# In the order in which a state string lists them.
OPTIONS: Mapping[str, Option] = MappingProxyType({
    option.name: option
    for option in (
        Flag("cappotto", "a seat that takes all the points scores none, the others eleven each"),
        Number("target", 1, 1000, "match points at which the seat with the fewest wins"),
    )
})


class CiapanoFamily(RuleFamily):
    """Tricks are taken by the highest card of the suit led, and best not taken at all."""

    options = OPTIONS
    presets = MappingProxyType({"ciapano": ("a trick game for three, points are bad", "")})
    defaults = MappingProxyType({"cappotto": False, "target": 31})
    fewest = True

    def players(self, values: Mapping[str, Value]) -> int:
        return SEATS

    def sides(self, values: Mapping[str, Value]) -> int:
        return SEATS

    def table(self, values: tuple[tuple[str, Value], ...]) -> CiapanoTable:
        return table_of(values)

    def winners(self, target: int, scores: Sequence[int]) -> tuple[int, ...]:
        if max(scores) < target:
            return ()
        return tuple(seat for seat, score in enumerate(scores) if score == min(scores))
