"""A quick way to play: softmax of the rough values of the actions."""

from libc.stdint cimport int64_t

from cirulla_ai._core.fishing cimport FishingRules, FishingState
from cirulla_ai._core.fishing_value cimport ValueNets
from cirulla_ai._core.game cimport Actions
from cirulla_ai._core.rng cimport Rng

cdef struct Policy:
    const ValueNets *nets   # NULL: the rule of thumb
    double temperature      # in points; 0: always a best action
    Actions list
    double *values
    int64_t room

cdef void policy_play(
    Policy *p, const FishingRules *r, FishingState *s, Rng *rng
) noexcept nogil
cdef void policy_free(Policy *p) noexcept nogil
