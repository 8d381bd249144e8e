"""What the core was built for, and what this processor can do."""

cdef extern from "cpu.h" nogil:
    const char *CIRULLA_BUILT_FOR
    int CIRULLA_V3
    int cpu_has_v3()


def built_for():
    """What the base build was compiled for: an architecture (``x86-64``) that any of its
    processors will do for, or what was asked for (``native``, ``sanitized``)."""
    return CIRULLA_BUILT_FOR.decode()


def has_second_build():
    """Whether the other modules were built for x86-64-v3 too."""
    return CIRULLA_V3 != 0


def has_x86_64_v3():
    """Whether the processor has all of x86-64-v3: POPCNT, BMI2, AVX2 and what goes with them."""
    return cpu_has_v3() != 0
