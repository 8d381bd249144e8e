/* The clock that searches look at. */
#ifndef CIRULLA_CLOCK_H
#define CIRULLA_CLOCK_H

#include <stdint.h>

#include "portable.h"

/* Monotonic time in nanoseconds. */
#if defined(_WIN32)
#include <windows.h>

static inline int64_t clock_ns(void) {
    LARGE_INTEGER frequency, ticks;
    /* Neither fails on any Windows that Python runs on. */
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&ticks);
    /* Seconds first: all ticks times a milliard is too much. */
    return ticks.QuadPart / frequency.QuadPart * 1000000000 +
           ticks.QuadPart % frequency.QuadPart * 1000000000 / frequency.QuadPart;
}
#else
#include <time.h>

static inline int64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
#endif

#endif
