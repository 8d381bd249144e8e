"""The clock that searches look at."""

from libc.stdint cimport int64_t

cdef extern from "clock.h" nogil:
    # Monotonic time in nanoseconds.
    int64_t clock_ns()
