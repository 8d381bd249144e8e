"""How much time a decision may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Budget"]

FOREVER_NS = 10**18
# Of a clock: a decision that is clear takes as little as this share of an even one, a hard
# one as much as that, but never more than so much of all that is left.
CLEAR, HARD, MOST = 0.35, 2.5, 0.5
# The share of all visits that makes the best action clear, and below which it is hard.
CLEAR_VISITS, HARD_VISITS = 0.9, 0.55


@dataclass(frozen=True)
class Budget:
    """Times from the start of a decision, in nanoseconds.

    ``hard`` is never exceeded.  With a clock ``even`` is this decision's even share, which a
    clear decision leaves and a hard one exceeds; None where all of ``hard`` is meant.
    """

    hard: int
    even: int | None = None

    @classmethod
    def of(
        cls, movetime: float | None, time: float | None, inc: float, plays_left: int, overhead: int
    ) -> Budget:
        """From limits in milliseconds (see ``Limit``); ``plays_left`` share the clock.

        ``overhead`` is kept for the way to the front end, but at most half of what there is.
        """
        hard = FOREVER_NS / 1e6
        if movetime is not None:
            hard = min(hard, movetime)
        even = None
        if time is not None:
            time = min(time, FOREVER_NS / 1e6)
            inc = min(inc, FOREVER_NS / 1e6)
            even = time / max(plays_left, 1) + inc
            # What the action adds comes after it, and too late for an answer that is.
            hard = min(hard, HARD * even, MOST * time)
        kept = min(overhead, hard / 2)
        hard = max(0.0, hard - kept)
        return cls(int(hard * 1e6),
                   None if even is None else int(max(0.0, min(even - kept, hard)) * 1e6))

    def is_spent(self, elapsed: int, visits: Sequence[float]) -> bool:
        """Whether to stop after ``elapsed`` with these visits of the actions, most first."""
        if elapsed >= self.hard:
            return True
        total = sum(visits)
        if self.even is None or not total:
            return False
        share = visits[0] / total
        if share > CLEAR_VISITS:
            return elapsed >= CLEAR * self.even
        if share > HARD_VISITS:
            return elapsed >= self.even
        return False

    def next_look(self, elapsed: int) -> int:
        """When to look again whether it is spent; never later than ``hard``."""
        if self.even is None:
            return self.hard
        marks = (int(CLEAR * self.even), self.even, elapsed + self.even // 4 + 1)
        return min(self.hard, *(mark for mark in marks if mark > elapsed))
