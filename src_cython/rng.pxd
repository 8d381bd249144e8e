"""One small generator per search: splitmix64 (Steele, Lea, Flood, OOPSLA 2014)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef struct Rng:
    uint64_t state


cdef inline uint64_t rng_next(Rng *g) noexcept nogil:
    cdef uint64_t z
    g.state += <uint64_t>0x9E3779B97F4A7C15
    z = g.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint32_t rng_below(Rng *g, uint32_t n) noexcept nogil:
    """Uniform in 0 … n-1 (bias below n / 2**32)."""
    return <uint32_t>(((rng_next(g) >> 32) * n) >> 32)


cdef inline void rng_shuffle(Rng *g, uint8_t *cards, int n) noexcept nogil:
    """Fisher–Yates, from the last place down; one draw serves two places."""
    cdef int i = n - 1
    cdef uint64_t z
    cdef uint32_t j
    cdef uint8_t c
    while i > 0:
        z = rng_next(g)
        j = <uint32_t>(((z >> 32) * <uint64_t>(i + 1)) >> 32)
        c = cards[i]
        cards[i] = cards[j]
        cards[j] = c
        i -= 1
        if i > 0:
            j = <uint32_t>(((z & <uint64_t>0xFFFFFFFF) * <uint64_t>(i + 1)) >> 32)
            c = cards[i]
            cards[i] = cards[j]
            cards[j] = c
            i -= 1
