"""Claims (bussate): what they score and which there are."""

from libc.stdint cimport int64_t

from cirulla_ai._core.cards cimport ROYAL, bits_low, cardset
from cirulla_ai._core.fishing cimport (
    CLAIM_NO, PHASE_CLAIM, FishingRules, FishingState, hand_count,
)
from cirulla_ai._core.fishing_captures cimport padded
from cirulla_ai._core.game cimport Actions


cdef inline bint may_claim(const FishingRules *r, const FishingState *s) noexcept nogil:
    """Whether the seat to move is at a place where the rules let it claim."""
    cdef int seat = s.turn
    cdef int n = hand_count(s, seat)
    if r.claim == CLAIM_NO or n < 3:
        return False
    if s.phase == PHASE_CLAIM:
        return True
    if r.claim_round:
        return False
    if r.claim_free:
        return n == r.rounds[s.round - 1]
    return (s.hand[seat] & s.shown) == 0


cdef inline bint claim_possible(const FishingRules *r, cardset cards) noexcept nogil:
    """A quick look at any number of cards: False where no claim can be among them."""
    cdef cardset others = cards & ~r.matta_bit
    cdef bint wild = others != cards
    cdef cardset left = padded(others), odd, both, either, equal
    cdef int total
    total = bits_low(left) >> 2
    left &= left - 1
    total += bits_low(left) >> 2
    left &= left - 1
    # The matta may stand for an ace, of rank 0.
    total += (bits_low(left) >> 2) & -<int>(not wild)
    # Of each pair of suits of a rank: both, or at least one.
    odd = others >> 1
    both = others & odd & <cardset>0x5555555555
    either = (others | odd) & <cardset>0x5555555555
    equal = both & either >> 2 | either & both >> 2
    # With the matta two are enough.
    equal |= either & either >> 2 & -<int64_t>wild
    equal = equal & <cardset>0x1111111111 | both & -<int64_t>wild
    return (total <= 6) | (equal != 0) | ((cards & ROYAL) == ROYAL)


cdef int claim_points(const FishingRules *r, cardset cards, int declared) noexcept nogil
cdef int best_claim(const FishingRules *r, cardset cards) noexcept nogil
cdef bint list_claims(const FishingRules *r, const FishingState *s, Actions *out) noexcept nogil
cdef int contested_claim(const FishingRules *r, const FishingState *s) noexcept nogil


cdef inline bint add_claims(
    const FishingRules *r, const FishingState *s, Actions *out
) noexcept nogil:
    """Add the claims of the seat to move; whether it has to make one of them."""
    return may_claim(r, s) and list_claims(r, s, out)
