/*===- ompt_beside.c - running another OMPT tool beside ours ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the library keeps one word per parallel region, and copies it. Our
 * word is the address of a box that has a word for either tool; wherever the
 * library would show a region's word to the other tool, we show the box's. The
 * words of tasks belong to the other tool, and ours are in a table. The other
 * tool sees everything else of the library unchanged.
 * Not here: a tool that was loaded before ours, which then runs alone (ompt.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#if EK_HAVE_OMPT
#include "hooks/ompt_beside.h"
#include "core/stats.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef ompt_start_tool_result_t *start_tool(unsigned, const char *);

static ompt_start_tool_result_t *found;
static bool beside; /* the other tool has started */

enum { EVENTS = 64 };
static ompt_callback_t theirs[EVENTS];
static ompt_set_callback_t library_set;
static ompt_get_callback_t library_get;
static ompt_function_lookup_t library_lookup;
static ompt_get_parallel_info_t library_parallel_info;
static ompt_get_task_info_t library_task_info;

/* --- finding it --------------------------------------------------------------
 */

/* Searches as the library itself would. */
static ompt_start_tool_result_t *from_list(unsigned version,
                                           const char *library) {
  const char *list = getenv("OMP_TOOL_LIBRARIES");
  char *copy = list ? strdup(list) : NULL, *rest = copy, *name;
  ompt_start_tool_result_t *result = NULL;
  while (!result && (name = strsep(&rest, ":"))) {
    void *handle = name[0] ? dlopen(name, RTLD_LAZY) : NULL;
    start_tool *start =
        handle ? (start_tool *)(uintptr_t)dlsym(handle, "ompt_start_tool")
               : NULL;
    result = start ? start(version, library) : NULL;
    if (handle && !result)
      dlclose(handle);
  }
  free(copy);
  return result;
}

void ek_beside_find(unsigned version, const char *library) {
  start_tool *next =
      (start_tool *)(uintptr_t)dlsym(RTLD_NEXT, "ompt_start_tool");
  found = next ? next(version, library) : NULL;
  if (!found)
    found = from_list(version, library);
}

/* --- words of regions --------------------------------------------------------
 * A box is reused for later regions and never freed: code that still has the
 * address of an old one may read it.
 */

typedef struct box {
  ompt_data_t theirs;
  uint64_t ours;
  struct box *next;
} box;

static box *unused;
static pthread_mutex_t unused_lock = PTHREAD_MUTEX_INITIALIZER;

static box *box_of(ompt_data_t *parallel) {
  box *b = __atomic_load_n(&parallel->ptr, __ATOMIC_ACQUIRE);
  if (b)
    return b;
  pthread_mutex_lock(&unused_lock);
  if ((b = unused))
    unused = b->next;
  pthread_mutex_unlock(&unused_lock);
  if (b)
    memset(b, 0, sizeof *b);
  else if (!(b = calloc(1, sizeof *b)))
    return NULL;
  void *none = NULL;
  if (__atomic_compare_exchange_n(&parallel->ptr, &none, (void *)b, false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return b;
  pthread_mutex_lock(&unused_lock);
  b->next = unused;
  unused = b;
  pthread_mutex_unlock(&unused_lock);
  return none;
}

ompt_data_t *ek_beside_parallel(ompt_data_t *parallel) {
  if (!parallel || !beside)
    return parallel;
  box *b = box_of(parallel);
  return b ? &b->theirs : NULL;
}

void ek_beside_parallel_ended(ompt_data_t *parallel) {
  box *b = beside && parallel ? parallel->ptr : NULL;
  if (!b)
    return;
  parallel->ptr = NULL;
  pthread_mutex_lock(&unused_lock);
  b->next = unused;
  unused = b;
  pthread_mutex_unlock(&unused_lock);
}

uint64_t ek_beside_region(ompt_data_t *parallel) {
  if (!beside)
    return parallel->value;
  box *b = parallel->ptr;
  return b ? b->ours : 0;
}

void ek_beside_set_region(ompt_data_t *parallel, uint64_t word) {
  box *b = beside ? box_of(parallel) : NULL;
  if (b)
    b->ours = word;
  else if (!beside)
    parallel->value = word;
}

/* --- words of tasks ----------------------------------------------------------
 */

enum { STRIPES = 64, BUCKETS = 256 };
typedef struct word {
  const ompt_data_t *task;
  uint64_t word;
  struct word *next;
} word;
static struct stripe {
  pthread_mutex_t lock;
  word *buckets[BUCKETS], *unused;
} stripes[STRIPES];

/* Returns the stripe locked. */
static struct stripe *stripe_of(const ompt_data_t *task, word ***bucket) {
  uint64_t hash = (uint64_t)(uintptr_t)task * 0x9e3779b97f4a7c15ULL;
  struct stripe *s = &stripes[hash >> 58];
  *bucket = &s->buckets[(hash >> 50) % BUCKETS];
  pthread_mutex_lock(&s->lock);
  return s;
}

uint64_t ek_beside_task(const ompt_data_t *task) {
  if (!beside)
    return task->value;
  word **at;
  struct stripe *s = stripe_of(task, &at);
  word *w = *at;
  while (w && w->task != task)
    w = w->next;
  uint64_t result = w ? w->word : 0;
  pthread_mutex_unlock(&s->lock);
  return result;
}

void ek_beside_set_task(ompt_data_t *task, uint64_t value) {
  if (!beside) {
    task->value = value;
    return;
  }
  word **at;
  struct stripe *s = stripe_of(task, &at), *const of = s;
  word **bucket = at;
  while (*at && (*at)->task != task)
    at = &(*at)->next;
  word *w = *at;
  if (w && !value) {
    *at = w->next;
    w->next = of->unused;
    of->unused = w;
  } else if (w) {
    w->word = value;
  } else if (value) {
    if ((w = of->unused))
      of->unused = w->next;
    else
      w = malloc(sizeof *w);
    if (w) {
      *w = (word){task, value, *bucket};
      *bucket = w;
    }
  }
  pthread_mutex_unlock(&s->lock);
}

/* --- what the other tool sees ------------------------------------------------
 */

ompt_callback_t ek_beside_callback(ompt_callbacks_t event) {
  return beside ? __atomic_load_n(&theirs[event], __ATOMIC_ACQUIRE) : NULL;
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t endpoint,
                 ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                 const void *code) {
  EK_BESIDE(ompt_callback_work, ompt_callback_work_t, kind, endpoint,
            ek_beside_parallel(parallel), task, count, code);
}
static void masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                   ompt_data_t *task, const void *code) {
  EK_BESIDE(ompt_callback_masked, ompt_callback_masked_t, endpoint,
            ek_beside_parallel(parallel), task, code);
}
static void dispatch(ompt_data_t *parallel, ompt_data_t *task,
                     ompt_dispatch_t kind, ompt_data_t instance) {
  EK_BESIDE(ompt_callback_dispatch, ompt_callback_dispatch_t,
            ek_beside_parallel(parallel), task, kind, instance);
}
static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task,
                        const void *code) {
  EK_BESIDE(ompt_callback_sync_region, ompt_callback_sync_region_t, kind,
            endpoint, ek_beside_parallel(parallel), task, code);
}
static void reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                      ompt_data_t *parallel, ompt_data_t *task,
                      const void *code) {
  EK_BESIDE(ompt_callback_reduction, ompt_callback_sync_region_t, kind,
            endpoint, ek_beside_parallel(parallel), task, code);
}

