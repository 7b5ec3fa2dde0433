#include "FaultStore.h"
#include "Strike.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_recording;
static fault_event *events;
static size_t count;
static size_t capacity;

static void *copy(const void *bytes, size_t size) {
  void *result = malloc(size ? size : 1);
  if (!result) abort();
  if (size) memcpy(result, bytes, size);
  return result;
}

/// Copies an event to the end of the record. Must be called with the lock held.
static void append(fault_event event) {
  if (count == capacity) {
    capacity = capacity ? 2 * capacity : 256;
    events = realloc(events, capacity * sizeof *events);
    if (!events) abort();
  }
  event.path = copy(event.path, strlen(event.path) + 1);
  if (event.kind == EVENT_WRITE) event.bytes = copy(event.bytes, (size_t)event.size);
  events[count++] = event;
}

int record_begin(const char *path) {
  if (!atomic_load(&is_recording) || !is_watched(path)) return 0;
  size_t length = strlen(path);
  if (length >= 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
  pthread_mutex_lock(&lock);
  return 1;
}

void record_end(int is_recorded, const fault_event *event) {
  if (!is_recorded) return;
  if (event && atomic_load(&is_recording)) append(*event);
  pthread_mutex_unlock(&lock);
}

void fault_store_record(int is_on) {
  pthread_mutex_lock(&lock);
  for (size_t index = 0; index < count; index++) {
    free((void *)events[index].path);
    if (events[index].kind == EVENT_WRITE) free((void *)events[index].bytes);
  }
  count = 0;
  atomic_store(&is_recording, is_on);
  pthread_mutex_unlock(&lock);
}

size_t fault_store_event_count(void) {
  pthread_mutex_lock(&lock);
  size_t result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

fault_event fault_store_event(size_t index) {
  pthread_mutex_lock(&lock);
  if (index >= count) abort();
  fault_event result = events[index];
  pthread_mutex_unlock(&lock);
  return result;
}

void fault_store_mark(const char *text) {
  pthread_mutex_lock(&lock);
  if (atomic_load(&is_recording)) append((fault_event){.kind = EVENT_MARK, .path = text});
  pthread_mutex_unlock(&lock);
}
