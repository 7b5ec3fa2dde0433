#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How often the process has allocated memory, SQLite and Foundation included; -1 where that is not counted.
long allocation_count(void);

/// How many bytes the process holds now.
long allocation_bytes(void);

/// How many bytes the process has held at most since this was last asked.
long allocation_peak(void);

/// Lets SQLite ask for memory through functions that may refuse it. To be called before anything opens a database.
///
/// @return SQLite's result code.
int sqlite_memory_install(void);

/// How often SQLite has asked for memory.
long sqlite_memory_requests(void);

/// Refuses memory to SQLite after so many requests: once, or from there on. Never where the number is negative.
void sqlite_memory_refuse(long after, int lasting);

#endif
