"""What this processor can do, and whether the search was built for it."""

cdef extern from "bits.h" nogil:
    int cpu_has_v3()


def has_x86_64_v3():
    """Whether the processor has POPCNT, BMI2 and AVX2 (the level x86-64-v3)."""
    return cpu_has_v3() != 0
