"""The chances of three sides to win a match, by dynamic programming.

Between smazzate a side is told by its part in the next one: it leads, it comes next, or it
deals.  The chance of each of them follows from how smazzate end, as for two sides
(``equity.pyx``).  All scores would be too many, so the table of a match to 51 has every
fourth, from one point short of the target down, and between them it is a parabola in each
direction.  A match that is decided is never between two scores of the table: there the very
points count.  Sides that are level at the target or above share the win.
"""

from libc.math cimport sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

cdef enum:
    # About as many scores in each direction are enough.
    FINE = 14
    # In a cell: the chances of the three, and 1 while they are still to be found.
    NUMBERS = 4
    OPEN = 3

# Gauss and Hermite's three places for a normal variable, and their weights.
cdef double[3] PLACE = [-1.7320508075688772, 0.0, 1.7320508075688772]
cdef double[3] WEIGHT = [1.0 / 6, 2.0 / 3, 1.0 / 6]


cdef inline double *cell_at(const double *cells, int size, int i, int j, int k) noexcept nogil:
    """The cell for a leader, the next side and a dealer with the ith, jth, kth score.

    That of the next side differs between neighbours.
    """
    return <double *>cells + ((<int64_t>i * size + k) * size + j) * NUMBERS


cdef struct Place:
    # A side's score in the table: the first of three of its scores and what each counts.
    double score
    int at
    double part[3]


cdef inline void place_score(const ThreeWay *t, double score, Place *out) noexcept nogil:
    cdef double place = (t.target - 1 - score) / t.step, low
    # Less than one point short of the target is as good as one.
    place = 0 if place < 0 else t.size - 1 if place > t.size - 1 else place
    out.score = score
    if place < 1:
        # Between the first two nothing is above.
        out.at = 0
        out.part[0] = 1 - place
        out.part[1] = place
        out.part[2] = 0
        return
    out.at = min(<int>place, t.size - 2) - 1
    low = place - (out.at + 1)
    # The parabola through the score above, the one above that and the one below.  Straight
    # lines would spread scores wider at each smazzata.
    out.part[0] = low * (low - 1) / 2
    out.part[1] = 1 - low * low
    out.part[2] = low * (low + 1) / 2


cdef inline bint decided(
    const ThreeWay *t, const Place *a, const Place *b, const Place *c, double *out
) noexcept nogil:
    """Whether somebody has won, and who: a share for each."""
    cdef int n
    cdef double most = max(a.score, max(b.score, c.score))
    if most < t.target:
        return False
    n = (a.score == most) + (b.score == most) + (c.score == most)
    out[0] = 1.0 / n if a.score == most else 0
    out[1] = 1.0 / n if b.score == most else 0
    out[2] = 1.0 / n if c.score == most else 0
    out[OPEN] = 0
    return True


cdef inline void column_of(
    const ThreeWay *t, const Place *a, const Place *c, int first, int n, double *column
) noexcept nogil:
    """``n`` cells from ``first`` on for the scores of the next leader and the next dealer."""
    cdef int i, x, z
    cdef const double *cell
    cdef double weight
    for i in range(NUMBERS * n):
        column[i] = 0
    for x in range(3):
        for z in range(3):
            weight = a.part[x] * c.part[z]
            if weight == 0:
                continue
            cell = cell_at(t.cells, t.size, a.at + x, first, c.at + z)
            for i in range(NUMBERS * n):
                column[i] += weight * cell[i]


cdef inline void between(const double *cell, const Place *b, double *out) noexcept nogil:
    """What the three cells of a column say of the score of the side after the leader."""
    cdef int i
    for i in range(NUMBERS):
        out[i] = b.part[0] * cell[i] + b.part[1] * cell[NUMBERS + i] + (
            b.part[2] * cell[2 * NUMBERS + i])


cdef int three_way_cells(const ThreeWay *t) noexcept nogil:
    """How many cells the table has."""
    return t.size * t.size * t.size


