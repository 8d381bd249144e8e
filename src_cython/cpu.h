/* What the core was built for, and what the processor at hand can do. */
#ifndef CIRULLA_CPU_H
#define CIRULLA_CPU_H

/* setup.py says it where it is not just what the compiler makes code for. */
#if !defined(CIRULLA_BUILT_FOR)
#if defined(__x86_64__) || defined(_M_X64)
#define CIRULLA_BUILT_FOR "x86-64"
#elif defined(__aarch64__) || defined(_M_ARM64)
#define CIRULLA_BUILT_FOR "aarch64"
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

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <cpuid.h>

/* All that a compiler may use for x86-64-v3; not every compiler knows each by its name. */
static inline int cpu_has_v3(void) {
    unsigned a, b, basic, extended, d;
    __builtin_cpu_init();
    if (!__get_cpuid(1, &a, &b, &basic, &d) || !__get_cpuid(0x80000001, &a, &b, &extended, &d))
        return 0;
    /* MOVBE and F16C; LZCNT. */
    return (basic >> 22 & basic >> 29 & extended >> 5 & 1) && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
#else
static inline int cpu_has_v3(void) { return 0; }
#endif

#endif
