"""The contract's classes: what games give to Python and to the search, and what all share.

Written over the contract of ``game.pxd``, as the search is: a new game inherits it.
"""

from cirulla_ai._core.game cimport Actions, Game, Quick
from cirulla_ai._core.rng cimport Rng

cdef inline double margin(const double *own, int side, int sides) noexcept nogil:
    """A side's number minus the mean of the others'."""
    cdef double total = 0
    cdef int i
    for i in range(sides):
        total += own[i]
    return own[side] - (total - own[side]) / (sides - 1)


cdef inline void margins(const double *own, int sides, double *out) noexcept nogil:
    """Each side's number minus the mean of the others'."""
    cdef int i
    for i in range(sides):
        out[i] = margin(own, i, sides)


cdef class Table:
    cdef object __weakref__
    cdef Game game          # all but draw; filled by the game's own table
    cdef int players
    # Shuffle and deal a first round into a state whose scores are 0.
    cdef void deal_afresh(self, void *state, int dealer, Rng *rng) noexcept nogil
    # A position under these rules, with nothing in its state.
    cdef Position blank(self)

cdef class Position:
    cdef void *state        # of the game's own class, for as long as it lives
    cdef Table table(self)
    cdef const Game *game(self) noexcept
    cdef Actions legal_list(self)

cdef class InformationSet:
    cdef readonly int viewer
    cdef Game game
    cdef const void *view       # a state of the game
    cdef const void *knowledge  # what ``draw`` and ``likelihood`` are given
    cdef Table table(self)

cdef class Rollout:
    # One search's own; ``fresh`` makes another for another search.
    cdef Rollout fresh(self)
    cdef void install(self, Game *g, const void *view)

cdef class QuickPlay:
    # Belongs to one thread at a time.
    cdef Quick quick
    cdef readonly tuple items
    cdef Table table(self)
    cdef check(self, Table table)
