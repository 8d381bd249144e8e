/* One hidden layer of 32 rectified units over inputs that are mostly 0 and else 1.
 *
 * Sums are taken lane by lane and the lanes added in one order, so that every build gets
 * the same bits.
 */
#ifndef CIRULLA_NETWORK_H
#define CIRULLA_NETWORK_H

#include <stdint.h>

#define HIDDEN 32
#define LANES 8
#define VECTORS (HIDDEN / LANES)

/* Eight floats; the target's own vectors or the compiler's stand-in for them. */
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lane_bits __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

typedef struct {
    lanes sum[VECTORS];
} Layer;

static inline void layer_set(Layer *layer, const float *row) {
    for (int i = 0; i < VECTORS; i++)
        layer->sum[i] = *(const lanes *)(row + LANES * i);
}

static inline void layer_add(Layer *layer, const float *row) {
    for (int i = 0; i < VECTORS; i++)
        layer->sum[i] += *(const lanes *)(row + LANES * i);
}

/* Add the rows of a set of bits: the weights of bit i begin at rows + HIDDEN * i. */
static inline void layer_add_set(Layer *layer, const float *rows, uint64_t bits) {
    for (; bits; bits &= bits - 1)
        layer_add(layer, rows + HIDDEN * __builtin_ctzll(bits));
}

/* The weighted sum of the rectified units. */
static inline float layer_out(const Layer *layer, const float *weights) {
    lanes total = {0};
    for (int i = 0; i < VECTORS; i++) {
        lane_bits kept = (lane_bits)layer->sum[i] & (layer->sum[i] > 0);
        total += (lanes)kept * *(const lanes *)(weights + LANES * i);
    }
    return ((total[0] + total[4]) + (total[2] + total[6])) +
           ((total[1] + total[5]) + (total[3] + total[7]));
}

#endif
