"""What the protocol and the shell say about a state or about rules, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from cirulla_ai._core.stop import Stop
from cirulla_ai.games.contract import SidePoints
from cirulla_ai.games.options import RulesError
from cirulla_ai.games.registry import PRESETS
from cirulla_ai.rules import Rules
from cirulla_ai.state import State

__all__ = ["eval_lines", "perft_lines", "rules_lines", "score_lines"]


def items_of(points: SidePoints) -> list[str]:
    """The names of what points are made of."""
    return [field.name for field in fields(points) if field.name != "total"]


def score_lines(state: State) -> Iterator[str]:
    """``score SIDE total T scopa N …``: the points of the taken cards as they stand."""
    for side, points in enumerate(state.points()):
        items = " ".join(f"{name} {getattr(points, name)}" for name in items_of(points))
        yield f"score {side} total {points.total} {items}"


def eval_lines(state: State) -> Iterator[str]:
    """The static value: points as they stand, the mover's minus the mean of the others'.

    Where few points are good it is the other way round.
    """
    points = state.points()
    names = items_of(points[0])
    width = max(map(len, [*names, "total"]))
    yield f"{'':{width}}" + "".join(f"  side {side}" for side in range(len(points)))
    for name in names:
        yield f"{name:{width}}" + "".join(f"{getattr(p, name):8}" for p in points)
    totals = [p.total for p in points]
    yield f"{'total':{width}}" + "".join(f"{total:8}" for total in totals)
    seat = state.turn if state.turn is not None else state.viewer or 0
    side = state.rules.side(seat)
    if state.won is not None:
        totals = [state.rules.target if k == state.won else 0 for k in range(len(totals))]
        yield f"side {state.won} has won the match, which counts as the target"
    own = totals.pop(side)
    value = 100 * (own - sum(totals) / len(totals))
    value = -value if state.rules.family.fewest else value
    yield f"static value {round(value)} cp for seat {seat} (side {side}): points as they stand"


def perft_lines(state: State, depth: int, stop: Stop | None = None) -> Iterator[str]:
    """``A: count`` per legal action, then the total; as they are counted.

    Raises ValueError where a hidden card would have to be known.
    """
    total = 0
    lines = []
    for action in state.legal_actions():
        n = 1
        if depth > 1:
            n = state.apply(action).position.perft(depth - 1, stop)
        if n == -1:
            raise ValueError(f"perft {depth}: a hidden card would have to be known; it needs "
                             "the whole truth, or fewer actions")
        if n < 0:
            yield "info string perft stopped before its end"
            return
        total += n
        lines.append(f"{action}: {n}")
    yield from lines
    yield f"Nodes searched: {total}"


def rules_lines(preset: str | None = None) -> Iterator[str]:
    """The presets, or one preset's options; raises RulesError for an unknown one."""
    if preset is None:
        width = max(map(len, PRESETS))
        for name in PRESETS:
            yield f"{name:{width}}  {Rules.tradition(name)}"
        return
    if preset not in PRESETS:
        raise RulesError(f"rules {preset}: no such preset; there are {', '.join(PRESETS)}",
                         "rules")
    yield from Rules(preset).lines()
