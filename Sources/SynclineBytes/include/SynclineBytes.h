#ifndef SYNCLINE_BYTES_H
#define SYNCLINE_BYTES_H

#include <stddef.h>
#include <stdint.h>

// What Swift has no words for: asking for memory ahead, many bytes compared at once as the bits of a number, and a
// number of each thread that takes one instruction to read.

/// Asks the processor to fetch the cache lines of some bytes, without waiting for them.
static inline void syncline_prefetch(const void *_Nonnull bytes, size_t count) {
  const char *line = (const char *)bytes;
  const char *end = line + count;
  for (; line < end; line += 64) __builtin_prefetch(line);
}

/// Passes over JSON text that is validated when it is read, from within a container to behind its end.
///
/// Of text that is no JSON it says something that is not beyond the end; no byte there is looked at.
///
/// @param depth How many containers end.
/// @return The offset behind the last of them; -1 where they do not end.
ptrdiff_t syncline_skip(const uint8_t *_Nonnull bytes, size_t offset, size_t end, size_t depth);

/// See `SQLFault`.
extern _Thread_local int32_t syncline_noted_fault;

static inline int32_t syncline_fault(void) { return syncline_noted_fault; }
static inline void syncline_set_fault(int32_t code) { syncline_noted_fault = code; }

/// Sets a setting of an SQLite connection: on if `isOn` is 1, off if it is 0, and unchanged if it is negative.
///
/// Swift cannot call `sqlite3_db_config`, since the number of its arguments varies.
///
/// @return 1 if it is on now, else 0.
int syncline_setting(void *_Nonnull connection, int setting, int isOn);

#endif
