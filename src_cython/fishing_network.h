/* One hidden layer of rectified units over inputs that are mostly 0 and else 1.
 *
 * A layer has ``vectors`` times eight units.  Sums are taken lane by lane and the lanes
 * added in one order, so that every build gets the same bits.
 */
#ifndef CIRULLA_NETWORK_H
#define CIRULLA_NETWORK_H

#include <stdint.h>

#include "bits.h"

#define LANES 8
#define MOST_VECTORS 8

/* The usual sizes get loops of constant length, which the compiler unrolls. */
#define BY_SIZE(f, vectors, ...) \
    ((vectors) == 8 ? f(8, __VA_ARGS__) : (vectors) == 4 ? f(4, __VA_ARGS__) \
                                                         : f((vectors), __VA_ARGS__))

/* The order in which lanes are added. */
#define LANES_SUM(t) \
    ((((t)[0] + (t)[4]) + ((t)[2] + (t)[6])) + (((t)[1] + (t)[5]) + ((t)[3] + (t)[7])))

#if defined(CIRULLA_GNU)
/* Eight floats; the target's own vectors or the compiler's stand-in for them. */
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lane_bits __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

typedef struct {
    lanes sum[MOST_VECTORS];
} Layer;

ALWAYS_INLINE void set_of_size(int vectors, Layer *layer, const float *row) {
    for (int i = 0; i < vectors; i++)
        layer->sum[i] = *(const lanes *)(row + LANES * i);
}

ALWAYS_INLINE void add_of_size(int vectors, Layer *layer, const float *row) {
    for (int i = 0; i < vectors; i++)
        layer->sum[i] += *(const lanes *)(row + LANES * i);
}

ALWAYS_INLINE float out_of_size(int vectors, const Layer *layer, const float *weights) {
    lanes total = {0};
    for (int i = 0; i < vectors; i++) {
        lane_bits kept = (lane_bits)layer->sum[i] & (layer->sum[i] > 0);
        total += (lanes)kept * *(const lanes *)(weights + LANES * i);
    }
    return LANES_SUM(total);
}
#else
typedef struct {
    float sum[LANES * MOST_VECTORS];
} Layer;

ALWAYS_INLINE void set_of_size(int vectors, Layer *layer, const float *row) {
    for (int i = 0; i < LANES * vectors; i++)
        layer->sum[i] = row[i];
}

ALWAYS_INLINE void add_of_size(int vectors, Layer *layer, const float *row) {
    for (int i = 0; i < LANES * vectors; i++)
        layer->sum[i] += row[i];
}

ALWAYS_INLINE float out_of_size(int vectors, const Layer *layer, const float *weights) {
    float total[LANES] = {0};
    for (int i = 0; i < LANES * vectors; i++)
        total[i % LANES] += (layer->sum[i] > 0 ? layer->sum[i] : 0) * weights[i];
    return LANES_SUM(total);
}
#endif

ALWAYS_INLINE void add_set_of_size(int vectors, Layer *layer, const float *rows, uint64_t bits) {
    for (; bits; bits &= bits - 1)
        add_of_size(vectors, layer, rows + LANES * vectors * bits_low(bits));
}

static inline void layer_set(int vectors, Layer *layer, const float *row) {
    BY_SIZE(set_of_size, vectors, layer, row);
}

static inline void layer_add(int vectors, Layer *layer, const float *row) {
    BY_SIZE(add_of_size, vectors, layer, row);
}

/* Add the rows of a set of bits: the weights of bit i are the row i from ``rows`` on. */
static inline void layer_add_set(int vectors, Layer *layer, const float *rows, uint64_t bits) {
    BY_SIZE(add_set_of_size, vectors, layer, rows, bits);
}

/* The weighted sum of the rectified units. */
static inline float layer_out(int vectors, const Layer *layer, const float *weights) {
    return BY_SIZE(out_of_size, vectors, layer, weights);
}

#endif
