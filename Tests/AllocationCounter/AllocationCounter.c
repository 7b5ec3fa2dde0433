#include "AllocationCounter.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__GLIBC__)

#include <malloc.h>
#include <stdatomic.h>

// What an executable defines takes the place of the C library's functions in all libraries of the process. The
// library keeps its own under these names, so nothing has to be looked up, which might allocate itself.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_long allocations;
static atomic_long bytes;
static atomic_long peak;

static void drop(void *block) {
  if (block) atomic_fetch_sub_explicit(&bytes, (long)malloc_usable_size(block), memory_order_relaxed);
}

static void *count(void *block) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  if (!block) return block;
  long size = (long)malloc_usable_size(block);
  long now = atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed) + size;
  long highest = atomic_load_explicit(&peak, memory_order_relaxed);
  while (now > highest && !atomic_compare_exchange_weak(&peak, &highest, now)) {
  }
  return block;
}

long allocation_count(void) { return atomic_load(&allocations); }

long allocation_bytes(void) { return atomic_load(&bytes); }

long allocation_peak(void) { return atomic_exchange(&peak, atomic_load(&bytes)); }

void *malloc(size_t size) { return count(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return count(__libc_calloc(number, size)); }

void *realloc(void *block, size_t size) {
  size_t before = block ? malloc_usable_size(block) : 0;
  void *result = __libc_realloc(block, size);
  if (result || size == 0) atomic_fetch_sub_explicit(&bytes, (long)before, memory_order_relaxed);
  return count(result);
}

void free(void *block) {
  drop(block);
  __libc_free(block);
}

void *aligned_alloc(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = count(__libc_memalign(alignment, size));
  return *result == NULL ? ENOMEM : 0;
}

#else

long allocation_count(void) { return -1; }

long allocation_bytes(void) { return -1; }

long allocation_peak(void) { return -1; }

#endif
