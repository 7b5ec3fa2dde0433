#include "FaultStore.h"
#include "Strike.h"

#include <sqlite3.h>
#include <string.h>

/// A file of the real file system, with methods that wrap its own.
typedef struct {
  sqlite3_file base;
  /// The real file, which is stored after this struct.
  sqlite3_file *real;
  /// The path, which SQLite keeps valid until the file is closed. NULL for a temporary file.
  const char *path;
} File;

static sqlite3_vfs *real_system;

static sqlite3_file *real(sqlite3_file *file) { return ((File *)file)->real; }

/// Whether a call fails, for calls that can only fail or succeed.
static int fails(unsigned kind, const char *path, int *code) {
  strike strike = strike_call(kind, path);
  *code = strike.code;
  return strike.effect != STRIKE_NONE;
}

// MARK: Reading and writing

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

/// Flips bits at three places, which differ from call to call.
static void flip(unsigned char *bytes, int size, long number) {
  for (int place = 0; place < 3; place++) {
    unsigned long hash = ((unsigned long)number * 3 + (unsigned long)place + 1) * 2654435761UL;
    bytes[hash % (unsigned long)size] ^= (unsigned char)(1u << (hash >> 8) % 8);
  }
}

static int read_file(sqlite3_file *file, void *buffer, int size, sqlite3_int64 offset) {
  strike strike = strike_call(FAULT_READ, ((File *)file)->path);
  if (strike.effect == STRIKE_FAIL) return strike.code;
  int is_short = strike.effect == STRIKE_READ_SHORT;
  int read = is_short ? size / 2 : size;
  int code = real(file)->pMethods->xRead(real(file), buffer, read, offset);
  if (is_short && code == SQLITE_OK) {
    // SQLite requires that the rest is zero.
    memset((char *)buffer + read, 0, (size_t)(size - read));
    return SQLITE_IOERR_SHORT_READ;
  }
  if (strike.effect == STRIKE_READ_FLIP && code == SQLITE_OK && size > 0) flip(buffer, size, strike.number);
  return code;
}

static int write_bytes(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  const char *path = ((File *)file)->path;
  int is_recorded = record_begin(path);
  int code = real(file)->pMethods->xWrite(real(file), bytes, size, offset);
  fault_event event = {.kind = EVENT_WRITE, .path = path, .offset = offset, .bytes = bytes, .size = size};
  record_end(is_recorded, code == SQLITE_OK ? &event : NULL);
  return code;
}

static int write_file(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  strike strike = strike_call(FAULT_WRITE, ((File *)file)->path);
  if (strike.effect == STRIKE_NONE) return write_bytes(file, bytes, size, offset);
  if (strike.effect == STRIKE_FAIL) return strike.code;
  int code = write_bytes(file, bytes, size / 2, offset);
  if (strike.effect == STRIKE_KILL_HALF) kill_process();
  return code == SQLITE_OK ? strike.code : code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  const char *path = ((File *)file)->path;
  int code;
  if (fails(FAULT_TRUNCATE, path, &code)) return code;
  int is_recorded = record_begin(path);
  code = real(file)->pMethods->xTruncate(real(file), size);
  fault_event event = {.kind = EVENT_TRUNCATE, .path = path, .offset = size};
  record_end(is_recorded, code == SQLITE_OK ? &event : NULL);
  return code;
}

static int sync_file(sqlite3_file *file, int flags) {
  const char *path = ((File *)file)->path;
  int code;
  if (fails(FAULT_SYNC, path, &code)) return code;
  int is_recorded = record_begin(path);
  code = real(file)->pMethods->xSync(real(file), flags);
  fault_event event = {.kind = EVENT_SYNC, .path = path};
  record_end(is_recorded, code == SQLITE_OK ? &event : NULL);
  return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code;
  if (fails(FAULT_SIZE, ((File *)file)->path, &code)) return code;
  return real(file)->pMethods->xFileSize(real(file), size);
}

// MARK: Locks

static int lock_file(sqlite3_file *file, int level) {
  int code;
  if (fails(FAULT_LOCK, ((File *)file)->path, &code)) return code;
  return real(file)->pMethods->xLock(real(file), level);
}

