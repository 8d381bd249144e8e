"""The deck: forty cards and a back, drawn by us, as one SVG sprite to be set into a page.

A card is a ``<symbol>`` of 100 × 140 units whose colours and suits are variables of ``style.css``:
the same sprite has two colours or four, French suits or Latin ones.  What stands on many cards
(suits, ranks, the three courts) is drawn once and used by reference.

>>> card("7H", "seven of hearts").count("#c7H")
1
>>> all(f'id="c{name}"' in sprite() for name in CARDS)
True
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape

__all__ = ["BACK", "CARDS", "RANKS", "SUITS", "card", "sprite"]

# In the order of the notation: value 1 … 10, and hearts, diamonds, clubs, spades.
RANKS = "A234567JQK"
SUITS = "HDCS"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
# The name that ``card`` takes for a card whose face is not seen.
BACK = "?"
# The one card that is gilded.
SETTE_BELLO = "7D"

# Around the middle, ten units each way.
SUIT_SHAPES = {
    "H": "M0 9.6C-2.6 4.8-10 1.6-10-4.2-10-7.4-7.6-9.6-5-9.6-2.6-9.6-.8-8.1 0-5.9"
         ".8-8.1 2.6-9.6 5-9.6 7.6-9.6 10-7.4 10-4.2 10 1.6 2.6 4.8 0 9.6Z",
    "D": "M0-10.6C2-6.6 5-2.7 8.2 0 5 2.7 2 6.6 0 10.6-2 6.6-5 2.7-8.2 0-5-2.7-2-6.6 0-10.6Z",
    "C": "M-1.3 2.6C-2.2 5-4.3 6.2-6 6.2A4.7 4.7 0 1 1-3.4-2A4.7 4.7 0 1 1 3.4-2"
         "A4.7 4.7 0 1 1 6 6.2C4.3 6.2 2.2 5 1.3 2.6 1.3 6.4 2.6 8.8 4.4 10H-4.4"
         "C-2.6 8.8-1.3 6.4-1.3 2.6Z",
    "S": "M0-10C3-4.8 10-1.6 10 3.5 10 6.4 7.8 8 5.6 8 3.6 8 1.9 7 1 5.2 1.2 7.6 2.4 9.2 4.2 10"
         "H-4.2C-2.4 9.2-1.2 7.6-1 5.2-1.9 7-3.6 8-5.6 8-7.8 8-10 6.4-10 3.5-10-1.6-3-4.8 0-10Z",
}

# The same for a pack with Latin suits: cups, coins, batons, swords.
LATIN_SHAPES = {
    "H": "M-8-10H8C8-3.4 5 .6 1.8 1.8V5.6L6.4 8V10H-6.4V8L-1.8 5.6V1.8C-5 .6-8-3.4-8-10Z",
    "D": "M0-9.8A9.8 9.8 0 1 1 0 9.8 9.8 9.8 0 1 1 0-9.8ZM0-7.2A7.2 7.2 0 1 0 0 7.2 7.2 7.2 0 1 0"
         " 0-7.2ZM0-5.8 1.6-1.6 5.8 0 1.6 1.6 0 5.8-1.6 1.6-5.8 0-1.6-1.6Z",
    "C": "M1.4-10.4C4.8-11.2 8.6-8.6 8-5.2L6-2.8 7.6-.6 5.2.2 3.4-.4-4.6 9.4C-5.8 10.8-8.4 9.6-7.6"
         " 7.6L-2.2-2.6-4.8-3.6-3.4-5.6-.6-5Z",
    "S": "M0-11.4 2.3-8V3.2H6.4V5.8H1.4V8.2A1.9 1.9 0 1 1-1.4 8.2V5.8H-6.4V3.2H-2.3V-8Z",
}

# Strokes in a box 14 wide and 20 high.
RANK_SHAPES = {
    "A": "M1 20 7 0 13 20M3.2 13.4H10.8",
    "1": "M2.6 4.6 8 0V20",
    "2": "M1.6 5.6A5.5 5.5 0 1 1 11.5 8.9L1.5 20H13",
    "3": "M1.6 0H12L6.4 7.6A6.2 6.2 0 1 1 1 16.6",
    "4": "M10.2 20V0L1 14H13.6",
    "5": "M12 0H3.2L2.4 8.8A6.3 6.3 0 1 1 1.2 16.8",
    "6": "M11 0 2.2 9.8M13.2 13.8A6.2 6.2 0 1 1 .8 13.8 6.2 6.2 0 1 1 13.2 13.8Z",
    "7": "M1 0H13L5.4 20",
    "8": "M11.6 4.8A4.6 4.7 0 1 1 2.4 4.8 4.6 4.7 0 1 1 11.6 4.8ZM12.8 14.8"
         "A5.8 5.3 0 1 1 1.2 14.8 5.8 5.3 0 1 1 12.8 14.8Z",
    "9": "M3 20 11.8 10.2M.8 6.2A6.2 6.2 0 1 1 13.2 6.2 6.2 6.2 0 1 1 .8 6.2Z",
    "10": "M-1.6 4.2 2 .8V20M13.6 10C13.6 15.6 12.4 20 9.8 20 7.2 20 6 15.6 6 10 6 4.4 7.2 0 9.8 0"
          " 12.4 0 13.6 4.4 13.6 10Z",
    "J": "M5 0H11V14.6A5.2 5.2 0 0 1 .8 15.6",
    "Q": "M13.2 10C13.2 15.8 10.8 20 7 20 3.2 20 .8 15.8 .8 10 .8 4.2 3.2 0 7 0 10.8 0 13.2 4.2"
         " 13.2 10ZM8.4 14 13.6 21",
    "K": "M1.8 0V20M13 0 1.8 12.4M5.8 8 13.6 20",
}

# Around the middle of a card.
TURNED = 'transform="rotate(180 50 70)"'
EDGE = '<rect class="ke" x=".75" y=".75" width="98.5" height="138.5" rx="7"/>'

# Where the pips of a card stand.  Those at the top stand at the bottom as well, upside down.
LEFT, MIDDLE, RIGHT = 36, 50, 64
TOP, HALF = 31, 70
CORNERS = ((LEFT, TOP), (RIGHT, TOP))
PIPS: dict[str, tuple[tuple[int, int], ...]] = {
    "2": ((MIDDLE, TOP),),
    "3": ((MIDDLE, TOP), (MIDDLE, HALF)),
    "4": CORNERS,
    "5": (*CORNERS, (MIDDLE, HALF)),
    "6": (*CORNERS, (LEFT, HALF), (RIGHT, HALF)),
    "7": (*CORNERS, (LEFT, HALF), (RIGHT, HALF), (MIDDLE, 50)),
}

# The upper half of a court card, in a panel from 27 to 73 and from 11 to 70; the lower half is
# the same turned round.  Its colours are classes of
# ``style.css``: ki the suit's, kg gold, kp paper, kl a line around, kf a face's lines.
COURTS = {
    # A soft cap with a feather, hair to the jaw, a buttoned coat.
    "J": '<path class="ki" d="M27 70V60C32 56.5 38 55 44 54L50 58 56 54C62 55 68 56.5 73 60V70Z"/>'
         '<path class="kg" d="M42.5 54.5 50 70 57.5 54.5 54 52H46Z"/>'
         '<path class="kg kl" d="M38.5 34C37 42 37 48 39.5 51.5H60.5C63 48 63 42 61.5 34Z"/>'
         '<path class="kp kl" d="M42 36V43C42 48.5 45.5 53 50 53S58 48.5 58 43V36Z"/>'
         '<path class="ki" d="M36 36C34 30 38 24 47 24S65 28 64.5 33C64.3 36 61 36.6 58 36Z"/>'
         '<path class="kg kl" d="M58 30C62 27 65 22 64.6 14.5 59 16.5 54.5 20.5 54 27Z"/>',
    # A coronet of three pearls, long hair, a necklace.
    "Q": '<path class="kg kl" d="M38 36C35 46 35 56 32.5 63H67.5C65 56 65 46 62 36'
         'C61 29 39 29 38 36Z"/>'
         '<path class="ki" d="M27 70V63C32 59.5 37 58 43 57L50 65 57 57C63 58 68 59.5 73 63V70Z"/>'
         '<path class="kp kl" d="M46 50V57.5L50 62.5 54 57.5V50Z"/>'
         '<path class="kp kl" d="M41.6 39V43C41.6 49 45.4 53.6 50 53.6S58.4 49 58.4 43V39'
         'C55 39 52 37.5 50 35 48 37.5 45 39 41.6 39Z"/>'
         '<path class="ki" d="M38.5 33.5 37 22 44 27.5 50 20 56 27.5 63 22 61.5 33.5'
         'C54 31 46 31 38.5 33.5Z"/>'
         '<g class="kg kl"><circle cx="37" cy="20.5" r="2.3"/><circle cx="50" cy="18" r="2.6"/>'
         '<circle cx="63" cy="20.5" r="2.3"/></g>',
    # A high crown, beard and moustache, a collar of fur.
    "K": '<path class="ki" d="M27 70V60C32 57 38 55.5 43 55H57C62 55.5 68 57 73 60V70Z"/>'
         '<path class="kp kl" d="M37 56.5 42 55 50 68 58 55 63 56.5 54 70H46Z"/>'
         '<path class="kg kl" d="M38.6 33C37 40 37 45 38.6 49H61.4C63 45 63 40 61.4 33Z"/>'
         '<path class="kp kl" d="M41.6 33V43C41.6 47 45 51 50 51S58.4 47 58.4 43V33Z"/>'
         '<path class="kg kl" d="M41.6 42C43 45 46.5 45.2 50 43.6 53.5 45.2 57 45 58.4 42'
         'V48.5C58.4 55 54 60.5 50 62.5 46 60.5 41.6 55 41.6 48.5Z"/>'
         '<path class="ki" d="M38 33.5 35.5 17 43 24 50 13.5 57 24 64.5 17 62 33.5Z"/>'
         '<path class="kg" d="M38.2 34.5 37.6 30H62.4L61.8 34.5Z"/>',
}
# Where the halves of all three meet.
SASH = '<path class="kg kl" d="M27 66.6H73V73.4H27Z"/>'
FACES = {
    "J": '<path class="kf" d="M46 41V42.4M54 41V42.4M48.3 48.4Q50 49.4 51.7 48.4"/>',
    "Q": '<path class="kf" d="M45.8 43V44.2M54.2 43V44.2M48.4 49Q50 50.2 51.6 49"/>',
    "K": '<path class="kf" d="M45.8 38.4V39.8M54.2 38.4V39.8M48.4 48.2Q50 49.2 51.6 48.2"/>',
}


@cache
def sprite() -> str:
    """The deck as one hidden ``<svg>``, to stand once in a page before cards are shown.

    Symbols: ``c7H`` … a card, ``c0`` the back, ``b3`` … the badge of a declared value, ``sH`` … a
    suit, ``r7`` … a rank or value.
    """
    return ('<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">'
            f'<defs>{"".join(_parts())}</defs>{"".join(_symbols())}</svg>')


def card(name: str, label: str, value: int | None = None, more: str = "") -> str:
    """One card as an ``<svg>``: a name of the notation, or ``BACK``, and what it is called.

    ``value`` is what the matta was declared to be, shown on a badge; ``more`` are further
    classes.  A card without a label is hidden from screen readers, as its words stand beside it.
    """
    said = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    badge = "" if value is None else f'<use href="#b{value}"/>'
    classes = f"card {more}" if more else "card"
    face = "c0" if name == BACK else f"c{name}"
    return f'<svg class="{classes}" {said}><use href="#{face}"/>{badge}</svg>'


def _parts() -> Iterator[str]:
    """What cards are put together from: p a pip, m and n a corner's suit and rank, h a half."""
    for suit in SUITS:
        yield (f'<g id="p{suit}" transform="scale(1.1)"><path class="kn" d="{SUIT_SHAPES[suit]}"/>'
               f'<path class="ko" d="{LATIN_SHAPES[suit]}"/></g>')
        yield f'<use id="m{suit}" href="#p{suit}" transform="translate(13.3 42)scale(.66)"/>'
    for rank, shape in RANK_SHAPES.items():
        if rank in RANKS:
            yield (f'<path id="n{rank}" class="kr" d="{shape}" '
                   'transform="translate(5.8 7.5)scale(1.08 1.1)"/>')
    for court, upper in COURTS.items():
        yield f'<g id="h{court}">{upper}{FACES[court]}</g>'


