"""Cards and sets of cards as text."""

RANKS = "A234567JQK"
SUITS = "HDCS"

cdef dict _INDEX = {
    rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)
}
cdef tuple _NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)


cdef cardset parse_cards(str text) except? 0xFFFFFFFFFFFFFFFF:
    cdef cardset out = 0
    for card in parse_sequence(text):
        if out >> <int>card & 1:
            raise ValueError(f"card {_NAMES[card]} stands twice in {text!r}")
        out |= card_bit(card)
    return out


cdef str format_cards(cardset cards):
    cdef list out = []
    while cards:
        out.append(_NAMES[bits_low(cards)])
        cards &= cards - 1
    return "".join(out)


def card_name(int card):
    """The card with this index (0 … 39) as text: rank, then suit.

    >>> card_name(24)
    '7H'
    """
    if not 0 <= card < 40:
        raise ValueError(f"card index {card} is not in 0 … 39")
    return _NAMES[card]


def parse_card(str text):
    """The index of one card, written in either letter case.

    Raises ValueError where ``text`` is not a card.

    >>> parse_card("7h")
    24
    """
    index = _INDEX.get(text.upper()) if text.isascii() else None
    if index is None:
        raise ValueError(
            f"{text!r} is not a card: a rank of {RANKS} then a suit of {SUITS}, as 7H")
    return index


def parse_sequence(str text):
    """The indices of cards written one after the other, in that order."""
    if len(text) % 2:
        raise ValueError(f"{text!r} is not cards of two letters each, as AD3H3S")
    return [parse_card(text[i:i + 2]) for i in range(0, len(text), 2)]


def set_of(str text):
    """A set of cards as a 40-bit integer; ``-`` or nothing is the empty set.

    Raises ValueError for what is not a card and for a card that stands twice.

    >>> hex(set_of("AHAD"))
    '0x3'
    """
    if text in ("-", ""):
        return 0
    return parse_cards(text)


def text_of(cardset cards):
    """A 40-bit set as text in canonical order; the empty set is ``''``.

    >>> text_of(set_of("3s3hAD"))
    'AD3H3S'
    """
    if cards >> 40:
        raise ValueError(f"{cards:#x} has bits above the forty cards")
    return format_cards(cards)


def indices(cardset cards):
    """The indices of a set's cards, lowest first."""
    cdef list out = []
    while cards:
        out.append(bits_low(cards))
        cards &= cards - 1
    return out
