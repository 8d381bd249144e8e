"""The chance to win a match: a table by dynamic programming, or a rough race.

For two sides (three: ``equity_three.pyx``) the chance with given scores follows from the
distribution of smazzata results: P(a, b) = sum of p(x, y) P(a + x, b + y), where a match that
is decided counts 1 or 0 (as match equity tables in backgammon are made; Keeler and Spencer,
"Optimal doubling in backgammon", Operations Research 23(6), 1975, for the idea).  Within a
smazzata the scores still to come are normal about what is expected of them.
"""

from libc.math cimport sqrt
from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from cirulla_ai._core.equity_three cimport (
    three_way, three_way_cells, three_way_fill, three_way_make, three_way_spread,
)
from cirulla_ai._core.game cimport MAX_SIDES
from cirulla_ai._core.numeric cimport exponential

cdef extern from "sums.h" nogil:
    enum:
        SUMS
    void add_weighted(
        double *sums, const double *table, const int *offset, const double *weight, int terms)

cdef enum:
    # Points beyond the target that a table tells apart.
    BEYOND = 40
    # Both at the target or above and level: how often the next smazzata may be level again.
    TIES = 64
    # Places each way of a normal spread, and all of them: the square of 2 * STEPS + 1.
    STEPS = 5
    PLACES = 121
    # Of a side in a smazzata; more than any rules give.
    MOST_POINTS = 1000


cdef int match_winners(const EquityTable *e, const double *scores, int won) noexcept nogil:
    """The sides that have won the match with these scores, as bits; 0 where it goes on.

    ``won``: the side that has won outright, or -1.
    """
    cdef int i, winners = 0
    cdef double most = scores[0], best
    if won >= 0:
        return 1 << won
    for i in range(e.sides):
        if scores[i] > most:
            most = scores[i]
    if most < e.target:
        return 0
    best = most
    for i in range(e.sides):
        if e.fewest and scores[i] < best:
            best = scores[i]
    for i in range(e.sides):
        if scores[i] == best:
            winners |= 1 << i
    # Few points are shared; of two with the most neither has won yet.
    return winners if e.fewest or winners & (winners - 1) == 0 else 0


cdef void race(
    const EquityTable *e, const double *scores, double more, double *equity
) noexcept nogil:
    """Roughly each side's chance to win a match that goes on.

    A race with normal steps over the smazzate that the leader still needs, at least ``more``,
    with x / sqrt(x**2 + pi / 2) for the normal integral.
    """
    cdef int i, j
    cdef double best = 0, left, z, total = 0, sign = -1 if e.fewest else 1
    for i in range(e.sides):
        if scores[i] > best:
            best = scores[i]
    left = (e.target - best) / e.mean
    if left < more:
        left = more
    for i in range(e.sides):
        equity[i] = 1
        for j in range(e.sides):
            if j != i:
                z = sign * (scores[i] - scores[j]) / (e.deviation * sqrt(left))
                equity[i] *= 0.5 * (1 + z / sqrt(z * z + 1.5707963267948966))
        total += equity[i]
    for i in range(e.sides):
        equity[i] /= total


cdef inline double *cell_of(
    const EquityTable *e, int left, int dealer, int a, int b
) noexcept nogil:
    return e.chance + ((left * 2 + dealer) * e.size + a) * e.size + b


cdef inline double at(const EquityTable *e, int left, int dealer, int a, int b) noexcept nogil:
    return cell_of(e, left, dealer, a, b)[0]


cdef double looked_up(
    const EquityTable *e, double a, double b, int left, int dealer
) noexcept nogil:
    """Side 0's chance from the table, linear between whole scores."""
    cdef double most = e.size - 1.001, x, y
    cdef int i, j
    a = 0 if a < 0 else most if a > most else a
    b = 0 if b < 0 else most if b > most else b
    i = <int>a
    j = <int>b
    x = a - i
    y = b - j
    return (
        (1 - x) * ((1 - y) * at(e, left, dealer, i, j) + y * at(e, left, dealer, i, j + 1))
        + x * ((1 - y) * at(e, left, dealer, i + 1, j) + y * at(e, left, dealer, i + 1, j + 1)))


