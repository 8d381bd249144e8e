"""The chance to win the match."""

from cirulla_ai._core.equity_three cimport ThreeWay

cdef struct EquityTable:
    int sides
    int target
    bint fewest             # few points are good (see Game)
    double mean             # points a side and smazzata
    double deviation        # of the difference of two sides' points in a smazzata
    int n                   # tables: after a smazzata, then with 1, 2, … rounds left in it
    int size                # scores in each direction of a table, 0 … size - 1
    double *chance          # [n][2 sides that dealt][size][size]: side 0's; NULL: none
    ThreeWay three          # of three sides; without cells: none

cdef int match_equity(
    const EquityTable *e, const double *scores, int won, int left, int dealer, double *equity
) noexcept nogil

cdef class Equity:
    cdef EquityTable c
    cdef list spreads
    cdef set filled
    cdef make(self, list results, tuple outright, list spreads)
    cdef fill(
        self, const int *points, const double *chance, int n, const double *at_once, list spreads)
    cdef fill_three(
        self, const int *points, const double *chance, int n, const double *at_once, list spreads)
    cdef take(self, bytes ready)
    cdef spread_three(self, list spreads)
    cdef fill_within(
        self, int left, double leader_variance, double dealer_variance, double covariance)
