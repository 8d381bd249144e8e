"""When a search is to stop."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf
from numbers import Integral, Real

from cirulla_ai.basics.numbers import given, real, whole

__all__ = ["Limit"]

# Beyond any use, inside what the protocol carries.
MOST_NODES = 2**63 - 1


@dataclass(frozen=True)
class Limit:
    """When to stop: whichever comes first.  Times are in milliseconds.

    ``movetime`` for this decision; ``nodes`` search iterations; ``time`` and ``inc``: the
    clock for the rest of the smazzata and what each action adds to it.  With none of them
    the search goes on until it is stopped.  Raises ValueError for a part of a node, and for
    what is no number.
    """

    movetime: float | None = None
    nodes: int | None = None
    time: float | None = None
    inc: float = 0

    def __post_init__(self) -> None:
        for name in ("movetime", "time", "inc"):
            if (value := getattr(self, name)) is not None or name == "inc":
                object.__setattr__(self, name, real(value, -inf, inf, name))
        if self.nodes is not None:
            nodes: object = self.nodes
            # 1e3 is a whole number too.
            if isinstance(nodes, Real) and not isinstance(nodes, Integral) and nodes % 1 == 0:
                nodes = floor(nodes)
            object.__setattr__(self, "nodes", whole(nodes, -MOST_NODES, MOST_NODES, "nodes"))

    @property
    def is_infinite(self) -> bool:
        """Whether only a stop ends it."""
        return self.movetime is None and self.nodes is None and self.time is None


def check_limit(limit: Limit) -> None:
    """Raise TypeError for what is no Limit."""
    if not isinstance(limit, Limit):
        raise TypeError(f"limit {given(limit)}: a Limit is needed, as Limit(movetime=100)")
