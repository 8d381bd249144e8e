/* What the core was built for, and what the processor at hand can do. */
#ifndef CIRULLA_CPU_H
#define CIRULLA_CPU_H

/* setup.py says it where it is not just what the compiler makes code for. */
#if !defined(CIRULLA_BUILT_FOR)
#if defined(__aarch64__) || defined(_M_ARM64) || defined(_M_ARM64EC)
#define CIRULLA_BUILT_FOR "aarch64"
#elif defined(__x86_64__) || defined(_M_X64)
#define CIRULLA_BUILT_FOR "x86-64"
#elif defined(__i386__) || defined(_M_IX86)
#define CIRULLA_BUILT_FOR "x86"
#else
#define CIRULLA_BUILT_FOR "generic"
#endif
#endif

/* Whether a second build, for x86-64-v3, was made beside this one. */
#if !defined(CIRULLA_V3)
#define CIRULLA_V3 0
#endif

/* A register of what the instruction CPUID tells, 0 where it does not tell so much: 0 to 3 for
   EAX, EBX, ECX and EDX; and which registers of the vector units the system keeps. */
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define CPU_IS_X86_64
#include <cpuid.h>

static inline unsigned cpu_told(unsigned leaf, int which) {
    unsigned told[4];
    if (!__get_cpuid_count(leaf, 0, told, told + 1, told + 2, told + 3))
        return 0;
    return told[which];
}

static inline unsigned cpu_kept(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}
#elif defined(_M_X64) && !defined(_M_ARM64EC)
#define CPU_IS_X86_64
#include <immintrin.h>
#include <intrin.h>

static inline unsigned cpu_told(unsigned leaf, int which) {
    int told[4];
    __cpuid(told, (int)(leaf & 0x80000000u));
    if ((unsigned)told[0] < leaf)
        return 0;
    __cpuidex(told, (int)leaf, 0);
    return (unsigned)told[which];
}

static inline unsigned cpu_kept(void) { return (unsigned)_xgetbv(0); }
#endif

/* All that a compiler may use for x86-64-v3 beyond x86-64-v2, and POPCNT. */
static inline int cpu_has_v3(void) {
#if defined(CPU_IS_X86_64)
    /* FMA, MOVBE, POPCNT, OSXSAVE (the system says what it keeps), AVX, F16C. */
    const unsigned basic = 1u << 12 | 1u << 22 | 1u << 23 | 1u << 27 | 1u << 28 | 1u << 29;
    /* BMI1, AVX2, BMI2. */
    const unsigned more = 1u << 3 | 1u << 5 | 1u << 8;
    const unsigned lzcnt = 1u << 5;
    /* The registers of SSE and AVX. */
    const unsigned kept = 1u << 1 | 1u << 2;
    return (cpu_told(1, 2) & basic) == basic && (cpu_told(7, 1) & more) == more &&
           (cpu_told(0x80000001u, 2) & lzcnt) == lzcnt && (cpu_kept() & kept) == kept;
#else
    return 0;
#endif
}

#endif
