"""One small generator per search: splitmix64 (Steele, Lea, Flood, OOPSLA 2014)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "bits.h" nogil:
    uint64_t bits_multiply(uint64_t a, uint64_t b, uint64_t *low)

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
    """Uniform in 0 … n-1 (bias below n / 2**64)."""
    cdef uint64_t rest
    return <uint32_t>bits_multiply(rng_next(g), n, &rest)


cdef inline double rng_share(Rng *g) noexcept nogil:
    """Uniform from 0 up to, but not, 1."""
    return <double>(rng_next(g) >> 11) * (1.0 / (<uint64_t>1 << 53))


cdef inline void rng_shuffle(Rng *g, uint8_t *cards, int n) noexcept nogil:
    """Fisher–Yates, from the last place down, for up to forty cards.

    One draw serves six places: what a place leaves of it is uniform for the next one (bias
    below 40 · 39 · 38 · 37 · 36 · 35 / 2**64).
    """
    cdef uint64_t left = n, rest, j
    cdef int k
    cdef uint8_t c
    while left > 1:
        rest = rng_next(g)
        k = 6
        while k > 0 and left > 1:
            j = bits_multiply(rest, left, &rest)
            left -= 1
            c = cards[left]
            cards[left] = cards[j]
            cards[j] = c
            k -= 1
