#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How often the process has allocated memory, SQLite and Foundation included; -1 where that is not counted.
long allocation_count(void);

#endif
