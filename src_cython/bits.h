/* Bit tricks on 64-bit card sets: one instruction where the target has it. */
#ifndef CIRULLA_BITS_H
#define CIRULLA_BITS_H

#include <stdint.h>

#include "portable.h"

/* Deposit and extract take 64 bits in 64-bit code alone.  MSVC has no macro that tells whether it
   may use them: there setup.py defines BITS_BMI2. */
#if defined(CIRULLA_GNU) && defined(__BMI2__) && defined(__x86_64__)
#define BITS_BMI2
#endif
#if defined(CIRULLA_PLAIN)
#undef BITS_BMI2
#endif
#if defined(BITS_BMI2)
#include <immintrin.h>
#endif

/* All forty cards; the ten diamonds; the aces; J, Q and K of diamonds. */
#define DECK ((uint64_t)0xFFFFFFFFFF)
#define DIAMONDS ((uint64_t)0x2222222222)
#define ACES ((uint64_t)0xF)
#define ROYAL ((uint64_t)0x2220000000)

static inline int bits_count(uint64_t x) {
#if defined(CIRULLA_GNU) && (defined(__POPCNT__) || !defined(__x86_64__))
    return __builtin_popcountll(x);
#elif defined(CIRULLA_MSVC) && defined(BITS_BMI2)
    return (int)__popcnt64(x);
#else
    /* In place: the compiler's own would be a call. */
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (int)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
#endif
}

/* Index of the lowest bit; x must not be 0. */
static inline int bits_low(uint64_t x) {
#if defined(CIRULLA_GNU)
    return __builtin_ctzll(x);
#elif defined(CIRULLA_MSVC) && (defined(_M_X64) || defined(_M_ARM64))
    unsigned long index;
    _BitScanForward64(&index, x);
    return (int)index;
#else
    return bits_count(~x & (x - 1));
#endif
}

/* The low bits of x, put where mask has its bits, lowest first. */
static inline uint64_t bits_deposit(uint64_t x, uint64_t mask) {
#if defined(BITS_BMI2)
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
#if defined(BITS_BMI2)
    return _pext_u64(x, mask);
#else
    uint64_t out = 0;
    for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
        if (x & mask & (~mask + 1))
            out |= bit;
    return out;
#endif
}

/* The kth lowest bit of x, k from 0, still as a bit; x must have more than k bits. */
static inline uint64_t bits_pick(uint64_t x, int k) {
#if defined(BITS_BMI2)
    return _pdep_u64((uint64_t)1 << k, x);
#else
    while (k-- > 0)
        x &= x - 1;
    return x & (~x + 1);
#endif
}

/* The index of that bit. */
static inline int bits_select(uint64_t x, int k) { return bits_low(bits_pick(x, k)); }

/* The high half of a product; *low gets the low half.  By halves of the factors, for targets
   without a type or an instruction for it. */
static inline uint64_t bits_multiply_halves(uint64_t a, uint64_t b, uint64_t *low) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t lows = a0 * b0, cross = a1 * b0 + (lows >> 32);
    uint64_t middle = a0 * b1 + (uint32_t)cross;
    *low = middle << 32 | (uint32_t)lows;
    return a1 * b1 + (cross >> 32) + (middle >> 32);
}

static inline uint64_t bits_multiply(uint64_t a, uint64_t b, uint64_t *low) {
#if defined(CIRULLA_GNU) && defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#elif defined(CIRULLA_MSVC) && defined(_M_X64)
    uint64_t high;
    *low = _umul128(a, b, &high);
    return high;
#elif defined(CIRULLA_MSVC) && defined(_M_ARM64)
    *low = a * b;
    return __umulh(a, b);
#else
    return bits_multiply_halves(a, b, low);
#endif
}

#endif
