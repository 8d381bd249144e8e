"""Plots of a tournament, saved as PNG or SVG (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cirulla_ai.basics.extras import how_to_get
from cirulla_ai.rules import Rules
from cirulla_ai.tournament.standing import Standing, set_result
from cirulla_ai.tournament.statistics import Tally

__all__ = ["check_plot", "save_plot"]

FORMATS = (".png", ".svg")


def check_plot(path: Path) -> None:
    """Raise ValueError for a file that no plot can be saved as, ImportError without the extra."""
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path}: a plot is saved as {' or '.join(FORMATS)}")
    if find_spec("matplotlib") is None:
        raise ImportError(f"a plot needs matplotlib; {how_to_get('plot', 'matplotlib')}")


def save_plot(
    path: Path, rules: Rules, names: Sequence[str], lines: Sequence[dict[str, Any]],
    standing: Standing,
) -> None:
    """Draw the result and save it.

    Two engines: the mean difference over the deal sets with its 95 % interval, and the
    distribution of the sets' results.  More: the rating table with its intervals.  Raises
    ValueError for a file that is neither .png nor .svg, ImportError without the extra.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    if len(names) == 2 and standing.tally is not None:
        over, distribution = figure.subplots(2, 1)
        _draw_means(over, rules, names, lines)
        _draw_sets(distribution, rules, names, lines)
    else:
        _draw_ratings(figure.subplots(), standing)
    figure.suptitle(f"{rules.preset}: {standing.sets} deal sets")
    figure.savefig(path)


def _draw_means(axes: Any, rules: Rules, names: Sequence[str],
                lines: Sequence[dict[str, Any]]) -> None:
    tally = Tally(len(lines[0]["games"]))
    at: list[int] = []
    means: list[float] = []
    low: list[float] = []
    high: list[float] = []
    every = max(1, len(lines) // 400)
    for n, line in enumerate(lines, 1):
        tally.add(set_result(rules, names, line).differences(*names))
        if n > 1 and (n % every == 0 or n == len(lines)):
            s = tally.summary()
            at.append(n)
            means.append(s.mean or 0.0)
            low.append(s.low or 0.0)
            high.append(s.high or 0.0)
    axes.fill_between(at, low, high, alpha=0.25, label="95 % interval")
    axes.plot(at, means, label="mean")
    axes.axhline(0, color="black", linewidth=0.8)
    if means:
        axes.set_ylim(*reach(means, low, high))
    axes.set_xlabel("deal sets")
    axes.set_ylabel(f"points, {names[0]} minus {names[1]}", parse_math=False)
    axes.legend()


def reach(
    means: Sequence[float], low: Sequence[float], high: Sequence[float]
) -> tuple[float, float]:
    """The range of the y axis: zero, all the means, and the intervals but for the first, which
    would leave nothing to see of the rest."""
    later = slice(len(means) // 10, None)
    lowest = min(0.0, *means, *low[later])
    highest = max(0.0, *means, *high[later])
    margin = 0.05 * max(highest - lowest, 1.0)
    return lowest - margin, highest + margin


def _draw_sets(axes: Any, rules: Rules, names: Sequence[str],
               lines: Sequence[dict[str, Any]]) -> None:
    means = []
    for line in lines:
        differences = set_result(rules, names, line).differences(*names)
        means.append(sum(differences) / len(differences))
    axes.hist(means, bins=min(60, max(10, len(means) // 5)))
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel(f"points a deal set, {names[0]} minus {names[1]}", parse_math=False)
    axes.set_ylabel("deal sets")


def _draw_ratings(axes: Any, standing: Standing) -> None:
    ratings = standing.ratings.table()[::-1]
    points = [r.points for r in ratings]
    reach = [[r.points - r.points_low for r in ratings],
             [r.points_high - r.points for r in ratings]]
    axes.errorbar(points, range(len(ratings)), xerr=reach, fmt="o", capsize=4)
    axes.set_yticks(range(len(ratings)), [r.name for r in ratings], parse_math=False)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.grid(axis="x", alpha=0.4)
    axes.set_xlabel("points a smazzata above the mean, with 95 % interval")
