/* Many weighted sums of numbers of a table at once.
 *
 * Each sum is taken in the order of its terms, whatever the width of the vectors, so that
 * every build gets the same bits.
 */
#ifndef CIRULLA_SUMS_H
#define CIRULLA_SUMS_H

#include "portable.h"

/* Sums that are taken side by side: enough to keep the processor's adders busy. */
#define SUMS 16

#if defined(CIRULLA_GNU)
/* Four doubles; the target's own vectors or the compiler's stand-in for them. */
#define QUAD 4
typedef double quad __attribute__((vector_size(8 * QUAD), aligned(8), may_alias));
#else
#define QUAD 1
typedef double quad;
#endif

/* To each of SUMS numbers in a row add, term by term, a weight times the number of the table
 * that is ``offset`` from ``table`` on, plus the number's own place. */
static inline void add_weighted(
    double *sums, const double *table, const int *offset, const double *weight, int terms
) {
    quad s[SUMS / QUAD];
    for (int k = 0; k < SUMS / QUAD; k++)
        s[k] = *(const quad *)(sums + QUAD * k);
    for (int i = 0; i < terms; i++) {
        const double *from = table + offset[i], w = weight[i];
        for (int k = 0; k < SUMS / QUAD; k++)
            s[k] += w * *(const quad *)(from + QUAD * k);
    }
    for (int k = 0; k < SUMS / QUAD; k++)
        *(quad *)(sums + QUAD * k) = s[k];
}

#endif
