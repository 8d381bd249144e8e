"""The Python classes of Ciapa No."""

from cirulla_ai._core.ciapano cimport CiapanoRules, CiapanoState
from cirulla_ai._core.contract cimport Position, Table

cdef class CiapanoTable(Table):
    cdef CiapanoRules c

cdef class CiapanoPosition(Position):
    cdef readonly CiapanoTable rules
    cdef CiapanoState c
