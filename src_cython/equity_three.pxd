"""The chances of three sides to win a match."""

cdef enum:
    # Three places in each of three directions stand for a normal spread.
    PLACES = 27
    MAX_LEFT = 16

cdef struct ThreeWay:
    int target
    int step                # points between two scores of the table
    int size                # scores in each direction: target - 1, target - 1 - step, …
    # For each score of the leader, the dealer and the side between them a cell with the
    # chances of the three.
    double *cells
    # With 1, 2, … rounds to come: how far the places are off what is expected.
    int n_left
    double off[MAX_LEFT][PLACES][3]

cdef int three_way_cells(const ThreeWay *t) noexcept nogil
cdef bint three_way_make(ThreeWay *t) noexcept nogil
cdef bint three_way_fill(
    ThreeWay *t, const int *points, const double *chance, int n, const double *outright
) noexcept nogil
cdef void three_way_spread(ThreeWay *t, const double *covariance) noexcept nogil
cdef void three_way(
    const ThreeWay *t, const double *scores, int left, int dealer, double *equity
) noexcept nogil
