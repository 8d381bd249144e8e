"""A flag by which one thread ends what another is at."""

cdef class Stop:
    cdef bint raised
