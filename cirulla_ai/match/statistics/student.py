"""The distribution that the mean of a few numbers has: Student's t.

No library for two functions: of those at hand only a very large one has them.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

__all__ = ["t_cdf", "t_quantile"]

NORMAL = NormalDist()
# From so many degrees of freedom on the expansions about the normal distribution are exact
# to nine digits, and the continued fraction would grow long.
MANY = 10_000.0


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, for x < (a + 1) / (a + b + 2).

    NIST Digital Library of Mathematical Functions, 8.17.22, evaluated from the front
    (modified Lentz method).
    """
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d or tiny)
    result = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / ((1.0 + term * d) or tiny)
            c = (1.0 + term / c) or tiny
            result *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return result


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def t_cdf(t: float, freedom: float) -> float:
    """P(T <= t) with ``freedom`` > 0 degrees of freedom.

    By the incomplete beta function (Abramowitz and Stegun, Handbook of Mathematical
    Functions, 26.5.27), for many degrees of freedom by the normal one (26.7.8).

    >>> round(t_cdf(2.0, 10), 6)
    0.963306
    """
    if freedom >= MANY:
        return NORMAL.cdf(t * (1.0 - 0.25 / freedom) / sqrt(1.0 + t * t / (2.0 * freedom)))
    tail = 0.5 * _beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
    return tail if t < 0 else 1.0 - tail


def t_quantile(p: float, freedom: float) -> float:
    """The t that ``t_cdf`` takes to ``p``, 0 < p < 1.

    >>> round(t_quantile(0.975, 4), 4), round(t_quantile(0.975, 1), 3)
    (2.7764, 12.706)
    """
    if p <= 0.5:
        return -t_quantile(1.0 - p, freedom) if p < 0.5 else 0.0
    if freedom >= MANY:
        # Abramowitz and Stegun, 26.7.5.
        z = NORMAL.inv_cdf(p)
        return (z + (z**3 + z) / (4 * freedom)
                + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2))
    front = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)
    low, high, t = 0.0, float("inf"), 1.0
    for _ in range(200):
        # Newton's step where it stays between the bounds, else double or halve.
        over = t_cdf(t, freedom) - p
        low, high = (low, t) if over > 0 else (t, high)
        density = front * (1.0 + t * t / freedom) ** (-(freedom + 1) / 2)
        step = t - over / density if density else high
        if not low < step < high:
            step = 2.0 * t if high == float("inf") else 0.5 * (low + high)
        if abs(step - t) <= 1e-12 * t:
            break
        t = step
    return t
