"""A rule of thumb: what a play takes, less what the next seat can then be expected to take."""

from libc.stdint cimport int64_t, uint8_t

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.fishing cimport FishingRules, FishingState

cdef struct Prospect:
    # What a play takes and what it leaves to the next seat.
    double gain             # taken at once, in points
    double chance           # that the next seat holds an unseen card
    cardset known           # cards that the next seat is known to hold
    int n
    double value[40]        # what the next seat can take with a card, the most first
    uint8_t card[40]

cdef void prospect_of(
    const FishingRules *r, const FishingState *s, action_t action, cardset unseen,
    Prospect *out
) noexcept nogil
cdef double prospect_value(const Prospect *p, cardset kept) noexcept nogil
cdef void rule_values(
    const FishingRules *r, const FishingState *s, const action_t *actions, int64_t n,
    double *values) noexcept nogil
