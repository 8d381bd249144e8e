"""The learned value of what is public, and of actions by it."""

from libc.stdint cimport int64_t, uint64_t

from cirulla_ai._core.actions cimport action_t
from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.fishing cimport MAX_ROUNDS, FishingRules, FishingState
from cirulla_ai._core.fishing_position cimport FishingTable

cdef extern from "fishing_network.h" nogil:
    enum:
        LANES
        MOST_VECTORS
    ctypedef struct Layer:
        pass
    void layer_set(int vectors, Layer *layer, const float *row)
    void layer_add(int vectors, Layer *layer, const float *row)
    void layer_add_set(int vectors, Layer *layer, const float *rows, uint64_t bits)
    float layer_out(int vectors, const Layer *layer, const float *weights)

cdef enum:
    # Inputs: where each card is (the table, or taken by a side counted from the leader's),
    # who captured last, the declared value of a matta on the table.
    CARDS_IN = 40
    DECLARED_IN = 11

cdef struct ValueNets:
    int sides
    int vectors             # hidden units, by eight
    # A network for each end of a round but the last.
    int n
    const float *net[MAX_ROUNDS]
    # A network for the afterstates of each round, of so many inputs; NULL where there is none.
    int after_inputs
    const float *after[MAX_ROUNDS]

cdef int value_inputs(int sides) noexcept nogil

cdef void state_value(
    const ValueNets *nets, const FishingRules *r, const FishingState *s, int round, double *points
) noexcept nogil
cdef void action_values(
    const ValueNets *nets, const FishingRules *r, const FishingState *s,
    const action_t *actions, int64_t n, double *values
) noexcept nogil

cdef bint has_after(
    const ValueNets *nets, const FishingRules *r, const FishingState *s) noexcept nogil
cdef double after_layer(
    const ValueNets *nets, const FishingRules *r, const FishingState *s, action_t action,
    Layer *layer
) noexcept nogil
cdef double after_value(
    const ValueNets *nets, int round, const Layer *layer, cardset hand
) noexcept nogil

cdef class Value:
    cdef readonly FishingTable rules
    cdef ValueNets c
