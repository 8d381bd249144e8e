"""Logarithm, exponential and softmax by basic operations alone: the same bits on every machine."""

from libc.stdint cimport int64_t, uint32_t


cdef inline double natural_log(uint32_t n) noexcept nogil:
    """ln n for n >= 1."""
    cdef int e = 0
    cdef double m = n
    cdef double t, q
    while m >= 2:
        m *= 0.5
        e += 1
    t = (m - 1) / (m + 1)
    q = t * t
    return e * 0.6931471805599453 + 2 * t * (
        1 + q * (1.0 / 3 + q * (0.2 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11))))))


cdef inline double exponential(double x) noexcept nogil:
    """e ** x for x <= 0, 0 below -30."""
    cdef int _i
    cdef double y
    if x < -30:
        return 0
    # Of x / 32 six terms are enough; then squared five times.
    y = x / 32
    y = 1 + y * (1 + y * (0.5 + y * (1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120)))))
    for _i in range(5):
        y *= y
    return y


cdef inline int64_t argmax(const double *values, int64_t n) noexcept nogil:
    """The place of the largest of ``n`` values, at least one; of equals the first."""
    cdef int64_t i, best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best


cdef inline double softmax(double *values, int64_t n, double temperature) noexcept nogil:
    """Turn values into the weights of a softmax, not yet divided by their sum, which it returns.

    The largest has the weight 1.
    """
    cdef int64_t i
    cdef double most = values[argmax(values, n)], total = 0
    for i in range(n):
        values[i] = exponential((values[i] - most) / temperature)
        total += values[i]
    return total
