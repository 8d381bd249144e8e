"""Sums of trials in blocks, and what they tell of differences.

Trials that follow each other are not independent: a search learns from one to the next, and
worlds come in a chain.  Means of long blocks of them nearly are, and the standard error of a
mean follows from how these differ (batch means; Law, Simulation Modeling and Analysis,
chapter 9).  What is compared is compared within each trial, so that what all columns have in
common cancels.
"""

from libc.math cimport sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    # Half as many at least, once there are so many trials.
    MOST_BLOCKS = 64


cdef class Blocks:
    """Sums of trials, of so many numbers each, in at most 64 blocks of equally many trials.

    Where there are more trials, blocks get longer: two become one.  Raises MemoryError.
    """

    def __cinit__(self, int columns):
        if columns < 1:
            raise ValueError(f"{columns} columns: at least one is needed")
        self.columns = columns
        self.length = 1
        self.sums = <double *>calloc(MOST_BLOCKS * <size_t>columns, sizeof(double))
        if self.sums == NULL:
            raise MemoryError("no memory for the sums of trials")

    def __dealloc__(self):
        free(self.sums)

    cdef void add(self, const double *trial) noexcept nogil:
        cdef double *block
        cdef int i
        if self.whole == MOST_BLOCKS:
            self.pair()
        block = self.sums + self.whole * self.columns
        for i in range(self.columns):
            block[i] += trial[i]
        self.trials += 1
        if self.trials == (self.whole + 1) * self.length:
            self.whole += 1

    cdef void pair(self) noexcept nogil:
        """Make two blocks one, throughout."""
        cdef int block, i, half = MOST_BLOCKS // 2, n = self.columns
        for block in range(half):
            for i in range(n):
                self.sums[block * n + i] = (
                    self.sums[2 * block * n + i] + self.sums[(2 * block + 1) * n + i])
        memset(self.sums + half * n, 0, (MOST_BLOCKS - half) * n * sizeof(double))
        self.whole = half
        self.length *= 2


def compared(list several, int column, int less=-1):
    """The mean of a column over the trials of ``several`` Blocks, and its standard error.

    With ``less``: of what the column has more than that one.  The error is infinite where there
    are not two blocks.
    """
    cdef Blocks blocks
    cdef double total = 0, squares = 0, mean, difference
    cdef int64_t trials = 0, n
    cdef int block, count = 0
    for blocks in several:
        if not (0 <= column < blocks.columns and -1 <= less < blocks.columns):
            raise ValueError(f"columns {column} and {less} of {blocks.columns}")
        for block in range(begun(blocks)):
            total += differing(blocks, block, column, less)
        trials += blocks.trials
        count += begun(blocks)
    if trials == 0:
        raise ValueError("nothing was tried")
    mean = total / trials
    if count < 2:
        return mean, float("inf")
    for blocks in several:
        for block in range(begun(blocks)):
            n = min(blocks.length, blocks.trials - block * blocks.length)
            difference = differing(blocks, block, column, less) - n * mean
            squares += difference * difference
    return mean, sqrt(squares * count / (count - 1)) / trials


cdef inline int begun(Blocks blocks):
    """Blocks that have any trials."""
    return blocks.whole + (blocks.trials > blocks.whole * blocks.length)


cdef inline double differing(Blocks blocks, int block, int column, int less):
    cdef const double *sums = blocks.sums + block * blocks.columns
    return sums[column] - sums[less] if less >= 0 else sums[column]