static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int check_reserved_lock(sqlite3_file *file, int *is_reserved) {
  int code;
  if (!fails(FAULT_LOCK, ((File *)file)->path, &code)) {
    return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
  }
  // The result parameter says whether another connection has the lock. An error code only means that this is unknown.
  if ((code & 0xff) != SQLITE_BUSY) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  *is_reserved = 1;
  return SQLITE_OK;
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int device_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

// MARK: Shared memory

static int map_shared(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  int code;
  if (fails(FAULT_SHM_MAP, ((File *)file)->path, &code)) {
    *memory = NULL;
    return code;
  }
  return real(file)->pMethods->xShmMap(real(file), region, size, extends, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  int code;
  // SQLite ignores the result of unlocking, and a lock that remains would block the process forever.
  if (!(flags & SQLITE_SHM_UNLOCK) && fails(FAULT_SHM_LOCK, ((File *)file)->path, &code)) return code;
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void order_shared(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int unmap_shared(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

/// Version 2 instead of 3, because memory-mapped pages would be read without calling these methods.
static const sqlite3_io_methods shared_methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = order_shared,
    .xShmUnmap = unmap_shared,
};

/// The methods for file systems without shared memory. SQLite detects this by the version.
static sqlite3_io_methods plain_methods;

// MARK: The file system

static int open_file(sqlite3_vfs *system, const char *path, sqlite3_file *opened, int flags, int *result_flags) {
  (void)system;
  File *file = (File *)opened;
  memset(file, 0, sizeof *file);
  file->real = (sqlite3_file *)(file + 1);
  file->path = path;
  int code;
  // The file has no methods yet, so SQLite does not close it.
  if (fails(FAULT_OPEN, path, &code)) return code;

  int is_recorded = (flags & SQLITE_OPEN_CREATE) && record_begin(path);
  int is_there = 0;
  if (is_recorded && real_system->xAccess(real_system, path, SQLITE_ACCESS_EXISTS, &is_there) != SQLITE_OK) is_there = 1;
  code = real_system->xOpen(real_system, path, file->real, flags, result_flags);
  fault_event event = {.kind = EVENT_CREATE, .path = path};
  record_end(is_recorded, code == SQLITE_OK && !is_there ? &event : NULL);
  // Even if opening failed, a real file with methods must be closed.
  const sqlite3_io_methods *methods = file->real->pMethods;
  if (methods) file->base.pMethods = methods->iVersion >= 2 && methods->xShmMap ? &shared_methods : &plain_methods;
  return code;
}

static int delete_file(sqlite3_vfs *system, const char *path, int syncs_folder) {
  (void)system;
  int code;
  if (fails(FAULT_DELETE, path, &code)) return code;
  int is_recorded = record_begin(path);
  code = real_system->xDelete(real_system, path, syncs_folder);
  fault_event event = {.kind = EVENT_DELETE, .path = path, .offset = syncs_folder ? 1 : 0};
  record_end(is_recorded, code == SQLITE_OK ? &event : NULL);
  return code;
}

static int access_file(sqlite3_vfs *system, const char *path, int flags, int *result) {
  (void)system;
  int code;
  if (fails(FAULT_ACCESS, path, &code)) return code;
  return real_system->xAccess(real_system, path, flags, result);
}

static int full_path(sqlite3_vfs *system, const char *name, int size, char *path) {
  (void)system;
  return real_system->xFullPathname(real_system, name, size, path);
}

static void *open_library(sqlite3_vfs *system, const char *path) {
  (void)system;
  return real_system->xDlOpen(real_system, path);
}

static void library_error(sqlite3_vfs *system, int size, char *message) {
  (void)system;
  real_system->xDlError(real_system, size, message);
}

static void (*library_symbol(sqlite3_vfs *system, void *library, const char *name))(void) {
  (void)system;
  return real_system->xDlSym(real_system, library, name);
}

static void close_library(sqlite3_vfs *system, void *library) {
  (void)system;
  real_system->xDlClose(real_system, library);
}

static int randomness(sqlite3_vfs *system, int size, char *bytes) {
  (void)system;
  return real_system->xRandomness(real_system, size, bytes);
}

static int sleep_for(sqlite3_vfs *system, int microseconds) {
  (void)system;
  return real_system->xSleep(real_system, microseconds);
}

static int current_time(sqlite3_vfs *system, double *days) {
  (void)system;
  return real_system->xCurrentTime(real_system, days);
}

static int last_error(sqlite3_vfs *system, int size, char *message) {
  (void)system;
  return real_system->xGetLastError(real_system, size, message);
}

static int current_milliseconds(sqlite3_vfs *system, sqlite3_int64 *time) {
  (void)system;
  return real_system->xCurrentTimeInt64(real_system, time);
}

static sqlite3_vfs fault_system = {
    .zName = "fault-store",
    .xOpen = open_file,
    .xDelete = delete_file,
    .xAccess = access_file,
    .xFullPathname = full_path,
    .xDlOpen = open_library,
    .xDlError = library_error,
    .xDlSym = library_symbol,
    .xDlClose = close_library,
    .xRandomness = randomness,
    .xSleep = sleep_for,
    .xCurrentTime = current_time,
    .xGetLastError = last_error,
    .xCurrentTimeInt64 = current_milliseconds,
};

int register_file_system(void) {
  real_system = sqlite3_vfs_find(NULL);
  if (!real_system) return SQLITE_ERROR;
  plain_methods = shared_methods;
  plain_methods.iVersion = 1;
  fault_system.iVersion = real_system->iVersion >= 2 ? 2 : 1;
  fault_system.szOsFile = (int)sizeof(File) + real_system->szOsFile;
  fault_system.mxPathname = real_system->mxPathname;
  return sqlite3_vfs_register(&fault_system, 1);
}
