#ifndef STRIKE_H
#define STRIKE_H

#include "FaultStore.h"

/// The effect of the armed fault on a call, as returned by `strike_call`.
typedef struct {
  enum {
    STRIKE_NONE,
    STRIKE_FAIL,
    STRIKE_WRITE_HALF,
    STRIKE_KILL_HALF,
    STRIKE_READ_SHORT,
    STRIKE_READ_FLIP,
  } effect;
  /// The result code of a call that fails.
  int code;
  /// The number of the call, counted from 0.
  long number;
} strike;

/// Counts a call of an armed kind, and returns the fault's effect on it. Kills the process or runs the callback if that is armed.
///
/// @param path the file of the call; NULL for a file without a name, which is never struck. Ignored for FAULT_MEMORY.
strike strike_call(unsigned kind, const char *path);

/// Whether a file is in the watched folder.
int is_watched(const char *path);

/// Kills this process.
void kill_process(void);

/// Registers the file system. Its methods ask `strike_call`, and record.
///
/// @return SQLite's result code.
int register_file_system(void);

/// Begins a call that changes a file. While calls are recorded, only one of them runs at a time, so the order of the record is the
/// order on the disk. `record_end` ends it.
///
/// @return whether it is recorded.
int record_begin(const char *path);
/// Ends the call that `record_begin` started.
///
/// @param event what the call did; NULL if it failed
void record_end(int is_recorded, const fault_event *event);

#endif
