"""Action codes for Python: made, taken apart, and as text."""

from libc.stdint cimport uint64_t

from cirulla_ai._core.cards cimport DECK, format_cards

from cirulla_ai._core.cards import card_name

UNSEEN = UNSEEN_CARD


def encode_play(int card, uint64_t captured=0):
    """The code of playing ``card`` (index) and taking the set ``captured``."""
    return play_code(card, captured & DECK)


def encode_claim(uint64_t cards, int value):
    """The code of showing the set ``cards``; ``value`` is the matta's, 0 without it."""
    return claim_code(cards & DECK, value)


def encode_pass():
    """The code of declining to claim."""
    return pass_code()


def encode_give(int card):
    """The code of handing on or discarding ``card``; ``UNSEEN`` where it was not seen."""
    return give_code(card)


def decode(uint64_t code):
    """(kind, card, cards, value) of an action code; kind is play, claim, pass or give.

    The card of a give that was not seen is None.  Raises ValueError where there is no such
    kind.
    """
    cdef int kind = code_kind(code), card = code_card(code)
    cdef bint has_card = kind == KIND_PLAY or (kind == KIND_GIVE and card != UNSEEN_CARD)
    if kind >= N_KINDS:
        raise ValueError(f"{code:#x} is no action: there is no kind {kind}")
    return (
        ("play", "claim", "pass", "deal", "give")[kind],
        card if has_card else None,
        code_cards(code),
        code_value(code),
    )


def action_text(uint64_t code):
    """An action in the rules' notation.

    >>> action_text(encode_play(24))
    '7H'
    """
    cdef int kind = code_kind(code)
    cdef str text
    if kind == KIND_PASS:
        return "pass"
    if kind == KIND_CLAIM:
        text = "!" + format_cards(code_cards(code))
        return f"{text}={code_value(code)}" if code_value(code) else text
    if kind == KIND_GIVE:
        return ">" + ("?" if code_card(code) == UNSEEN_CARD else card_name(code_card(code)))
    text = card_name(code_card(code))
    if code_cards(code):
        text += "x" + format_cards(code_cards(code))
    return text
