"""Actions as codes of 64 bits, the same for all games.

Bits 0–39: the cards captured or shown; bits 40–45: the card played or given; bits 46–49:
the value declared; bits 50–52: the kind.  So an action can be read before its game is known.
"""

from libc.stdint cimport uint64_t

from cirulla_ai._core.cards cimport DECK, cardset

ctypedef uint64_t action_t

cdef enum:
    KIND_PLAY = 0
    KIND_CLAIM = 1
    KIND_PASS = 2
    KIND_DEAL = 3
    KIND_GIVE = 4           # of Ciapa No: a card is handed on, or discarded
    N_KINDS = 5

    # A card that is there but not known: no index that a card can have.
    UNSEEN_CARD = 63


cdef inline action_t play_code(int card, cardset captured) noexcept nogil:
    return captured | <action_t>card << 40


cdef inline action_t card_code(int card) noexcept nogil:
    """The code of playing a card to a trick: a play that captures nothing."""
    return play_code(card, 0)


cdef inline action_t claim_code(cardset cards, int value) noexcept nogil:
    return cards | <action_t>value << 46 | <action_t>KIND_CLAIM << 50


cdef inline action_t pass_code() noexcept nogil:
    return <action_t>KIND_PASS << 50


cdef inline action_t deal_code(cardset hand) noexcept nogil:
    """What a seat sees of a deal, for the search: no seat plays it."""
    return hand | <action_t>KIND_DEAL << 50


cdef inline action_t give_code(int card) noexcept nogil:
    return <action_t>card << 40 | <action_t>KIND_GIVE << 50


cdef inline int code_kind(action_t a) noexcept nogil:
    return <int>(a >> 50 & 7)


cdef inline int code_card(action_t a) noexcept nogil:
    return <int>(a >> 40 & 63)


cdef inline int code_value(action_t a) noexcept nogil:
    return <int>(a >> 46 & 15)


cdef inline cardset code_cards(action_t a) noexcept nogil:
    return a & DECK
