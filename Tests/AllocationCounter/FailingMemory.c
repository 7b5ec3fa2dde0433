#include "AllocationCounter.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>

static sqlite3_mem_methods memory;
static atomic_long requests;
/// How many requests are granted before one is refused; negative where none is.
static atomic_long granted = -1;
static atomic_bool isLasting;

static int isRefused(void) {
  atomic_fetch_add(&requests, 1);
  if (atomic_load(&granted) < 0) return 0;
  if (atomic_fetch_sub(&granted, 1) > 0) return 0;
  // The next one is refused, too, or none is.
  atomic_store(&granted, atomic_load(&isLasting) ? 0 : -1);
  return 1;
}

static void *allocate(int size) { return isRefused() ? NULL : memory.xMalloc(size); }

static void *resize(void *block, int size) { return isRefused() ? NULL : memory.xRealloc(block, size); }

int sqlite_memory_install(void) {
  int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
  if (code != SQLITE_OK) return code;
  sqlite3_mem_methods failing = memory;
  failing.xMalloc = allocate;
  failing.xRealloc = resize;
  code = sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
  // With its own small blocks, SQLite would ask for few.
  return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) : code;
}

long sqlite_memory_requests(void) { return atomic_load(&requests); }

void sqlite_memory_refuse(long after, int lasting) {
  atomic_store(&isLasting, lasting != 0);
  atomic_store(&granted, after);
}