cdef int match_equity(
    const EquityTable *e, const double *scores, int won, int left, int dealer, double *equity
) noexcept nogil:
    """Each side's share of the match; returns the winners as bits where it is decided.

    ``scores`` after a smazzata, or what is expected of them with ``left`` rounds of it to
    come; ``dealer``: the side that dealt it.
    """
    cdef int i, n = 0, winners
    if left == 0:
        winners = match_winners(e, scores, won)
        if winners:
            for i in range(e.sides):
                n += winners >> i & 1
            for i in range(e.sides):
                equity[i] = 1.0 / n if winners >> i & 1 else 0
            return winners
    if e.three.cells != NULL:
        three_way(&e.three, scores, left, dealer, equity)
        return 0
    if e.n == 0:
        race(e, scores, 1 if left == 0 else 0.25, equity)
        return 0
    equity[0] = looked_up(e, scores[0], scores[1], left if left < e.n else e.n - 1, dealer)
    equity[1] = 1 - equity[0]
    return 0


cdef inline int clipped(const EquityTable *e, int score) noexcept nogil:
    """The score of the table that stands for this one."""
    return 0 if score < 0 else score if score < e.size else e.size - 1


cdef bint race_down(
    EquityTable *e, const int *points, const double *chance, int n, const double *at_once
) noexcept nogil:
    """The table between smazzate where nobody has won, from high scores down; False: no memory.

    ``points`` of the leader and the dealer, for each of ``n`` results.  What is decided is in
    the table already.
    """
    # Scores that add up to the same depend on higher ones alone (and on each other where
    # nobody scores): they are worked out side by side, from a copy of the table in which they
    # are side by side, a row for each sum of a and b and in it a place for each a.
    cdef int target = e.target, size = e.size, most = 0, a, b, d, i, k, total, low, high, passes = 1
    cdef int rows, width
    cdef double *copy
    cdef double *row
    cdef int *offset
    cdef double sums[SUMS]
    for i in range(2 * n):
        # More is as good as this.
        most = max(most, min(points[i], size))
    rows = 2 * (target + most)
    width = target + most + SUMS
    copy = <double *>calloc(2 * rows * width, sizeof(double))
    offset = <int *>calloc(2 * n, sizeof(int))
    if copy == NULL or offset == NULL:
        free(copy)
        free(offset)
        return False
    for d in range(2):
        for i in range(n):
            # Of side 0's view: a its points, b the other's.
            a = min(points[2 * i + d], size)
            b = min(points[2 * i + 1 - d], size)
            offset[d * n + i] = (a + b) * width + a
            if a + b == 0:
                # Twice, for the smazzata in which nobody scores.
                passes = 2
        for a in range(target + most):
            for b in range(0 if a >= target else target, target + most):
                copy[(d * rows + a + b) * width + a] = cell_of(
                    e, 0, d, clipped(e, a), clipped(e, b))[0]
    for total in range(2 * target - 2, -1, -1):
        for _i in range(passes):
            for d in range(2):
                high = min(target, total + 1)
                low = max(0, total - target + 1)
                while low < high:
                    for k in range(SUMS):
                        sums[k] = at_once[d]
                    add_weighted(sums, copy + ((1 - d) * rows + total) * width + low,
                                 offset + d * n, chance, n)
                    row = copy + (d * rows + total) * width
                    for a in range(low, min(high, low + SUMS)):
                        row[a] = sums[a - low]
                        cell_of(e, 0, d, a, total - a)[0] = sums[a - low]
                    low += SUMS
    free(copy)
    free(offset)
    return True


cdef bint spread_out(
    EquityTable *e, int left, const double *weight, double total, int step
) noexcept nogil:
    """Table ``left``, from that between smazzate: its mean over scores ``step`` points apart,
    with weights that add up to ``total``; False: no memory."""
    # From a copy with a margin, in which scores beyond the table are there too.
    cdef int size = e.size, margin = min(STEPS * step, size), width = size + 2 * margin + SUMS
    cdef int a, b, d, i, j, k = 0, x, y, low
    cdef double *copy = <double *>calloc((size + 2 * margin) * width, sizeof(double))
    cdef int offset[PLACES]
    cdef double sums[SUMS]
    if copy == NULL:
        return False
    for d in range(2):
        for a in range(size + 2 * margin):
            for b in range(size + 2 * margin):
                copy[a * width + b] = cell_of(
                    e, 0, d, clipped(e, a - margin), clipped(e, b - margin))[0]
        k = 0
        for i in range(-STEPS, STEPS + 1):
            for j in range(-STEPS, STEPS + 1):
                # Side ``d`` dealt this smazzata.
                x = max(-margin, min(margin, step * (j if d == 0 else i)))
                y = max(-margin, min(margin, step * (i if d == 0 else j)))
                offset[k] = (x + margin) * width + y + margin
                k += 1
        for a in range(size):
            low = 0
            while low < size:
                for k in range(SUMS):
                    sums[k] = 0
                add_weighted(sums, copy + a * width + low, offset, weight, PLACES)
                for b in range(low, min(size, low + SUMS)):
                    cell_of(e, left, d, a, b)[0] = sums[b - low] / total
                low += SUMS
    free(copy)
    return True


