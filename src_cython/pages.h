/* Memory straight from the system: zero, in memory only where it was touched, and given back
   for good.  What malloc has freed it may keep, one heap a thread. */
#ifndef CIRULLA_PAGES_H
#define CIRULLA_PAGES_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
/* The sanitizer watches the borders of these. */
#include <stdlib.h>

static inline void *pages_take(size_t bytes) { return calloc(bytes, 1); }
static inline void pages_give(void *pages, size_t bytes) { (void)bytes; free(pages); }
#else
#include <sys/mman.h>

/* NULL where the system does not give so much. */
static inline void *pages_take(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* What pages_take gave, or NULL. */
static inline void pages_give(void *pages, size_t bytes) {
    if (pages)
        munmap(pages, bytes);
}
#endif

#endif