cdef bint three_way_make(ThreeWay *t) noexcept nogil:
    """An empty table; False: no memory."""
    t.step = 1 + max(0, t.target - 2) // (FINE - 1)
    t.size = max(2, (t.target - 2 + t.step) // t.step) + 1
    t.cells = <double *>calloc(NUMBERS * three_way_cells(t), sizeof(double))
    return t.cells != NULL


cdef struct Ends:
    # How smazzate end: the points of the leader, the next side and the dealer, for each of
    # ``n`` results, and their chances; and the chances that each wins the match outright.
    const int *points
    const double *chance
    int n
    const double *outright
    int most                # points of a side


cdef struct Workshop:
    # What a table is made with.
    # Of each cell what does not hang on the cell that it stays at, and how often it stays.
    double *fixed
    # Where the sides get with 0, 1, … points more.
    Place *leader
    Place *second
    Place *dealer
    # Cells between those of the table, for these points of two sides.
    double *column


cdef bint workshop_open(Workshop *w, const ThreeWay *t, int most) noexcept nogil:
    """False: no memory; it is to be closed all the same."""
    w.fixed = <double *>calloc(NUMBERS * three_way_cells(t), sizeof(double))
    w.leader = <Place *>calloc(3 * (most + 1), sizeof(Place))
    w.column = <double *>calloc(NUMBERS * t.size, sizeof(double))
    if w.fixed == NULL or w.leader == NULL or w.column == NULL:
        return False
    w.second = w.leader + most + 1
    w.dealer = w.second + most + 1
    return True


cdef void workshop_close(Workshop *w) noexcept nogil:
    free(w.fixed)
    free(w.leader)
    free(w.column)


cdef inline void fix_cell(
    const ThreeWay *t, const Workshop *w, const Ends *e, int i, int j, int k
) noexcept nogil:
    """What a cell gets from those of fewer points to go, and how often it stays as it is."""
    cdef int one, of_leader = -1, of_second = -1
    cdef double then[NUMBERS]
    cdef const Place *a
    cdef const Place *b
    cdef const Place *c
    cdef const int *points
    cdef double *own = cell_at(w.fixed, t.size, i, j, k)
    for one in range(3):
        own[one] = e.outright[one]
    for one in range(e.most + 1):
        place_score(t, t.target - 1 - i * t.step + one, w.leader + one)
        place_score(t, t.target - 1 - j * t.step + one, w.second + one)
        place_score(t, t.target - 1 - k * t.step + one, w.dealer + one)
    for one in range(e.n):
        points = e.points + 3 * one
        # Who comes next leads then, the dealer comes next, the leader deals.
        a = w.second + points[1]
        b = w.dealer + points[2]
        c = w.leader + points[0]
        if not decided(t, a, b, c, then):
            # In order most results differ from the one before in the dealer's points alone.
            if points[0] != of_leader or points[1] != of_second:
                of_leader = points[0]
                of_second = points[1]
                column_of(t, a, c, 0, t.size, w.column)
            between(w.column + NUMBERS * b.at, b, then)
        own[0] += e.chance[one] * then[2]
        own[1] += e.chance[one] * then[0]
        own[2] += e.chance[one] * then[1]
        # Of the cells looked up only that of these very scores can be open yet.
        own[OPEN] += e.chance[one] * then[OPEN]


cdef inline void close_cell(ThreeWay *t, const double *fixed, int i, int j, int k) noexcept nogil:
    """The chances of a cell, by what is fixed of it and of those where the others deal."""
    cdef int one
    cdef const double *own = cell_at(fixed, t.size, i, j, k)
    cdef const double *then1 = cell_at(fixed, t.size, j, k, i)
    cdef const double *then2 = cell_at(fixed, t.size, k, i, j)
    cdef double *cell = cell_at(t.cells, t.size, i, j, k)
    # After three smazzate in which nobody moved all is as it was.
    cdef double stay = own[OPEN] * then1[OPEN] * then2[OPEN]
    for one in range(3):
        cell[one] = 1.0 / 3 if stay > 1 - 1e-9 else (
            own[one] + own[OPEN] * (
                then1[(one + 2) % 3] + then1[OPEN] * then2[(one + 1) % 3])
        ) / (1 - stay)
    cell[OPEN] = 0


cdef bint three_way_fill(
    ThreeWay *t, const int *points, const double *chance, int n, const double *outright
) noexcept nogil:
    """Make the table; False: no memory.

    ``points`` of the leader, the next side and the dealer, for each of ``n`` results, whose
    chances add up to 1 with those, ``outright``, that each of them wins the match at once.
    """
    cdef int i, j, total, last
    cdef Workshop w
    cdef Ends e
    if not three_way_make(t):
        return False
    e.points = points
    e.chance = chance
    e.n = n
    e.outright = outright
    e.most = 0
    for i in range(3 * n):
        e.most = max(e.most, points[i])
    if not workshop_open(&w, t, e.most):
        workshop_close(&w)
        return False
    for i in range(three_way_cells(t)):
        t.cells[NUMBERS * i + OPEN] = 1
    last = t.size - 1
    # From scores just short of the target down.
    for total in range(3 * last + 1):
        for i in range(max(0, total - 2 * last), min(last, total) + 1):
            for j in range(max(0, total - i - last), min(last, total - i) + 1):
                fix_cell(t, &w, &e, i, j, total - i - j)
        for i in range(max(0, total - 2 * last), min(last, total) + 1):
            for j in range(max(0, total - i - last), min(last, total - i) + 1):
                close_cell(t, w.fixed, i, j, total - i - j)
    workshop_close(&w)
    return True


cdef void three_way_spread(ThreeWay *t, const double *covariance) noexcept nogil:
    """Say how far the points of a smazzata are off what is expected, with one more round to come
    than the last time.

    ``covariance``: of the leader, the next side and the dealer with each of them.
    """
    cdef double root[3][3]
    cdef double left
    cdef int i, j, k, place
    if t.n_left == MAX_LEFT:
        return
    # Cholesky's root of the matrix turns independent variables into these.
    for i in range(3):
        for j in range(3):
            root[i][j] = 0
    for i in range(3):
        for j in range(i + 1):
            left = covariance[3 * i + j]
            for k in range(j):
                left -= root[i][k] * root[j][k]
            if i == j:
                root[i][i] = sqrt(left) if left > 0 else 0
            elif root[j][j] > 0:
                root[i][j] = left / root[j][j]
    for place in range(PLACES):
        for i in range(3):
            t.off[t.n_left][place][i] = (
                root[i][0] * PLACE[place % 3] + root[i][1] * PLACE[place // 3 % 3]
                + root[i][2] * PLACE[place // 9])
    t.n_left += 1


cdef void three_way(
    const ThreeWay *t, const double *scores, int left, int dealer, double *equity
) noexcept nogil:
    """Each side's chance with these scores, expected with ``left`` rounds to come, of a smazzata
    that side ``dealer`` dealt."""
    cdef Place now[3]
    cdef double then[NUMBERS]
    cdef double column[3 * NUMBERS]
    cdef double off[3]
    cdef double weight
    cdef int i, place
    # In order the leader, the next side, the dealer; in the next smazzata each is one earlier.
    cdef int leader = (dealer + 1) % 3, second = (dealer + 2) % 3
    if left > t.n_left:
        left = t.n_left
    equity[0] = equity[1] = equity[2] = 0
    off[0] = off[1] = off[2] = 0
    weight = 1
    for place in range(PLACES if left else 1):
        if left:
            for i in range(3):
                off[i] = t.off[left - 1][place][i]
            weight = WEIGHT[place % 3] * WEIGHT[place // 3 % 3] * WEIGHT[place // 9]
        place_score(t, scores[second] + off[1], &now[0])
        place_score(t, scores[dealer] + off[2], &now[1])
        place_score(t, scores[leader] + off[0], &now[2])
        if not decided(t, &now[0], &now[1], &now[2], then):
            column_of(t, &now[0], &now[2], now[1].at, 3, column)
            between(column, &now[1], then)
        equity[second] += weight * then[0]
        equity[dealer] += weight * then[1]
        equity[leader] += weight * then[2]
    # A parabola may go a little below nothing.
    weight = 0
    for i in range(3):
        equity[i] = max(equity[i], 0)
        weight += equity[i]
    for i in range(3):
        equity[i] /= weight
