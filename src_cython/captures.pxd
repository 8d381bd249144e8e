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
    SMALL_TABLE = 4

cdef struct CaptureRules:
    bint equal
    bint sum
    bint fifteen
    int ace_sweep
    bint ace_only_sweeps
    int choice
    bint must_capture

cdef struct CaptureTable:
    CaptureRules rules
    # One row of ten words a multiset; word r is for a played card of value r + 1.
    uint16_t subsets[CAPTURE_ROWS * 10]

# ROW_PART[i][r]: what the ith lowest card of the table, of rank r, adds to the row's
# place (combinatorial number system); rank 15 stands for "no card".
cdef extern from "rows.h" nogil:
    const uint16_t ROW_PART[4][16]


cdef inline const uint16_t *capture_row(const CaptureTable *t, cardset table) noexcept nogil:
    """The row for a table of at most four cards, at their printed values."""
    # Four high sentinel bits make four steps always right, without a branch.
    cdef cardset left = table | <cardset>0xF000000000000000
    cdef int i0, i1, i2, i3
    i0 = bits_low(left)
    left &= left - 1
    i1 = bits_low(left)
    left &= left - 1
    i2 = bits_low(left)
    left &= left - 1
    i3 = bits_low(left)
    return t.subsets + (
        ROW_PART[0][i0 >> 2] + ROW_PART[1][i1 >> 2]
        + ROW_PART[2][i2 >> 2] + ROW_PART[3][i3 >> 2]
    )


cdef extern from "bits.h" nogil:
    int bits_low(uint64_t x)

cdef void capture_table_build(CaptureTable *t) noexcept nogil
cdef int64_t capture_sets(
    const CaptureRules *rules, cardset table, int matta, int matta_value,
    int value, int64_t skip, cardset *out, int64_t room,
) noexcept nogil
