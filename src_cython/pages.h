/* Memory straight from the system: zero, in memory only where it was touched, and given back
   for good.  What malloc has freed it may keep, one heap a thread. */
#ifndef CIRULLA_PAGES_H
#define CIRULLA_PAGES_H

#include <stddef.h>

#include "portable.h"

#if defined(__SANITIZE_ADDRESS__)
#define PAGES_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PAGES_WATCHED
#endif
#endif

/* pages_take: NULL where the system does not give so much.
   pages_give: what pages_take gave, or NULL. */
#if defined(PAGES_WATCHED)
/* The sanitizer watches the borders of these. */
#include <stdlib.h>

static inline void *pages_take(size_t bytes) { return calloc(bytes, 1); }
static inline void pages_give(void *pages, size_t bytes) { (void)bytes; free(pages); }
#elif defined(_WIN32)
#include <windows.h>

static inline void *pages_take(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static inline void pages_give(void *pages, size_t bytes) {
    (void)bytes;
    if (pages)
        VirtualFree(pages, 0, MEM_RELEASE);
}
#else
#include <sys/mman.h>

static inline void *pages_take(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static inline void pages_give(void *pages, size_t bytes) {
    if (pages)
        munmap(pages, bytes);
}
#endif

#endif
