"""Which table cards a card can take (rules: equal, sum, fifteen, ace sweep).

What can be taken depends on the effective values alone, never on suits.  For tables of
up to four cards, 99 % of all in play, the answer is a table look-up: a row for each
multiset of values, and in it, for each value played, one 16-bit word whose bit ``s``
says whether the subset ``s`` of the table (in card order) can be taken.  Bit 0, the empty
subset, says whether the card may just be laid, so that the bits of a word are all the ways
to play a card and no branch tells laying from capturing.  Larger tables are searched
depth first.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t

from cirulla_ai._core.cards cimport cardset

cdef enum:
    SWEEP_NO = 0
    SWEEP_NO_ACE = 1
    SWEEP_ALWAYS = 2

    CHOICE_FREE = 0
    CHOICE_SINGLE = 1
    CHOICE_FEWEST = 2

    # Multisets of up to four of ten values: C(14, 4).
    CAPTURE_ROWS = 1001
    ROW_WORDS = 11
    SMALL_TABLE = 4

cdef struct CaptureRules:
    bint equal
    bint sum
    bint fifteen
    int ace_sweep
    bint ace_only_sweeps
    int choice
    bint must_capture

cdef extern from "fishing_rows.h" nogil:
    const uint16_t ROW_PART[4][44]


cdef extern from "bits.h" nogil:
    int bits_low(uint64_t x)


cdef struct CaptureTable:
    CaptureRules rules
    # One row a multiset; its word r is for a played card of value r + 1, and the last one,
    # for "no card", is 0.
    uint16_t subsets[CAPTURE_ROWS * ROW_WORDS]


cdef enum:
    # The first of four bits above the deck that stand for "no card": a set of up to four
    # cards with NO_CARDS added has four lowest bits that need no test.
    NO_CARDS_AT = 40

cdef inline cardset padded(cardset cards) noexcept nogil:
    return cards | <cardset>15 << NO_CARDS_AT


cdef inline uint64_t row_place(cardset table) noexcept nogil:
    """The place of a ``padded`` table of at most four cards at their printed values."""
    cdef uint64_t i0, i1, i2, i3
    i0 = bits_low(table)
    table &= table - 1
    i1 = bits_low(table)
    table &= table - 1
    i2 = bits_low(table)
    table &= table - 1
    i3 = bits_low(table)
    return <uint64_t>ROW_PART[0][i0] + ROW_PART[1][i1] + ROW_PART[2][i2] + ROW_PART[3][i3]


cdef inline uint64_t ways_of_four(
    const CaptureTable *t, cardset table, cardset hand
) noexcept nogil:
    """The words for the four lowest cards of a hand, the lowest card's lowest.

    The bits of the result are all the ways to play these cards.  Both sets are ``padded``.
    """
    cdef const uint16_t *c0
    cdef const uint16_t *c1
    cdef const uint16_t *c2
    cdef const uint16_t *c3
    cdef uint64_t place = row_place(table)
    # The table is known later than the hand: its place is added last.
    c0 = t.subsets + (bits_low(hand) >> 2)
    hand &= hand - 1
    c1 = t.subsets + (bits_low(hand) >> 2)
    hand &= hand - 1
    c2 = t.subsets + (bits_low(hand) >> 2)
    hand &= hand - 1
    c3 = t.subsets + (bits_low(hand) >> 2)
    return (
        c0[place] | <uint64_t>c1[place] << 16
        | (<uint64_t>c2[place] << 32 | <uint64_t>c3[place] << 48)
    )


cdef void capture_table_build(CaptureTable *t) noexcept nogil
cdef int64_t capture_sets(
    const CaptureRules *rules, cardset table, int matta, int matta_value,
    int value, int64_t skip, cardset *out, int64_t room,
) noexcept nogil
