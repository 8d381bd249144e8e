"""By how much taking the luck of the deals out of single smazzate divides their variance.

Reads records, as ``cirulla match --records`` writes them, and prints for the first side's
points and for its chance to win the match: the mean plain and without luck, both variances,
and their ratio with its standard error (jackknife over blocks of twelve smazzate, so that the
seatings of a deal stand together).

    python bench/studies/luck.py RECORDS
"""

from __future__ import annotations

import argparse
from math import sqrt
from pathlib import Path

from cirulla_ai.analysis.luck import deal_luck, luck_of
from cirulla_ai.engine.evaluation_file import evaluation_of
from cirulla_ai.records import Record, read_records
from cirulla_ai.tournament.referee import result_points

BLOCK = 12


def plain_and_luck(record: Record) -> tuple[tuple[float, float], tuple[float, float]]:
    """A smazzata's points and chance to win the match, of the first side: each with its luck."""
    state = record.final
    points = result_points(state)
    rules = state.rules
    won = -1 if state.won is None else state.won
    chances, _ = evaluation_of("", rules).equity.chances(
        list(state.match_scores()), rules.side(state.dealer), won)
    margin = points[0] - sum(points[1:]) / (len(points) - 1)
    luck, match = luck_of(deal_luck(record))
    return (margin, luck[0]), (chances[0], match[0])


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def variance(numbers: list[float]) -> float:
    middle = mean(numbers)
    return sum((x - middle) ** 2 for x in numbers) / (len(numbers) - 1)


def ratio(pairs: list[tuple[float, float]]) -> float:
    """The variance of what came out over that without its luck."""
    return variance([a for a, _ in pairs]) / variance([a - b for a, b in pairs])


def ratio_error(pairs: list[tuple[float, float]]) -> float:
    """Its standard error, by leaving out one block after the other."""
    blocks = range(0, len(pairs), BLOCK)
    without = [ratio(pairs[:k] + pairs[k + BLOCK:]) for k in blocks]
    middle = mean(without)
    n = len(without)
    return sqrt((n - 1) / n * sum((x - middle) ** 2 for x in without))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("records", type=Path)
    args = parser.parse_args()
    with args.records.open(encoding="utf-8") as file:
        both = [plain_and_luck(record) for record in read_records(file)
                if record.final.is_over]
    for name, pairs in (("points", [a for a, _ in both]), ("match chance", [b for _, b in both])):
        plain, adjusted = [a for a, _ in pairs], [a - b for a, b in pairs]
        print(f"{name}: {len(pairs)} smazzate, mean {mean(plain):+.3f} plain, "
              f"{mean(adjusted):+.3f} without luck; variance "
              f"{variance(plain):.4g} → {variance(adjusted):.4g}, ratio {ratio(pairs):.2f} ± "
              f"{ratio_error(pairs):.2f}")


if __name__ == "__main__":
    main()
