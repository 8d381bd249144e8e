"""The Python classes of the fishing family."""

from cirulla_ai._core.base cimport BasePosition, BaseTable
from cirulla_ai._core.fishing cimport FishingRules, FishingState

cdef class RuleTable(BaseTable):
    cdef FishingRules c
    cdef tuple options

cdef class Position(BasePosition):
    cdef readonly RuleTable rules
    cdef FishingState c
