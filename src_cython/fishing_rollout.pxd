"""What helps a search to tell how a smazzata will end."""

from cirulla_ai._core.contract cimport Rollout
from cirulla_ai._core.fishing_endgame cimport Solver
from cirulla_ai._core.fishing_position cimport FishingTable
from cirulla_ai._core.fishing_value cimport Value, ValueNets
from cirulla_ai._core.stop cimport Stop

cdef struct Aid:
    const ValueNets *nets   # NULL: play on to the end
    bint exact
    int horizon             # the round whose end has a value
    Solver solver

cdef class FishingRollout(Rollout):
    cdef FishingTable rules
    cdef Value value
    cdef Stop stop
    cdef bint exact
    cdef Aid aid
