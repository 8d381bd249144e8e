/* ROW_PART[i][card]: what the ith lowest card of a table of four adds to the place of the
 * table's row, in words; the place of a sorted multiset of ranks r0 <= r1 <= r2 <= r3 is
 * the sum of C(ri + i, i + 1) (combinatorial number system), times the 11 words of a row.
 * The cards 40 to 43 mean "no card". */
#ifndef CIRULLA_ROWS_H
#define CIRULLA_ROWS_H

#include <stdint.h>

#define RANK(n) 11 * n, 11 * n, 11 * n, 11 * n
static const uint16_t ROW_PART[4][44] = {
    {RANK(0), RANK(1), RANK(2), RANK(3), RANK(4), RANK(5), RANK(6), RANK(7), RANK(8),
     RANK(9), RANK(10)},
    {RANK(0), RANK(1), RANK(3), RANK(6), RANK(10), RANK(15), RANK(21), RANK(28), RANK(36),
     RANK(45), RANK(55)},
    {RANK(0), RANK(1), RANK(4), RANK(10), RANK(20), RANK(35), RANK(56), RANK(84), RANK(120),
     RANK(165), RANK(220)},
    {RANK(0), RANK(1), RANK(5), RANK(15), RANK(35), RANK(70), RANK(126), RANK(210),
     RANK(330), RANK(495), RANK(715)},
};
#undef RANK

#endif
