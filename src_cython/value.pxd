"""The learned value of what is public, and of actions by it."""

from libc.stdint cimport int64_t

from cirulla_ai._core.fishing cimport MAX_ROUNDS, FishingRules, FishingState
from cirulla_ai._core.position cimport RuleTable
from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.game cimport Actions, action_t

cdef enum:
    # Inputs: where each card is (the table, or taken by a side counted from the leader's),
    # who captured last, the declared value of a matta on the table.
    CARDS_IN = 40
    DECLARED_IN = 11

cdef struct ValueNets:
    # One network for each end of a round but the last; NULL where there is none.
    int sides
    int n
    const float *net[MAX_ROUNDS]

cdef int value_inputs(int sides) noexcept nogil

cdef void state_value(
    const ValueNets *nets, const FishingRules *r, const FishingState *s, int round, double *points
) noexcept nogil
cdef void action_values(
    const ValueNets *nets, const FishingRules *r, const FishingState *s,
    const action_t *actions, int64_t n, double *values
) noexcept nogil

cdef class Value:
    cdef readonly RuleTable rules
    cdef ValueNets c
