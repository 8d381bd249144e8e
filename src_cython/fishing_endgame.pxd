"""Exact solving once all cards are known."""

from libc.stdint cimport int64_t

from cirulla_ai._core.fishing cimport FishingRules, FishingState
from cirulla_ai._core.game cimport Actions, Outcome

cdef enum:
    # More than any line of play that is left: 40 cards, claims and passes.
    MAX_PLIES = 128

cdef struct Solver:
    const FishingRules *rules
    int win                 # what winning the match outright counts, in points
    int64_t nodes
    int64_t most_nodes
    int64_t deadline        # of the monotonic clock, in nanoseconds
    const bint *stop
    const FishingState *root
    int dealer
    bint failed             # out of nodes, memory or stopped: the value is worth nothing
    Actions lists[MAX_PLIES]

cdef bint quickly_solved(const FishingRules *r) noexcept nogil
cdef bint solvable(const FishingRules *r, const FishingState *s) noexcept nogil
cdef bint solve_outcome(Solver *v, const FishingState *s, Outcome *out) noexcept nogil
cdef bint solve_on(Solver *v, FishingState *s) noexcept nogil
cdef void solver_free(Solver *v) noexcept nogil
