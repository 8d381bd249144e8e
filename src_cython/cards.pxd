"""Forty cards as bits of a 64-bit word.

A card's index is ``4 * (value - 1) + suit``, suits H D C S = 0 1 2 3, so that the
order of the bits is the canonical order of cards: rank first, then suit.
"""

from libc.stdint cimport uint64_t

ctypedef uint64_t cardset

cdef extern from "bits.h" nogil:
    int bits_count(uint64_t x)
    int bits_low(uint64_t x)
    uint64_t bits_deposit(uint64_t x, uint64_t mask)
    uint64_t bits_extract(uint64_t x, uint64_t mask)
    uint64_t bits_pick(uint64_t x, int k)
    int bits_select(uint64_t x, int k)
    const uint64_t DECK, DIAMONDS, ACES, ROYAL

cdef enum:
    NO_CARD = -1
    N_CARDS = 40

cdef inline int card_value(int card) noexcept nogil:
    """Printed value, 1 … 10."""
    return (card >> 2) + 1


cdef inline cardset card_bit(int card) noexcept nogil:
    return <cardset>1 << card


cdef inline cardset suit_set(int suit) noexcept nogil:
    return <cardset>0x1111111111 << suit


cdef cardset parse_cards(str text) except? 0xFFFFFFFFFFFFFFFF
cdef str format_cards(cardset cards)
