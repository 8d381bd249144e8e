"""What cards are worth to have taken, in points: the rule players' sense of value.

The figures for cards, diamonds, sette bello, sevens and sixes are those of a linear fit to
the final difference under ordinary play of Cirulla (a card 0.1, a diamond 0.35, sette bello
0.9 more, other sevens 0.3, sixes 0.08, runs of diamonds by what is still in reach); they are
scaled by what the rules pay for each.
"""

from __future__ import annotations

from functools import lru_cache

from cirulla_ai.rules import Rules

__all__ = ["Worth"]

DIAMONDS = sum(1 << (4 * rank + 1) for rank in range(10))
LOW_RUN = (0.0, 1.0, 1.8, 3.1)
HIGH_RUN = (0.0, 1.0, 2.2, 4.4)


def rank_bit(rank: int) -> int:
    """The diamond of a rank (0 … 9)."""
    return 1 << (4 * rank + 1)


class Worth:
    """Values of sets of cards (40-bit ints) under one set of rules."""

    def __init__(self, rules: Rules) -> None:
        def number(name: str) -> int:
            value = rules[name]
            return value if isinstance(value, int) else 0

        self.cards = 0.1 * number("points_cards")
        self.diamond = 0.35 * number("points_diamonds")
        self.settebello = 0.9 * number("points_settebello")
        primiera = number("points_primiera")
        self.by_rank = [0.0] * 10
        self.by_rank[6] = 0.3 * primiera
        self.by_rank[5] = 0.08 * primiera
        self.by_rank[0] = 0.04 * primiera
        self.low = 1.0 if number("piccola_max") >= 3 else 0.0
        self.high = number("grande") / 5
        self.cappotto = 0.0 if rules["cappotto"] == "no" else 1.0
        self.value = lru_cache(maxsize=4096)(self._value)

    def _value(self, cards: int) -> float:
        total = self.cards * bin(cards).count("1")
        total += self.diamond * bin(cards & DIAMONDS).count("1")
        if cards & rank_bit(6):
            total += self.settebello
        for rank, worth in enumerate(self.by_rank):
            if worth:
                total += worth * bin(cards >> (4 * rank) & 15).count("1")
        return total

    def runs(self, mine: int, theirs: int) -> float:
        """What the runs of diamonds promise to a side that has ``mine``."""
        total = 0.0
        low = rank_bit(0) | rank_bit(1) | rank_bit(2)
        high = rank_bit(7) | rank_bit(8) | rank_bit(9)
        if self.low and not theirs & low:
            total += self.low * LOW_RUN[bin(mine & low).count("1")]
        if self.high and not theirs & high:
            total += self.high * HIGH_RUN[bin(mine & high).count("1")]
        return total

    def gain(self, cards: int, mine: int, theirs: int) -> float:
        """What taking ``cards`` is worth, in points, beyond a scopa it may make."""
        gain = self.value(cards)
        if cards & DIAMONDS:
            gain += self.runs(mine | cards, theirs) - self.runs(mine, theirs)
            gain += self.runs(theirs, mine) - self.runs(theirs, mine | cards)
        return gain