def _symbols() -> Iterator[str]:
    for suit in SUITS:
        yield f'<symbol id="s{suit}" viewBox="-11.5 -11.5 23 23"><use href="#p{suit}"/></symbol>'
    for rank, shape in RANK_SHAPES.items():
        yield (f'<symbol id="r{rank}" viewBox="-2 -2 18 25"><path class="kr" d="{shape}"/>'
               '</symbol>')
    for value in range(1, len(RANKS) + 1):
        yield (f'<symbol id="b{value}" viewBox="0 0 100 140"><circle class="kb" cx="78" cy="22" '
               f'r="17"/><use href="#r{value}" class="kv" x="69" y="9.5" width="18" height="25"/>'
               '</symbol>')
    for name in CARDS:
        yield (f'<symbol id="c{name}" viewBox="0 0 100 140">{EDGE}<g class="k{name[1]}">'
               f'{_face(name)}</g></symbol>')
    yield f'<symbol id="c0" viewBox="0 0 100 140">{EDGE}{_back()}</symbol>'


def _both(half: str) -> str:
    """A half as it is, and again upside down."""
    return f"{half}<g {TURNED}>{half}</g>"


def _face(name: str) -> str:
    rank, suit = name[0], name[1]
    corners = _both(f'<use href="#n{rank}"/><use href="#m{suit}"/>')
    if rank in COURTS:
        half = (f'<use href="#h{rank}"/>'
                f'<use href="#p{suit}" transform="translate(34 19.5)scale(.55)"/>')
        return (f'{corners}<rect class="kw" x="26" y="10" width="48" height="120" rx="3"/>'
                f'{_both(half)}{SASH}')
    if rank == "A":
        return f'{corners}<use href="#p{suit}" transform="translate(50 70)scale(2.1)"/>'
    upper = "".join(_pip(suit, x, y) for x, y in PIPS[rank] if y == TOP)
    once = "".join(_pip(suit, x, y) for x, y in PIPS[rank] if y != TOP)
    pips = _both(upper) + once
    if name == SETTE_BELLO:
        return (f'<rect class="kx" x="4" y="4" width="92" height="132" rx="4.5"/>'
                f'{corners}<g class="kg kl">{pips}</g>')
    return corners + pips


def _pip(suit: str, x: int, y: int) -> str:
    return f'<use href="#p{suit}" x="{x}" y="{y}"/>'


def _back() -> str:
    """A fish's scales, row by row, in a frame of 88 by 128 that they fill: 11 halves of one."""
    path = []
    for row in range(15):
        y = 6 + 8 * row
        if row % 2:
            path.append(f"M6 {y + 8}a8 8 0 0 0 8-8" + "a8 8 0 0 0 16 0" * 5)
        else:
            path.append(f"M6 {y}" + "a8 8 0 0 0 16 0" * 5 + "a8 8 0 0 0 8 8")
    return (f'<rect class="k0" x="6" y="6" width="88" height="128" rx="3.5"/>'
            f'<path class="k1" d="{"".join(path)}"/>')
