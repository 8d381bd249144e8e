"""A quick way to play the fishing family, and what states between two deals are worth to it."""

from cirulla_ai._core.contract cimport QuickPlay
from cirulla_ai._core.fishing_endgame cimport Solver
from cirulla_ai._core.fishing_policy cimport Policy
from cirulla_ai._core.fishing_position cimport FishingTable
from cirulla_ai._core.fishing_value cimport Value
from cirulla_ai._core.stop cimport Stop

cdef struct QuickAid:
    Policy policy
    Solver solver

cdef class FishingQuick(QuickPlay):
    cdef FishingTable rules
    cdef Value value
    cdef Stop stop
    cdef QuickAid aid
