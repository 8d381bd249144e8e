"""Student's t: the distribution that the mean of a few numbers has."""

from __future__ import annotations

# Not scipy.stats, which takes several times as long to import.
from scipy.special import stdtr, stdtrit

__all__ = ["t_cdf", "t_quantile"]


def t_cdf(t: float, freedom: float) -> float:
    """P(T <= t) with ``freedom`` > 0 degrees of freedom.

    >>> round(t_cdf(2.0, 10), 6)
    0.963306
    """
    return float(stdtr(freedom, t))


def t_quantile(p: float, freedom: float) -> float:
    """The t that ``t_cdf`` takes to ``p``, 0 < p < 1.

    >>> round(t_quantile(0.975, 4), 4), round(t_quantile(0.975, 1), 3)
    (2.7764, 12.706)
    """
    return float(stdtrit(freedom, p))
