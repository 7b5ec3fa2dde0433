#ifndef FAULT_STORE_H
#define FAULT_STORE_H

#include <stddef.h>

/// The kinds of SQLite calls for which a fault can be armed. They are bits, so several kinds can be combined.
enum {
  FAULT_OPEN = 1 << 0,
  FAULT_READ = 1 << 1,
  FAULT_WRITE = 1 << 2,
  FAULT_TRUNCATE = 1 << 3,
  FAULT_SYNC = 1 << 4,
  FAULT_DELETE = 1 << 5,
  /// Taking a lock, or asking whether another connection has one. Unlocking never fails.
  FAULT_LOCK = 1 << 6,
  FAULT_SHM_MAP = 1 << 7,
  /// Taking a lock. Unlocking never fails, because SQLite ignores its result.
  FAULT_SHM_LOCK = 1 << 8,
  FAULT_ACCESS = 1 << 9,
  FAULT_SIZE = 1 << 10,
  /// A memory allocation by any connection of the process, since memory does not belong to a folder.
  FAULT_MEMORY = 1 << 11,
};

/// The fault that occurs at the armed call.
typedef enum {
  /// The call fails with the given code, or the allocation fails.
  FAULT_FAIL_ONCE,
  /// The call and all later ones fail.
  FAULT_FAIL_FOR_GOOD,
  /// A write writes the first half of its bytes, and fails. Only for FAULT_WRITE.
  FAULT_WRITE_HALF,
  /// A read returns fewer bytes, as at the end of a file. Only for FAULT_READ.
  FAULT_READ_SHORT,
  /// A read returns wrong bytes: some bits are flipped. Only for FAULT_READ.
  FAULT_READ_FLIP,
  /// The process is killed with SIGKILL before the call.
  FAULT_KILL,
  /// A write writes the first half of its bytes, and the process is killed.
  FAULT_KILL_HALF,
  /// The callback runs before the call, which then proceeds normally.
  FAULT_CALL_BACK,
} fault_action;

/// Registers the file system and the memory allocator as SQLite's defaults. Must be called once, before a database is opened.
///
/// @return SQLite's result code.
int fault_store_install(void);

/// Restricts faults, counts and recording to files in this folder; NULL for no files. It must be a real path without symbolic
/// links. Temporary files without a name are never included.
void fault_store_watch(const char *folder);

/// Arms a fault for the n-th call of these kinds, counted from 0. With a negative n, calls are counted without a fault.
///
/// @param code the extended result code of a call that fails, such as SQLITE_IOERR_WRITE; 0 for the usual code of the kind
/// @param callback for FAULT_CALL_BACK; it may be NULL otherwise
void fault_store_arm(unsigned kinds, long n, fault_action action, int code, void (*callback)(void *), void *context);

/// Disarms the fault.
///
/// @return the number of calls of the armed kinds since arming.
long fault_store_disarm(void);

/// Whether the fault has occurred since arming.
int fault_store_has_struck(void);

/// A call that changed the disk, or a mark.
typedef struct {
  enum { EVENT_CREATE, EVENT_WRITE, EVENT_TRUNCATE, EVENT_SYNC, EVENT_DELETE, EVENT_MARK } kind;
  /// The path of the file; for a mark, its text.
  const char *path;
  /// For a write, its offset; for a truncation, the new size; for a deletion, 1 if the folder was synced.
  long long offset;
  /// The bytes of a write.
  const unsigned char *bytes;
  long long size;
} fault_event;

/// Clears the record, and starts or stops recording. The record must therefore be read before recording is stopped. Files named
/// `-shm` are not recorded, because they are shared memory.
void fault_store_record(int is_on);
size_t fault_store_event_count(void);
/// An event of the record, valid until the next call of `fault_store_record`.
fault_event fault_store_event(size_t index);
/// Adds a mark to the record.
void fault_store_mark(const char *text);

/// Whether a connection's triggers are enabled.
int fault_store_triggers(void *connection);

#endif
