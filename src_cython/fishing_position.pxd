"""The Python classes of the fishing family."""

from cirulla_ai._core.contract cimport Position, Table
from cirulla_ai._core.fishing cimport FishingRules, FishingState

cdef class FishingTable(Table):
    cdef FishingRules c
    cdef tuple options

cdef class FishingPosition(Position):
    cdef readonly FishingTable rules
    cdef FishingState c
