/* Bit tricks on 64-bit card sets: one instruction where the target has it. */
#ifndef CIRULLA_BITS_H
#define CIRULLA_BITS_H

#include <stdint.h>
#include <time.h>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

/* All forty cards; the ten diamonds; the aces; J, Q and K of diamonds. */
#define DECK ((uint64_t)0xFFFFFFFFFF)
#define DIAMONDS ((uint64_t)0x2222222222)
#define ACES ((uint64_t)0xF)
#define ROYAL ((uint64_t)0x2220000000)

static inline int bits_count(uint64_t x) {
#if defined(__POPCNT__) || !defined(__x86_64__)
    return __builtin_popcountll(x);
#else
    /* In place: the compiler's own would be a call. */
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (int)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
#endif
}

/* Index of the lowest bit; x must not be 0. */
static inline int bits_low(uint64_t x) { return __builtin_ctzll(x); }

/* The low bits of x, put where mask has its bits, lowest first. */
static inline uint64_t bits_deposit(uint64_t x, uint64_t mask) {
#if defined(__BMI2__)
    return _pdep_u64(x, mask);
#else
    uint64_t out = 0;
    for (; x; mask &= mask - 1, x >>= 1)
        out |= mask & (~mask + 1) & (~(x & 1) + 1);
    return out;
#endif
}

/* The bits of x that lie under mask, pushed together. */
static inline uint64_t bits_extract(uint64_t x, uint64_t mask) {
#if defined(__BMI2__)
    return _pext_u64(x, mask);
#else
    uint64_t out = 0;
    for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
        if (x & mask & (~mask + 1))
            out |= bit;
    return out;
#endif
}

/* Index of the kth lowest bit of x, k from 0; x must have more than k bits. */
static inline int bits_select(uint64_t x, int k) {
#if defined(__BMI2__)
    return __builtin_ctzll(_pdep_u64((uint64_t)1 << k, x));
#else
    while (k-- > 0)
        x &= x - 1;
    return __builtin_ctzll(x);
#endif
}

/* The high half of a product; *low gets the low half. */
static inline uint64_t bits_multiply(uint64_t a, uint64_t b, uint64_t *low) {
    unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

/* Monotonic time in nanoseconds. */
static inline int64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int cpu_has_v3(void) {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}

#endif
