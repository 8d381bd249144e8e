"""What helps a search to tell how a smazzata will end."""

from cirulla_ai._core.endgame cimport Solver
from cirulla_ai._core.position cimport RuleTable
from cirulla_ai._core.stop cimport Stop
from cirulla_ai._core.game cimport Game
from cirulla_ai._core.value cimport Value, ValueNets

cdef struct Aid:
    const ValueNets *nets   # NULL: play on to the end
    bint exact
    int horizon             # the round whose end has a value
    Solver solver

cdef class Guide:
    # One search's own; ``fresh`` makes another for another search.
    cdef Guide fresh(self)
    cdef void install(self, Game *g, const void *view)

cdef class FishingGuide(Guide):
    cdef RuleTable rules
    cdef Value value
    cdef Stop stop
    cdef bint exact
    cdef Aid aid
