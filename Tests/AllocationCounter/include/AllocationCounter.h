#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How often the process has allocated memory, SQLite and Foundation included; -1 where that is not counted.
long allocation_count(void);

/// How many bytes the process holds now.
long allocation_bytes(void);

/// How many bytes the process has held at most since this was last asked.
long allocation_peak(void);

#endif