cdef _check(list results, tuple outright, list spreads, int sides):
    """Raise ValueError where these can't be the results of smazzate of so many sides."""
    cdef int k
    cdef double total = 0, number
    cdef bint possible
    if len(outright) != sides or min(outright) < 0:
        raise ValueError(f"matches won outright {outright}: a number for each of {sides} sides")
    for row in results:
        possible = len(row) == sides + 1
        for k in range(sides + 1 if possible else 0):
            number = row[k]
            possible = possible and number >= 0 and (k == sides or number <= MOST_POINTS)
        if not possible:
            raise ValueError(f"a result {row}: points of {sides} sides, 0 … {MOST_POINTS} each, "
                             "and how often")
        total += row[sides]
    if not 0 < total < float("inf"):
        raise ValueError("no results")
    for row in spreads:
        if len(row) != sides * sides:
            raise ValueError(f"a spread of {len(row)} numbers, not {sides * sides}")


cdef _chances(
    list results, tuple outright, int sides, int *points, double *chance, double *at_once
):
    """How likely each result is, and to win the match outright, from how often they came."""
    cdef int i, k
    cdef double total = sum(outright), number
    for i in range(len(results)):
        row = results[i]
        for k in range(sides):
            number = row[k]
            points[sides * i + k] = <int>number
        chance[i] = row[sides]
        total += chance[i]
    for i in range(len(results)):
        chance[i] /= total
    for k in range(sides):
        at_once[k] = outright[k] / total


