"""A quick way to play the fishing family: softmax of the rough values of the actions.

Where there are no learned values it goes by the rule of thumb.  It sees what is public and
the hand of the seat to move, nothing else.
"""

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc

from cirulla_ai._core.fishing cimport FishingRules, FishingState, fishing_apply, fishing_legal
from cirulla_ai._core.fishing_heuristic cimport rule_values
from cirulla_ai._core.fishing_value cimport action_values
from cirulla_ai._core.numeric cimport argmax, softmax
from cirulla_ai._core.rng cimport Rng, rng_below, rng_share


cdef int64_t choose(double *values, int64_t n, double temperature, Rng *rng) noexcept nogil:
    """A place in the list by the values there, which it spends."""
    cdef int64_t i, best = argmax(values, n)
    cdef double left
    if temperature <= 0:
        return best
    left = softmax(values, n, temperature) * rng_share(rng)
    for i in range(n):
        left -= values[i]
        if left < 0:
            return i
    return best


cdef void policy_play(
    Policy *p, const FishingRules *r, FishingState *s, Rng *rng
) noexcept nogil:
    """Play one action of the seat to move."""
    cdef int64_t pick = 0
    fishing_legal(r, s, &p.list)
    if p.list.n > p.room:
        free(p.values)
        p.room = 2 * p.list.n
        p.values = <double *>malloc(p.room * sizeof(double))
        p.room = 0 if p.values == NULL else p.room
    if p.list.n > 1:
        if p.values == NULL:
            pick = rng_below(rng, <uint32_t>p.list.n)
        else:
            if p.nets != NULL:
                action_values(p.nets, r, s, p.list.data, p.list.n, p.values)
            else:
                rule_values(r, s, p.list.data, p.list.n, p.values)
            pick = choose(p.values, p.list.n, p.temperature, rng)
    fishing_apply(r, s, p.list.data[pick])


cdef void policy_free(Policy *p) noexcept nogil:
    free(p.list.data)
    free(p.values)
