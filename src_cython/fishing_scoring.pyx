"""Scoring (3.4.3): what each side's points are made of, and what a smazzata came to."""

from libc.stdint cimport uint8_t, uint64_t

from cirulla_ai._core.cards cimport DIAMONDS, bits_count, bits_extract, cardset, suit_set
from cirulla_ai._core.fishing cimport FishingRules, FishingState, side_of
from cirulla_ai._core.game cimport Outcome

# Prime of a suit by its ten cards as bits, A lowest; 0 where the suit is missing.
cdef uint8_t PRIME[1024]


cdef void _build_primes() noexcept nogil:
    cdef int cards, r, best
    cdef int points[10]
    points[:] = [16, 12, 13, 14, 15, 18, 21, 10, 10, 10]
    for cards in range(1024):
        best = 0
        for r in range(10):
            if cards >> r & 1 and points[r] > best:
                best = points[r]
        PRIME[cards] = <uint8_t>best


_build_primes()


cdef inline bint has_most(const int *of, int side) noexcept nogil:
    """Whether a side has strictly more than each of the others; of absent ones, -1."""
    cdef int left = side - 1 if side > 0 else 2
    cdef int right = side + 1 if side < 2 else 0
    return (of[side] > of[left]) & (of[side] > of[right])


cdef inline int prime(cardset taken) noexcept nogil:
    cdef int h, d, c, k
    h = PRIME[bits_extract(taken, suit_set(0))]
    d = PRIME[bits_extract(taken, suit_set(1))]
    c = PRIME[bits_extract(taken, suit_set(2))]
    k = PRIME[bits_extract(taken, suit_set(3))]
    return (h + d + c + k) & -<int>((h != 0) & (d != 0) & (c != 0) & (k != 0))


cdef void fishing_items(
    const FishingRules *r, const FishingState *s, int *items
) noexcept nogil:
    """What each side's points are made of: ``items[side * N_ITEMS + item]``."""
    cdef int side
    cdef int n_cards[3]
    cdef int n_diamonds[3]
    cdef int primes[3]
    cdef uint64_t diamonds
    cdef int *row
    n_cards[2] = -1
    n_diamonds[2] = -1
    primes[2] = -1
    for side in range(r.sides):
        n_cards[side] = bits_count(s.taken[side])
        n_diamonds[side] = bits_count(s.taken[side] & DIAMONDS)
        primes[side] = prime(s.taken[side])
    for side in range(r.sides):
        row = items + side * N_ITEMS
        diamonds = bits_extract(s.taken[side], DIAMONDS)
        row[ITEM_SCOPA] = s.scopa[side]
        row[ITEM_CARDS] = r.points_cards & -<int>has_most(n_cards, side)
        row[ITEM_DIAMONDS] = r.points_diamonds & -<int>has_most(n_diamonds, side)
        row[ITEM_SETTEBELLO] = r.points_settebello & -<int>(diamonds >> 6 & 1)
        row[ITEM_PRIMIERA] = r.points_primiera & -<int>has_most(primes, side)
        row[ITEM_PICCOLA] = r.piccola[diamonds]
        row[ITEM_GRANDE] = r.grande[diamonds]
        row[ITEM_CAPPOTTO] = r.cappotto if diamonds == 1023 and r.cappotto > 0 else 0


cdef void fishing_totals(
    const FishingRules *r, const FishingState *s, int *totals
) noexcept nogil:
    cdef int items[3 * N_ITEMS]
    cdef int side, i
    fishing_items(r, s, items)
    for side in range(r.sides):
        totals[side] = 0
        for i in range(N_ITEMS):
            totals[side] += items[side * N_ITEMS + i]


cdef void fishing_outcome(
    const FishingRules *r, const FishingState *s, Outcome *out
) noexcept nogil:
    """What a finished smazzata came to; the match won outright counts as the target."""
    cdef int totals[3]
    cdef int side
    fishing_totals(r, s, totals)
    for side in range(r.sides):
        out.points[side] = totals[side]
        out.scores[side] = s.scores[side] + totals[side]
        if s.won >= 0:
            out.points[side] = r.target if side == s.won else 0
    out.won = s.won
    out.left = 0
    out.dealer = side_of(r, s.dealer)
