"""What the tables of rules and the positions of all games have in common.

Written over the contract of ``game.pxd``, as the search is: a new game inherits it.
"""

from libc.stdint cimport int64_t

from cirulla_ai._core.game cimport Actions, Game
from cirulla_ai._core.rng cimport Rng

cdef class Table:
    cdef Game game          # all but draw; filled by the game's own table
    cdef int players
    # Shuffle and deal a first round into a state whose scores are 0.
    cdef void deal_afresh(self, void *state, int dealer, Rng *rng) noexcept nogil

cdef class Position:
    cdef void *state        # of the game's own class, for as long as it lives
    cdef const Game *game(self) noexcept
    cdef Actions legal_list(self)
    # Sequences of exactly ``depth`` actions; -1 where a hidden card would be needed, -2 out
    # of memory, -3 stopped.
    cdef int64_t count_paths(self, int depth, const bint *stop) noexcept nogil

cdef class InformationSet:
    cdef readonly int viewer
    cdef Game game
    cdef const void *view
    cdef const void *knowledge

cdef class Rollout:
    # One search's own; ``fresh`` makes another for another search.
    cdef Rollout fresh(self)
    cdef void install(self, Game *g, const void *view)
