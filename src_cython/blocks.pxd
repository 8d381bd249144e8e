"""Sums of trials in blocks."""

from libc.stdint cimport int64_t

cdef class Blocks:
    cdef readonly int columns
    cdef readonly int64_t trials
    cdef double *sums       # [MOST_BLOCKS][columns]
    cdef int whole          # blocks of ``length`` trials; the one after them is begun
    cdef int64_t length
    cdef void add(self, const double *trial) noexcept nogil
    cdef void pair(self) noexcept nogil
