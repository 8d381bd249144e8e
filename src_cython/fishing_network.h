/* One hidden layer of rectified units over inputs that are mostly 0 and else 1.
 *
 * A layer has ``vectors`` times eight units.  Sums are taken lane by lane and the lanes
 * added in one order, so that every build gets the same bits.
 */
#ifndef CIRULLA_NETWORK_H
#define CIRULLA_NETWORK_H

#include <stdint.h>

#define LANES 8
#define MOST_VECTORS 8

/* Eight floats; the target's own vectors or the compiler's stand-in for them. */
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lane_bits __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

typedef struct {
    lanes sum[MOST_VECTORS];
} Layer;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The usual sizes get loops of constant length, which the compiler unrolls. */
#define BY_SIZE(f, vectors, ...) \
    ((vectors) == 8 ? f(8, __VA_ARGS__) : (vectors) == 4 ? f(4, __VA_ARGS__) \
                                                         : f((vectors), __VA_ARGS__))

ALWAYS_INLINE void set_of_size(int vectors, Layer *layer, const float *row) {
    for (int i = 0; i < vectors; i++)
        layer->sum[i] = *(const lanes *)(row + LANES * i);
}

ALWAYS_INLINE void add_of_size(int vectors, Layer *layer, const float *row) {
    for (int i = 0; i < vectors; i++)
        layer->sum[i] += *(const lanes *)(row + LANES * i);
}

ALWAYS_INLINE void add_set_of_size(int vectors, Layer *layer, const float *rows, uint64_t bits) {
    for (; bits; bits &= bits - 1)
        add_of_size(vectors, layer, rows + LANES * vectors * __builtin_ctzll(bits));
}

ALWAYS_INLINE float out_of_size(int vectors, const Layer *layer, const float *weights) {
    lanes total = {0};
    for (int i = 0; i < vectors; i++) {
        lane_bits kept = (lane_bits)layer->sum[i] & (layer->sum[i] > 0);
        total += (lanes)kept * *(const lanes *)(weights + LANES * i);
    }
    return ((total[0] + total[4]) + (total[2] + total[6])) +
           ((total[1] + total[5]) + (total[3] + total[7]));
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
