"""A curve as SVG: paths that stretch with the page, marks and letters that don't."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from cirulla_ai.review.curve import Curve, Step
from cirulla_ai.review.reading import Deal, Decision, Match
from cirulla_ai.review.texts import ReviewWords

__all__ = ["chart"]

# Of a step and of the whole height, in the units of the paths.
WIDE, HIGH = 10, 1000
# Room above and below, in per cent of the height.
ROOM = 9


def chart(curve: Curve, match: Match, words: ReviewWords, chances: bool, label: str,
          turns: Sequence[Deal | Decision]) -> str:
    """A drawing of a curve, with its turning points numbered."""
    low, high = _range(curve, chances)

    def down(value: float) -> float:
        return (high - value) / (high - low)

    last = max(1, len(curve.steps) - 1)
    middle = 1 / match.first.rules.sides if chances else 0.0
    base = HIGH * down(middle)
    paths = (f'<path class="base" d="M0 {base:.0f}H{WIDE * last}"/>'
             + "".join(f'<path class="part" d="M{WIDE * place} 0V{HIGH}"/>'
                       for place in curve.parts[1:])
             + _paths(curve, down, base))
    marks = "".join(
        _mark(number, place, down(max(step.before, step.after)), last, step)
        for number, event in enumerate(turns, 1) for place, step in enumerate(curve.steps)
        if step.of is event)
    texts = "".join(
        f'<text x="6" y="{_per_cent(down(value))}" dy="{14 if value == high else -4}">'
        f"{escape(text)}</text>"
        for value, text in _scale(low, high, middle, words, chances))
    if len(match.smazzate) > 1:
        texts += "".join(
            f'<text class="no" x="{100 * place / last:.1f}%" dx="4" y="12">{number}</text>'
            for number, place in enumerate(curve.parts, 1))
    return (f'<div class="pad"><svg class="chart" role="img" aria-label="{escape(label)}">'
            f'<svg y="{ROOM}%" width="100%" height="{100 - 2 * ROOM}%" '
            f'viewBox="0 0 {WIDE * last} {HIGH}" preserveAspectRatio="none">{paths}</svg>'
            f'<line class="cursor" x1="0" x2="0" y1="0" y2="100%"/>{texts}{marks}</svg></div>')


def _range(curve: Curve, chances: bool) -> tuple[float, float]:
    if chances:
        return 0.0, 1.0
    low, high = curve.span
    low, high = min(low, 0.0), max(high, 0.0)
    return (low, high) if high - low >= 2 else (low - 1, high + 1)


def _paths(curve: Curve, down: Callable[[float], float], base: float) -> str:
    """The whole line, from the base and back to it so that it can be filled; upon it the steps
    of luck and those of skill."""
    line = [f"M0 {base:.0f}"]
    luck: list[str] = []
    skill: list[str] = []
    x = 0
    for place, step in enumerate(curve.steps):
        moves = step.before != step.after
        if not moves and step.of is not None and place not in curve.parts:
            # It lies on the slope of the rest.
            continue
        x, y, after = WIDE * place, HIGH * down(step.before), HIGH * down(step.after)
        line.append(f"L{x} {y:.0f}")
        if moves:
            line.append(f"V{after:.0f}")
            (luck if isinstance(step.of, Deal) else skill).append(f"M{x} {y:.0f}V{after:.0f}")
    line.append(f"V{base:.0f}H0")
    return (f'<path class="rest" d="{"".join(line)}"/><path class="luck" d="{"".join(luck)}"/>'
            f'<path class="skill" d="{"".join(skill)}"/>')


def _mark(number: int, place: int, down: float, last: int, step: Step) -> str:
    kind, letter = ("luck", "g") if isinstance(step.of, Deal) else ("skill", "d")
    assert step.of is not None
    x, y = f"{min(98.5, max(1.5, 100 * place / last)):.1f}%", _per_cent(down)
    # Above the step, unless that is too high up.
    away = -13 if down > 0.08 else 22
    place_of = f"{letter}{step.of.number}"
    return (f'<g class="mark {kind}" transform="translate(0 {away})" data-go="{place_of}">'
            f'<circle cx="{x}" cy="{y}" r="8.5"/><text x="{x}" y="{y}" dy="4">{number}</text></g>')


def _per_cent(down: float) -> str:
    return f"{ROOM + (100 - 2 * ROOM) * down:.1f}%"


def _scale(low: float, high: float, middle: float, words: ReviewWords,
           chances: bool) -> list[tuple[float, str]]:
    """What is written at the left: top, middle and bottom, unless they are too near."""
    def written(value: float) -> str:
        return words.percent(value) if chances else words.number(value, 0, signed=True)

    far = (high - low) / 8
    return [(value, written(value)) for value in dict.fromkeys((high, middle, low))
            if value == middle or abs(value - middle) > far]
