"""Exact solving of the last tricks of Ciapa No."""

from libc.stdint cimport int64_t, uint64_t

from cirulla_ai._core.cards cimport cardset
from cirulla_ai._core.ciapano cimport CiapanoRules, CiapanoState

cdef struct Margins:
    double seat[3]          # the mean of the others' points minus the seat's own

cdef struct Entry:
    # A position between two tricks: the cards left tell whose they are, since a world has
    # a number of its own.
    uint64_t key
    uint64_t world
    Margins value

cdef struct Tricks:
    # A position as the solver has it.
    cardset hand[3]
    int thirds[3]
    int turn
    int n                   # cards in the open trick
    cardset open            # which they are
    int led                 # the suit of the first
    int taker               # who takes it so far
    cardset best            # the taker's card, by strength
    int worth               # thirds in it

cdef struct TrickSolver:
    const CiapanoRules *rules
    Entry *table
    uint64_t world          # counts the worlds that were solved
    int last                # thirds that go to the winner of the last trick
    int64_t nodes
    int64_t most_nodes
    int64_t deadline        # nanoseconds of the monotonic clock
    const bint *stop
    bint failed             # out of nodes or time, or stopped: the value is worth nothing

cdef bint tricks_solver_make(TrickSolver *v, const CiapanoRules *r) noexcept nogil
cdef void tricks_solver_free(TrickSolver *v) noexcept nogil
cdef void tricks_begin(TrickSolver *v, const CiapanoState *truth, Tricks *t) noexcept nogil
cdef void tricks_play(Tricks *t, cardset card) noexcept nogil
cdef void tricks_value(TrickSolver *v, Tricks *t, Margins *out) noexcept nogil
