#include "SynclineBytes.h"

#include <stdbool.h>
#include <string.h>

_Thread_local int32_t syncline_noted_fault;

// Of SQLite, with which the library is linked. Its header may not be where this file is compiled.
extern int sqlite3_db_config(void *connection, int option, ...);

int syncline_setting(void *connection, int setting, int isOn) {
  int result = 0;
  sqlite3_db_config(connection, setting, isOn, &result);
  return result;
}

enum { blockSize = 64 };

typedef uint8_t Block __attribute__((ext_vector_type(blockSize)));
typedef bool Flags __attribute__((ext_vector_type(blockSize)));

/// The bits of the bytes that equal another, the first byte's the lowest.
static inline uint64_t equal(const Block *block, uint8_t byte) {
  return __builtin_bit_cast(uint64_t, __builtin_convertvector(*block == (Block)byte, Flags));
}

/// All bits from each set bit on are the other way round.
static inline uint64_t toggled(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

ptrdiff_t syncline_skip(const uint8_t *bytes, size_t offset, size_t end, size_t depth) {
  // All ones inside of a string.
  uint64_t carry = 0;
  while (offset < end && end - offset >= blockSize) {
    Block block;
    memcpy(&block, bytes + offset, blockSize);
    uint64_t escapes = equal(&block, '\\');
    // What stands behind a backslash is looked at with the next bytes, but for the one that it escapes.
    uint64_t kept = escapes ? (escapes & -escapes) - 1 : UINT64_MAX;
    size_t step = escapes ? (size_t)__builtin_ctzll(escapes) + 2 : blockSize;
    uint64_t quotes = equal(&block, '"') & kept;
    // Brackets and braces differ by one bit.
    Block folded = block | 0x20;
    uint64_t opening = equal(&folded, '{') & kept;
    uint64_t closing = equal(&folded, '}') & kept;
    if (opening | closing) {
      uint64_t outside = ~(toggled(quotes) ^ carry);
      uint64_t brackets = (opening | closing) & outside;
      for (; brackets; brackets &= brackets - 1) {
        if (opening & brackets & -brackets) {
          depth += 1;
        } else if (--depth == 0) {
          return (ptrdiff_t)offset + __builtin_ctzll(brackets) + 1;
        }
      }
    }
    if (__builtin_parityll(quotes)) carry = ~carry;
    offset += step;
  }
  bool isInside = carry != 0;
  while (offset < end) {
    uint8_t byte = bytes[offset++];
    if (isInside) {
      if (byte == '\\') offset += 1;
      if (byte == '"') isInside = false;
    } else if (byte == '"') {
      isInside = true;
    } else if ((byte | 0x20) == '{') {
      depth += 1;
    } else if ((byte | 0x20) == '}' && --depth == 0) {
      return (ptrdiff_t)offset;
    }
  }
  return -1;
}
