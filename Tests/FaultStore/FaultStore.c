#include "FaultStore.h"
#include "Strike.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// Also read without the lock, as a fast path for calls of other kinds.
static atomic_uint armed_kinds;
static char *watched_folder;

/// The armed fault. Guarded by the lock.
static struct {
  long target;
  long count;
  fault_action action;
  int code;
  void (*callback)(void *);
  void *context;
  int has_struck;
} armed = {.target = -1};

// MARK: Arming

void fault_store_watch(const char *folder) {
  char *copy = folder ? strdup(folder) : NULL;
  if (folder && !copy) abort();
  pthread_mutex_lock(&lock);
  free(watched_folder);
  watched_folder = copy;
  pthread_mutex_unlock(&lock);
}

void fault_store_arm(unsigned kinds, long n, fault_action action, int code, void (*callback)(void *), void *context) {
  pthread_mutex_lock(&lock);
  armed.target = n;
  armed.count = 0;
  armed.action = action;
  armed.code = code;
  armed.callback = callback;
  armed.context = context;
  armed.has_struck = 0;
  atomic_store(&armed_kinds, kinds);
  pthread_mutex_unlock(&lock);
}

long fault_store_disarm(void) {
  pthread_mutex_lock(&lock);
  atomic_store(&armed_kinds, 0);
  long count = armed.count;
  pthread_mutex_unlock(&lock);
  return count;
}

int fault_store_has_struck(void) {
  pthread_mutex_lock(&lock);
  int has_struck = armed.has_struck;
  pthread_mutex_unlock(&lock);
  return has_struck;
}

// MARK: Striking

/// Must be called with the lock held.
static int is_below_folder(const char *path) {
  if (!watched_folder || !path) return 0;
  size_t length = strlen(watched_folder);
  return strncmp(path, watched_folder, length) == 0 && path[length] == '/';
}

int is_watched(const char *path) {
  pthread_mutex_lock(&lock);
  int result = is_below_folder(path);
  pthread_mutex_unlock(&lock);
  return result;
}

void kill_process(void) {
  kill(getpid(), SIGKILL);
  // The signal may be delivered with a delay.
  for (;;) pause();
}

static int usual_code(unsigned kind) {
  switch (kind) {
    case FAULT_OPEN: return SQLITE_CANTOPEN;
    case FAULT_READ: return SQLITE_IOERR_READ;
    case FAULT_WRITE: return SQLITE_IOERR_WRITE;
    case FAULT_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
    case FAULT_SYNC: return SQLITE_IOERR_FSYNC;
    case FAULT_DELETE: return SQLITE_IOERR_DELETE;
    case FAULT_LOCK: return SQLITE_IOERR_LOCK;
    case FAULT_SHM_MAP: return SQLITE_IOERR_SHMMAP;
    case FAULT_SHM_LOCK: return SQLITE_IOERR_SHMLOCK;
    case FAULT_ACCESS: return SQLITE_IOERR_ACCESS;
    case FAULT_SIZE: return SQLITE_IOERR_FSTAT;
    default: return SQLITE_IOERR;
  }
}

strike strike_call(unsigned kind, const char *path) {
  strike result = {.effect = STRIKE_NONE};
  if (!(atomic_load(&armed_kinds) & kind)) return result;

  pthread_mutex_lock(&lock);
  int is_counted = (atomic_load(&armed_kinds) & kind) && (kind == FAULT_MEMORY || is_below_folder(path));
  if (!is_counted) {
    pthread_mutex_unlock(&lock);
    return result;
  }
  result.number = armed.count++;
  result.code = armed.code ? armed.code : usual_code(kind);
  int is_struck = armed.target >= 0 && (result.number == armed.target ||
                                        (armed.action == FAULT_FAIL_FOR_GOOD && result.number > armed.target));
  if (is_struck) armed.has_struck = 1;
  fault_action action = armed.action;
  void (*callback)(void *) = armed.callback;
  void *context = armed.context;
  // Called without the lock, because the callback may take long and may use SQLite.
  pthread_mutex_unlock(&lock);
  if (!is_struck) return result;

  switch (action) {
    case FAULT_FAIL_ONCE:
    case FAULT_FAIL_FOR_GOOD: result.effect = STRIKE_FAIL; break;
    case FAULT_WRITE_HALF: result.effect = kind == FAULT_WRITE ? STRIKE_WRITE_HALF : STRIKE_FAIL; break;
    case FAULT_READ_SHORT: result.effect = kind == FAULT_READ ? STRIKE_READ_SHORT : STRIKE_FAIL; break;
    case FAULT_READ_FLIP: result.effect = kind == FAULT_READ ? STRIKE_READ_FLIP : STRIKE_FAIL; break;
    case FAULT_KILL_HALF:
      if (kind != FAULT_WRITE) kill_process();
      result.effect = STRIKE_KILL_HALF;
      break;
    case FAULT_KILL: kill_process(); break;
    case FAULT_CALL_BACK:
      if (callback) callback(context);
      break;
  }
  return result;
}

// MARK: Memory

static sqlite3_mem_methods memory;

static void *allocate(int size) {
  return strike_call(FAULT_MEMORY, NULL).effect == STRIKE_NONE ? memory.xMalloc(size) : NULL;
}

static void *resize(void *block, int size) {
  return strike_call(FAULT_MEMORY, NULL).effect == STRIKE_NONE ? memory.xRealloc(block, size) : NULL;
}

int fault_store_install(void) {
  int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
  if (code != SQLITE_OK) return code;
  sqlite3_mem_methods failing = memory;
  failing.xMalloc = allocate;
  failing.xRealloc = resize;
  code = sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
  // With its lookaside memory, SQLite would rarely call the allocator.
  if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
  // This is the last step, because SQLite cannot be configured after a function of its file system was called.
  return code == SQLITE_OK ? register_file_system() : code;
}

int fault_store_triggers(void *connection) {
  int are_on = -1;
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, &are_on);
  return are_on;
}
