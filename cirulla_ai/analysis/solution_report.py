"""A solution for people: a table of at most eighty columns."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from cirulla_ai.analysis.effect import effect
from cirulla_ai.analysis.picture import WIDTH, picture
from cirulla_ai.analysis.solve import Play, Solution
from cirulla_ai.basics.terminal import bold, dim

__all__ = ["solution_lines"]

# The longest name of a play that has room in the table.
NAME = 20
# A play that is made less often is one of several.
MIXED = 0.995


def solution_lines(solution: Solution, *, colour: bool = False) -> Iterator[str]:
    """The position, each play with how often it is right and what it loses, and how it was found.

    ``colour``: with a terminal's bold letters for what is to be played, and faint ones for how
    it goes on.
    """
    yield from picture(solution.view)
    yield ""
    width = min(NAME, max(4, *(len(str(play.action)) for play in solution.actions)))
    yield f"    {'play':{width}}  {'frequency':>9}  {'points':>7}  {'loss':>6}  what it does"
    for rank, play in enumerate(solution.actions, 1):
        line = _line(solution, rank, play, width)
        yield bold(line) if colour and _often(play) != "-" else line
        if len(play.pv) > 1:
            then = _cut(f"      then {' '.join(map(str, play.pv[1:]))}")
            yield dim(then) if colour else then
    yield ""
    for paragraph in _remarks(solution):
        yield from wrap(paragraph, WIDTH)


def _line(solution: Solution, rank: int, play: Play, width: int) -> str:
    name = str(play.action)
    # What is as good as the best to the last place shown has nothing to tell.
    loss = f"{play.loss:.2f}" if solution.is_exact else f"{play.loss:.3f}"
    loss = "" if not float(loss) else loss
    return _cut(
        f"{rank:>3} {name if len(name) <= width else f'{name[:width - 1]}…':{width}}  "
        f"{_often(play):>9}  {play.points:>+7.2f}  {loss:>6}  "
        f"{effect(solution.view, play.action)}").rstrip()


def _often(play: Play) -> str:
    """The frequency in per cent; - where it is as good as never."""
    return f"{100 * play.frequency:.1f} %" if play.frequency >= 0.0005 else "-"


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[:WIDTH - 1]}…"


def _remarks(solution: Solution) -> Iterator[str]:
    """What there is to say of the table, a paragraph each."""
    seat = solution.seat
    if len(solution.actions) == 1:
        yield "There is nothing else to play."
    ahead = (f"Points: by how many seat {seat}'s side will be ahead of the others at the end of "
             "the smazzata; loss: points less than the best.")
    if solution.is_exact:
        best = sum(play.frequency > 0 for play in solution.actions)
        if best > 1:
            yield f"The first {best} are equally good, and so each is given the same frequency."
        yield f"{ahead} Exact: all cards are known, and the rest is solved."
        return
    yield (f"{ahead} Frequency: how often to play it in equilibrium, where neither seat gains by "
           "playing otherwise.")
    if solution.actions[0].frequency < MIXED:
        yield ("Plays that are mixed are worth the same: only to play always the same one would "
               "lose, to an opponent who finds out.")
    first, second = solution.possible
    how = ("all alike likely" if solution.beliefs == "rules"
           else "as likely as the engine takes them to be by what was played")
    low, high = solution.bounds
    yield (f"Solved over all {first} hands that seat 0 may hold and {second} of seat 1, {how}; the "
           "last round is worth the mean of all its deals. With any of these hands seat "
           f"{seat} gets {low:+.3f} to {high:+.3f} points on average: the two strategies are at "
           f"most {solution.gap:.4f} points from perfect. {solution.iterations:,} iterations, "
           f"{solution.seconds:.1f} s.")
