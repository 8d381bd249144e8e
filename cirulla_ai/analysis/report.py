"""An analysis for people: a table of at most eighty columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap

from cirulla_ai.analysis.analyse import CLOSE_ERRORS, Analysis, Candidate
from cirulla_ai.analysis.effect import effect
from cirulla_ai.basics.terminal import bold, dim

__all__ = ["report_lines"]

WIDTH = 80
# Lines are not broken here.
TIED = "\xa0"


def report_lines(
    analysis: Analysis, *, top: int | None = None, colour: bool = False
) -> Iterator[str]:
    """The position, each play with what it is worth, and where the unseen cards are.

    ``top``: at most so many plays; ``colour``: with a terminal's bold and faint letters.
    """
    yield from analysis.view.pretty().splitlines()
    yield ""
    shown = analysis.actions[:top]
    width = max(len(str(one.action)) for one in shown)
    width = max(4, min(width, 20))
    yield (f"    {'play':{width}}  {'points':>13}  {'loss':>13}  {'match':>6}  what it does")
    for rank, one in enumerate(shown, 1):
        line = _line(analysis, rank, one, width)
        yield bold(line) if colour and rank == 1 else line
        if len(one.pv) > 1:
            then = _cut(f"      then {' '.join(map(str, one.pv[1:]))}", WIDTH)
            yield dim(then) if colour else then
    yield ""
    for paragraph in _remarks(analysis, shown):
        yield from wrap(paragraph, WIDTH)
    if analysis.hands:
        yield ""
        yield from wrap("Chances of the unseen cards to be in a hand, in per cent before the "
                        "cards that have it:", WIDTH)
        for seat, cards in analysis.hands.items():
            yield from _hand(seat, analysis.view.unknown[seat], cards)


def _line(analysis: Analysis, rank: int, one: Candidate, width: int) -> str:
    loss = "" if rank == 1 else _with_error(f"{one.loss:.2f}", one.loss_error, one.exact)
    head = (f"{rank:>3} {_cut(str(one.action), width):{width}}  "
            f"{_with_error(f'{one.points:+.2f}', one.error, one.exact):>13}  {loss:>13}  "
            f"{100 * one.match:5.1f}%  ")
    return _cut(head + effect(analysis.view, one.action), WIDTH).rstrip()


def _with_error(number: str, error: float, exact: bool) -> str:
    return f"{number}       " if exact else f"{number} ± {min(error, 99.99):.2f}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[:width - 1]}…"


def _remarks(analysis: Analysis, shown: tuple[Candidate, ...]) -> Iterator[str]:
    """What there is to say of the table, a paragraph each."""
    best = analysis.best
    if len(analysis.actions) == 1:
        yield "There is nothing else to play."
    elif analysis.close:
        ties = [rank for rank, one in enumerate(shown, 1)
                if one.loss <= CLOSE_ERRORS * one.loss_error]
        which = f"{_listed(ties)} " if len(ties) > 1 else "The best two "
        yield which + ("are exactly as good." if best.exact else "are too close to call.")
    what = ("Points: by how many seat "
            f"{analysis.seat}'s side will be ahead of the others at the end of the smazzata; "
            "loss: points less than the best; match: chance to win the match, a shared one half.")
    if best.exact:
        yield f"{what} Exact: all cards are known, and the rest is solved."
    else:
        yield (f"{what} After ± one standard error, of the loss in the same worlds. "
               f"{analysis.iterations:,} iterations, {analysis.seconds:.2f} s.")
    if analysis.why is not None:
        yield f"Why: {analysis.why}"
    if analysis.remark:
        yield f"Note: {analysis.remark}."


def _listed(ranks: list[int]) -> str:
    *most, last = map(str, ranks)
    return f"{', '.join(most)} and {last}"


def _hand(seat: int, unseen: int, cards: Mapping[str, float]) -> Iterator[str]:
    """The cards that may be in a hand, the likeliest first."""
    alike: dict[str, list[str]] = {}
    for card, chance in cards.items():
        alike.setdefault(f"{100 * chance:.0f}", []).append(card)
    if len(alike) == 1 and len(cards) > unseen:
        alike = {chance: [f"each of {len(cards)} cards"] for chance in alike}
    text = "  ".join(f"{chance}:{TIED}{' '.join(named)}" for chance, named in alike.items())
    head = f"seat {seat}, {unseen} card{'s' * (unseen != 1)}   "
    for line in wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)):
        yield line.replace(TIED, " ")
