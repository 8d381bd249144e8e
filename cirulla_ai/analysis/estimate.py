"""What trials say of the actions: means, errors, differences, the chance to be the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from random import Random

__all__ = ["FOLDS", "Sample"]

# The coefficients of a part of the trials are worked out from the others, so that they know
# nothing of what they are used on and the mean stays right.
FOLDS = 4
# Fewer others say too little of a coefficient.
LEAST = 18
# Draws of means for the chance to be the best, and errors behind beyond which there is none.
DRAWS = 4000
FAR = 5.0


class Sample:
    """The trials of some actions: the first so many of each, all of some.

    ``rows``: by action its trials in order, each the items and then the luck of the deals,
    which is taken out of them; ``block`` trials stand together when coefficients are worked
    out.  Items add up to points, with the luck taken out as before: what is taken out of an
    item is in proportion to one and the same luck, and the shares add up.
    """

    def __init__(self, rows: Mapping[int, Sequence[Sequence[float]]], block: int) -> None:
        self.items = {}
        self.points = {}
        self.plain = {}
        shares = _shares(rows, block)
        for key, trials in rows.items():
            adjusted = [
                [item - share * row[-1]
                 for item, share in zip(row[:-1], shares[i // block % FOLDS], strict=True)]
                for i, row in enumerate(trials)]
            self.items[key] = adjusted
            self.points[key] = [sum(row) for row in adjusted]
            self.plain[key] = [sum(row[:-1]) for row in trials]

    def mean(self, key: int) -> float:
        """The mean of an action's points over its own trials."""
        return _mean(self.points[key])

    def error(self, key: int) -> float:
        """Its standard error."""
        return _error(self.points[key])

    def leader(self) -> int:
        """The action of the most points among those with all trials, paired with each other."""
        most = max(map(len, self.points.values()))
        return max((key for key, points in self.points.items() if len(points) == most),
                   key=self.mean)

    def behind(self, key: int, other: int) -> tuple[float, float]:
        """By how much an action is behind another in the trials of both, and the error of it."""
        differences = [b - a for a, b in zip(self.points[key], self.points[other], strict=False)]
        return _mean(differences), _error(differences)

    def item_means(self, key: int, leader: int) -> list[float]:
        """What the points of an action are made of: the leader's, and what is different in the
        trials of both."""
        n = len(self.items[key])
        return [
            _mean(theirs) + _mean(mine) - _mean(theirs[:n])
            for mine, theirs in zip(zip(*self.items[key], strict=True),
                                    zip(*self.items[leader], strict=True), strict=True)]

    def variance_ratio(self) -> float:
        """The variance of plain trials over that of these, with the luck taken out."""
        plain = sum(map(_variance, self.plain.values()))
        ours = sum(map(_variance, self.points.values()))
        return plain / ours if ours > 0 else 1.0

    def chances(self, leader: int, seed: int) -> dict[int, float]:
        """The chance of each action to be the best, its mean being normal about what was found.

        ``seed`` of the draws by which it is worked out.
        """
        near = [key for key in self.points if key != leader
                and _ratio(*self.behind(key, leader)) < FAR]
        found = dict.fromkeys(self.points, 0)
        means = [self.behind(key, leader) for key in near]
        differences = [
            [a - b for a, b in zip(self.points[key], self.points[leader], strict=False)]
            for key in near]
        factor = _factor([[_covariance(a, b) for b in differences] for a in differences])
        random = Random(seed)
        for _ in range(DRAWS):
            best, most = leader, 0.0
            normal = [random.gauss(0, 1) for _ in near]
            for i, key in enumerate(near):
                ahead = sum(
                    f * z for f, z in zip(factor[i], normal, strict=False)) - means[i][0]
                # Of equal ones the leader; of several that are as good it is as good a choice.
                if ahead > most:
                    best, most = key, ahead
            found[best] += 1
        return {key: count / DRAWS for key, count in found.items()}


def _shares(rows: Mapping[int, Sequence[Sequence[float]]], block: int) -> list[list[float]]:
    """By fold, how much of each item goes with the luck, in the trials of the other folds."""
    width = len(next(iter(rows.values()))[0]) - 1
    out = []
    for fold in range(FOLDS):
        along, spread, n = [0.0] * width, 0.0, 0
        for trials in rows.values():
            others = [row for i, row in enumerate(trials) if i // block % FOLDS != fold]
            if not others:
                continue
            n = max(n, len(others))
            luck = _mean([row[-1] for row in others])
            for row in others:
                off = row[-1] - luck
                spread += off * off
                for k in range(width):
                    along[k] += row[k] * off
        out.append([a / spread for a in along] if n >= LEAST and spread > 1e-9
                   else [0.0] * width)
    return out


def _ratio(mean: float, error: float) -> float:
    """In errors, infinitely many where there is none."""
    return mean / error if error > 0 else inf if mean > 0 else 0.0


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _variance(numbers: Sequence[float]) -> float:
    if len(numbers) < 2:
        return 0.0
    mean = _mean(numbers)
    return sum((x - mean) * (x - mean) for x in numbers) / (len(numbers) - 1)


def _error(numbers: Sequence[float]) -> float:
    return sqrt(_variance(numbers) / len(numbers))


def _covariance(a: Sequence[float], b: Sequence[float]) -> float:
    """Of the means of two, over the trials of both."""
    n = min(len(a), len(b))
    if n < 2:
        return 0.0
    first, second = _mean(a[:n]), _mean(b[:n])
    return sum((x - first) * (y - second) for x, y in zip(a, b, strict=False)) / (n - 1) / max(
        len(a), len(b))


def _factor(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The lower triangle whose product with itself it is (Cholesky)."""
    out: list[list[float]] = []
    for i, line in enumerate(matrix):
        row: list[float] = []
        for j in range(i):
            left = line[j] - sum(a * b for a, b in zip(row, out[j], strict=False))
            row.append(left / out[j][j] if out[j][j] > 0 else 0.0)
        row.append(sqrt(max(0.0, line[i] - sum(a * a for a in row))))
        out.append(row)
    return out
