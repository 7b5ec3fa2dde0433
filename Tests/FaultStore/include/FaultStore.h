#ifndef FAULT_STORE_H
#define FAULT_STORE_H

#include <stddef.h>

/// The calls of SQLite that can be struck. They are bits: several may be armed at once.
enum {
  FAULT_OPEN = 1 << 0,
  FAULT_READ = 1 << 1,
  FAULT_WRITE = 1 << 2,
  FAULT_TRUNCATE = 1 << 3,
  FAULT_SYNC = 1 << 4,
  FAULT_DELETE = 1 << 5,
  /// Taking a lock, or asking whether another connection has one. Unlocking is never struck.
  FAULT_LOCK = 1 << 6,
  FAULT_SHM_MAP = 1 << 7,
  /// Taking a lock. Unlocking is never struck: SQLite ignores its result.
  FAULT_SHM_LOCK = 1 << 8,
  FAULT_ACCESS = 1 << 9,
  FAULT_SIZE = 1 << 10,
  /// A request for memory, of any connection of the process: memory belongs to no folder.
  FAULT_MEMORY = 1 << 11,
};

/// What happens at the call that is struck.
typedef enum {
  /// It fails with the code that was given; for memory, there is none.
  FAULT_FAIL_ONCE,
  /// It and all later ones fail.
  FAULT_FAIL_FOR_GOOD,
  /// A write writes the first half of its bytes, and fails. Only for FAULT_WRITE.
  FAULT_WRITE_HALF,
  /// A read returns fewer bytes, as at the end of a file. Only for FAULT_READ.
  FAULT_READ_SHORT,
  /// A read returns other bytes: some bits are flipped. Only for FAULT_READ.
  FAULT_READ_FLIP,
  /// The process is killed with SIGKILL before the call.
  FAULT_KILL,
  /// A write writes the first half of its bytes, and the process is killed.
  FAULT_KILL_HALF,
  /// The callback is called, and then the call goes on as usual.
  FAULT_CALL_BACK,
} fault_action;

/// Registers the file system as SQLite's default, and its memory. To be called once, before anything opens a database.
///
/// @return SQLite's result code.
int fault_store_install(void);

/// Only files below this folder are struck, counted and recorded. NULL: none. It has to be a real path, without symbolic links.
/// Temporary files without a name are never among them.
void fault_store_watch(const char *folder);

/// Strikes the n-th call of these kinds from now on, counted from 0. A negative n counts and strikes none.
///
/// @param code the extended result code of a call that fails, such as SQLITE_IOERR_WRITE; 0: the one that fits the kind
/// @param callback for FAULT_CALL_BACK; it may be NULL otherwise
void fault_store_arm(unsigned kinds, long n, fault_action action, int code, void (*callback)(void *), void *context);

/// Strikes nothing more.
///
/// @return how many calls of the armed kinds there were since arming.
long fault_store_disarm(void);

/// Whether a call was struck since arming.
int fault_store_has_struck(void);

/// One call that changed the disk, or a mark.
typedef struct {
  enum { EVENT_CREATE, EVENT_WRITE, EVENT_TRUNCATE, EVENT_SYNC, EVENT_DELETE, EVENT_MARK } kind;
  /// The file's path; of a mark, its text.
  const char *path;
  /// Of a write: where it starts. Of a truncation: the new size. Of a deletion: 1 if the folder was synced.
  long long offset;
  /// Of a write.
  const unsigned char *bytes;
  long long size;
} fault_event;

/// Forgets what was recorded, and records from now on, or no longer. So what was recorded is read before recording ends. Files named
/// `-shm` are left out: they are memory.
void fault_store_record(int is_on);
size_t fault_store_event_count(void);
/// Valid until the next call of `fault_store_record`.
fault_event fault_store_event(size_t index);
/// Adds a mark to the record.
void fault_store_mark(const char *text);

#endif
