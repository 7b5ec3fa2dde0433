#include "AllocationCounter.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__GLIBC__)

#include <stdatomic.h>

// What an executable defines takes the place of the C library's functions in all libraries of the process. The
// library keeps its own under these names, so nothing has to be looked up, which might allocate itself.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long allocations;

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

long allocation_count(void) { return atomic_load(&allocations); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count();
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count();
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}

#else

long allocation_count(void) { return -1; }

#endif
