"""What helps a search to tell how a smazzata will end."""

from cirulla_ai._core.endgame cimport Solver
from cirulla_ai._core.position cimport RuleTable
from cirulla_ai._core.stop cimport Stop
from cirulla_ai._core.game cimport Game
from cirulla_ai._core.policy cimport Policy
from cirulla_ai._core.value cimport Value, ValueNets

cdef enum:
    # How play goes on from a new node to the end of the round.
    LEAF_RANDOM = 0
    LEAF_POLICY = 1
    LEAF_STATIC = 2

cdef struct Aid:
    const ValueNets *nets   # NULL: play on to the end
    bint exact
    int leaf
    int horizon             # the round whose end has a value
    Solver solver
    Policy policy

cdef class Guide:
    # One search's own; ``fresh`` makes another for another search.
    cdef Guide fresh(self)
    cdef void install(self, Game *g, const void *view)

cdef class FishingGuide(Guide):
    cdef RuleTable rules
    cdef Value value
    cdef Stop stop
    cdef bint priors
    cdef dict settings
    cdef Aid aid