cdef class Equity:
    """Chances to win a match to ``target`` points.

    ``results``: [(points of each side from the one that leads on, the dealer's last, how
    often)] of smazzate, None where they are not known; ``outright``: how often
    each of these won the match at once.  ``spreads``: with 1, 2, … rounds left, how far
    the points were off what was expected: the covariance matrix, row by row, sides in the
    same order.  ``fewest``: see the game contract.  Without results the
    chances are those of a rough race of ``mean`` points a smazzata and a ``deviation``.
    ``ready``: the table of three sides as ``ready`` once gave it, in place of results.

    Raises ValueError for results or a table that can't be, MemoryError.
    """

    def __cinit__(
        self, int sides, int target, bint fewest, double mean, double deviation,
        list results=None, tuple outright=None, list spreads=None, bytes ready=None,
    ):
        self.c.sides = sides
        self.c.target = target
        self.c.fewest = fewest
        self.c.mean = mean
        self.c.deviation = deviation
        spreads = spreads or []
        outright = outright or (0,) * sides
        if results:
            _check(results, outright, spreads, sides)
        if ready is not None:
            if sides != 3 or fewest or not all(len(row) == 9 for row in spreads):
                raise ValueError("a table is of three sides, of which the most points win")
            self.take(ready)
            self.spread_three(spreads)
        elif results and sides <= 3 and not fewest:
            self.make(results, outright, spreads)

    def __dealloc__(self):
        free(self.c.chance)
        free(self.c.three.cells)

    cdef make(self, list results, tuple outright, list spreads):
        """The table of how smazzate end."""
        cdef int sides = self.c.sides, n = len(results)
        cdef int *points = <int *>calloc(sides * n, sizeof(int))
        cdef double *chance = <double *>calloc(n, sizeof(double))
        cdef double at_once[3]
        try:
            if points == NULL or chance == NULL:
                raise MemoryError("no memory for a match equity table")
            _chances(results, outright, sides, points, chance, at_once)
            if sides == 3:
                self.fill_three(points, chance, n, at_once, spreads)
            else:
                self.fill(points, chance, n, at_once, spreads)
        finally:
            free(points)
            free(chance)

    cdef fill_three(
        self, const int *points, const double *chance, int n, const double *at_once, list spreads
    ):
        """The table of three sides."""
        self.c.three.target = self.c.target
        if not three_way_fill(&self.c.three, points, chance, n, at_once):
            raise MemoryError("no memory for a match equity table")
        self.spread_three(spreads)

    cdef take(self, bytes ready):
        """The table of three sides, ready-made."""
        cdef const uint8_t *numbers = ready
        cdef Py_ssize_t i, cells
        cdef int k
        self.c.three.target = self.c.target
        if not three_way_make(&self.c.three):
            raise MemoryError("no memory for a match equity table")
        cells = three_way_cells(&self.c.three)
        if len(ready) != cells * 3 * <Py_ssize_t>sizeof(double):
            raise ValueError(f"a table of {len(ready)} octets, not {cells * 3 * sizeof(double)}")
        for i in range(cells):
            memcpy(self.c.three.cells + 4 * i, numbers + 3 * sizeof(double) * i,
                   3 * sizeof(double))
            self.c.three.cells[4 * i + 3] = 0
            for k in range(3):
                # A parabola between scores may go a little beyond 0 and 1.
                if not -1 <= self.c.three.cells[4 * i + k] <= 2:
                    raise ValueError("a table with a number that is no chance")

    @property
    def ready(self):
        """The table of three sides as bytes, three doubles of this machine a cell; b"" where
        there is none."""
        cdef Py_ssize_t i
        if self.c.three.cells == NULL:
            return b""
        return b"".join([
            (<const char *>(self.c.three.cells + 4 * i))[:3 * sizeof(double)]
            for i in range(three_way_cells(&self.c.three))])

    cdef spread_three(self, list spreads):
        cdef double covariance[9]
        cdef int k
        for row in spreads:
            for k in range(9):
                covariance[k] = row[k]
            three_way_spread(&self.c.three, covariance)

    cdef fill(
        self, const int *points, const double *chance, int n, const double *at_once, list spreads
    ):
        """The table of two sides: scores between smazzate, from high ones down."""
        cdef int size = self.c.target + BEYOND, target = self.c.target
        cdef int a, b, d, i, x, y, _i
        cdef double stay, sums
        cdef double level[2]
        self.c.n = 1 + len(spreads)
        self.c.size = size
        self.c.chance = <double *>calloc(2 * self.c.n * size * size, sizeof(double))
        if self.c.chance == NULL:
            raise MemoryError("no memory for a match equity table")
        self.spreads = spreads
        self.filled = {0}
        # A cell says: side ``d`` dealt last, so the other deals next, and ``d`` leads.
        # Level at the target or above only the next difference counts.
        level[0] = level[1] = 0.5
        for _i in range(TIES):
            for d in range(2):
                sums = at_once[d]
                stay = 0
                for i in range(n):
                    # Of side 0's view: x its points, y the other's.
                    x = points[2 * i + d]
                    y = points[2 * i + 1 - d]
                    if x > y:
                        sums += chance[i]
                    elif x == y:
                        stay += chance[i]
                level[d] = sums + stay * level[1 - d]
        for a in range(size - 1, -1, -1):
            for b in range(size - 1, -1, -1):
                for d in range(2):
                    if a >= target or b >= target:
                        cell_of(&self.c, 0, d, a, b)[0] = (
                            1 if a > b else 0 if b > a else level[d])
        if not race_down(&self.c, points, chance, n, at_once):
            raise MemoryError("no memory for a match equity table")

    def prepare(self, int left):
        """Make ready for expectations with ``left`` rounds to come; quick the second time.

        Without it a search takes them for final scores.
        """
        if 0 < left < self.c.n and left not in self.filled:
            leader, covariance, _, dealer = self.spreads[left - 1]
            self.fill_within(left, leader, dealer, covariance)
            self.filled.add(left)

    cdef fill_within(
        self, int left, double leader_variance, double dealer_variance, double covariance
    ):
        """The table with ``left`` rounds to come: that between smazzate, over a normal spread."""
        cdef int i, j, step, k = 0
        cdef double total = 0, z, p, r
        cdef double weight[PLACES]
        # Three deviations each way, in few enough steps.
        step = 1 + <int>(3 * sqrt(
            leader_variance if leader_variance > dealer_variance else dealer_variance)) // STEPS
        r = leader_variance * dealer_variance - covariance * covariance
        for i in range(-STEPS, STEPS + 1):
            for j in range(-STEPS, STEPS + 1):
                z = step * step * (
                    dealer_variance * i * i - 2 * covariance * i * j + leader_variance * j * j
                ) / (r if r > 1e-6 else 1e-6)
                p = exponential(-z / 2)
                weight[k] = p
                total += p
                k += 1
        if not spread_out(&self.c, left, weight, total, step):
            raise MemoryError("no memory for a match equity table")

    def chances(self, list scores, int dealer, int won=-1, int left=0):
        """(each side's share of the match, the sides that have won it already as bits).

        ``scores`` after a smazzata that side ``dealer`` dealt, or expected with ``left``
        rounds of it to come; ``won``: the side that has won outright, or -1.
        """
        cdef double before[MAX_SIDES]
        cdef double equity[MAX_SIDES]
        cdef int i, winners
        self.prepare(left)
        for i in range(self.c.sides):
            before[i] = scores[i]
        winners = match_equity(&self.c, before, won, left, dealer, equity)
        return [equity[i] for i in range(self.c.sides)], winners
