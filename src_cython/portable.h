/* What the compiler offers beyond standard C.  All of it has a plain branch too, which gives the
 * same bits; with CIRULLA_PLAIN every compiler takes that one, to compare. */
#ifndef CIRULLA_PORTABLE_H
#define CIRULLA_PORTABLE_H

#if defined(CIRULLA_PLAIN)
/* Nothing. */
#elif defined(__GNUC__) || defined(__clang__)
/* Its built-in functions, attributes and vector types. */
#define CIRULLA_GNU
#elif defined(_MSC_VER)
/* Its intrinsic functions. */
#define CIRULLA_MSVC
#include <intrin.h>
#endif

#if defined(_MSC_VER) && !defined(__clang__)
/* Some versions else round products once with the sum that they go into, where they may. */
#pragma fp_contract(off)
#endif

#if defined(CIRULLA_GNU)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#elif defined(CIRULLA_MSVC)
#define ALWAYS_INLINE static __forceinline
#else
#define ALWAYS_INLINE static inline
#endif

#if defined(_WIN32)
/* No more of windows.h than is asked for, and no macros min and max. */
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#endif

#endif
