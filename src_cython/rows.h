/* ROW_PART[i][r] = 10 * C(r + i, i + 1), r at most 10: the place of a sorted multiset of
 * ranks r0 <= r1 <= r2 <= r3 is the sum of its four parts (combinatorial number system).
 * Ranks above 10, those of the sentinel bits, mean "no card" as 10 does. */
#ifndef CIRULLA_ROWS_H
#define CIRULLA_ROWS_H

#include <stdint.h>

static const uint16_t ROW_PART[4][16] = {
    {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 100, 100, 100, 100, 100},
    {0, 10, 30, 60, 100, 150, 210, 280, 360, 450, 550, 550, 550, 550, 550, 550},
    {0, 10, 40, 100, 200, 350, 560, 840, 1200, 1650, 2200, 2200, 2200, 2200, 2200, 2200},
    {0, 10, 50, 150, 350, 700, 1260, 2100, 3300, 4950, 7150, 7150, 7150, 7150, 7150, 7150},
};

#endif