/* Our callback for an event that shows a region's word and that we do not use
 * ourselves; NULL for all other events. */
static ompt_callback_t shows_region(ompt_callbacks_t event) {
  switch (event) {
  case ompt_callback_work:
    return (ompt_callback_t)work;
  case ompt_callback_masked:
    return (ompt_callback_t)masked;
  case ompt_callback_dispatch:
    return (ompt_callback_t)dispatch;
  case ompt_callback_sync_region:
    return (ompt_callback_t)sync_region;
  case ompt_callback_reduction:
    return (ompt_callback_t)reduction;
  default:
    return NULL;
  }
}

static bool is_ours(ompt_callbacks_t event) {
  return event == ompt_callback_parallel_begin ||
         event == ompt_callback_parallel_end ||
         event == ompt_callback_implicit_task ||
         event == ompt_callback_task_create ||
         event == ompt_callback_task_schedule ||
         event == ompt_callback_sync_region_wait;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event,
                                      ompt_callback_t callback) {
  ompt_callback_t between = shows_region(event);
  if (event <= 0 || event >= EVENTS || (!is_ours(event) && !between))
    return library_set(event, callback);
  __atomic_store_n(&theirs[event], callback, __ATOMIC_RELEASE);
  if (is_ours(event))
    return ompt_set_always;
  return library_set(event, callback ? between : NULL);
}

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback) {
  if (event <= 0 || event >= EVENTS ||
      (!is_ours(event) && !shows_region(event)))
    return library_get(event, callback);
  *callback = __atomic_load_n(&theirs[event], __ATOMIC_ACQUIRE);
  return *callback != NULL;
}

static int parallel_info(int level, ompt_data_t **parallel, int *size) {
  int result = library_parallel_info(level, parallel, size);
  if (parallel && result == 2)
    *parallel = ek_beside_parallel(*parallel);
  return result;
}

static int task_info(int level, int *flags, ompt_data_t **task,
                     ompt_frame_t **frame, ompt_data_t **parallel,
                     int *thread) {
  int result = library_task_info(level, flags, task, frame, parallel, thread);
  if (parallel && result == 2)
    *parallel = ek_beside_parallel(*parallel);
  return result;
}

static ompt_interface_fn_t lookup_for_it(const char *name) {
  static const struct {
    const char *name;
    ompt_interface_fn_t entry;
  } ours[] = {
      {"ompt_set_callback", (ompt_interface_fn_t)set_callback},
      {"ompt_get_callback", (ompt_interface_fn_t)get_callback},
      {"ompt_get_parallel_info", (ompt_interface_fn_t)parallel_info},
      {"ompt_get_task_info", (ompt_interface_fn_t)task_info},
  };
  ompt_interface_fn_t library = library_lookup(name);
  for (unsigned i = 0; library && i < sizeof ours / sizeof *ours; ++i)
    if (strcmp(ours[i].name, name) == 0)
      return ours[i].entry;
  return library;
}

void ek_beside_start(ompt_function_lookup_t lookup, int device) {
  if (!found)
    return;
  for (unsigned i = 0; i < STRIPES; ++i)
    pthread_mutex_init(&stripes[i].lock, NULL);
  library_lookup = lookup;
  library_set = (ompt_set_callback_t)lookup("ompt_set_callback");
  library_get = (ompt_get_callback_t)lookup("ompt_get_callback");
  library_parallel_info =
      (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  library_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  beside = true;
  if (found->initialize &&
      !found->initialize(lookup_for_it, device, &found->tool_data)) {
    memset(theirs, 0, sizeof theirs); /* it declined to start */
    found = NULL;
  }
}

void ek_beside_end(void) {
  if (found && found->finalize)
    found->finalize(&found->tool_data);
  memset(theirs, 0, sizeof theirs);
}
#endif
