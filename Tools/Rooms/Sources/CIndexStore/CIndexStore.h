// The part of libIndexStore's interface that is used here. The library comes with every Swift toolchain, its header
// only with some, so the functions are looked up by name.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *index_object;
typedef struct {
  const char *data;
  size_t length;
} index_string;

typedef index_object (*index_open)(const char *path, index_object *error);
typedef index_object (*index_open_named)(index_object store, const char *name, index_object *error);
typedef void (*index_dispose)(index_object);
typedef bool (*index_visit_name)(void *context, index_string name);
typedef bool (*index_visit)(void *context, index_object object);
typedef bool (*index_apply_names)(index_object, unsigned sorted, void *context, index_visit_name);
typedef bool (*index_apply)(index_object, void *context, index_visit);
typedef index_string (*index_text)(index_object);
typedef index_object (*index_part)(index_object);
typedef int (*index_number)(index_object);
typedef uint64_t (*index_roles)(index_object);
typedef void (*index_place)(index_object, unsigned *line, unsigned *column);
