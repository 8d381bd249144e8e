"""A quick way to play the fishing family: softmax of the rough values of the actions.

It sees what is public and the hand of the seat to move, nothing else.
"""

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc

from cirulla_ai._core.fishing cimport FishingRules, FishingState, fishing_apply, fishing_legal
from cirulla_ai._core.numeric cimport exponential
from cirulla_ai._core.rng cimport Rng, rng_below, rng_share
from cirulla_ai._core.value cimport action_values


cdef int64_t choose(Policy *p, Rng *rng) noexcept nogil:
    """A place in the list by the values there."""
    cdef int64_t i, best = 0
    cdef double total = 0, left
    for i in range(1, p.list.n):
        if p.values[i] > p.values[best]:
            best = i
    if p.temperature <= 0:
        return best
    left = p.values[best]
    for i in range(p.list.n):
        p.values[i] = exponential((p.values[i] - left) / p.temperature)
        total += p.values[i]
    left = total * rng_share(rng)
    for i in range(p.list.n):
        left -= p.values[i]
        if left < 0:
            return i
    return best


cdef void policy_play(
    Policy *p, const FishingRules *r, FishingState *s, Rng *rng
) noexcept nogil:
    """Play one action of the seat to move."""
    cdef int64_t pick = 0
    fishing_legal(r, s, &p.list)
    if p.list.n > 1:
        if p.list.n > p.room:
            free(p.values)
            p.room = 2 * p.list.n
            p.values = <double *>malloc(p.room * sizeof(double))
        if p.nets == NULL or p.values == NULL:
            p.room = 0 if p.values == NULL else p.room
            pick = rng_below(rng, <uint32_t>p.list.n)
        else:
            action_values(p.nets, r, s, p.list.data, p.list.n, p.values)
            pick = choose(p, rng)
    fishing_apply(r, s, p.list.data[pick])


cdef void policy_free(Policy *p) noexcept nogil:
    free(p.list.data)
    free(p.values)
