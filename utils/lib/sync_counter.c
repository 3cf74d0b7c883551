/*===- sync_counter.c - executed sync points, and which had a hook -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A library for LD_PRELOAD, built by sync_places.py. It counts each sync point
 * that a program passes: by OMPT the ends of parallel regions, barriers,
 * taskwaits and ends of taskgroups; by functions of the same names those of MPI
 * in which ranks wait, and thread joins and barriers. A sync point has a hook
 * if the next event on its thread is a hook (ek_sync, ek_after), not another
 * sync point. A barrier of a team counts once, for thread 0. It does not use
 * the runtime, so it is an independent check of the runtime's count; if the
 * runtime has an OMPT tool as well, both get the events. Writes
 * $SYNC_COUNTS/PID: for each place in the program or its own libraries "KIND
 * TIMES HOOKED OFFSET MODULE", and for each caller of a large allocation
 * without an id "unnamed CALLS BYTES OFFSET MODULE".
 * Not here: sync points in system libraries, devices, barriers of teams of one
 * thread, which OMPT does not report, and the end of a `single` with
 * copyprivate, which it reports like a reduction.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hooks/mpi/words.h"

#define EXPORT __attribute__((visibility("default")))
#define NOW __attribute__((tls_model("initial-exec")))

/* --- places ----------------------------------------------------------------
 */

enum { PLACES = 1 << 16, DEPTH = 16, LARGE = 64 << 10 };

typedef struct place {
  uint64_t code, times, other; /* of a sync point: with a hook; else bytes */
  const char *kind;
  int own; /* 0: unknown, 1: the system's, 2: the program's */
} place;
static place places[PLACES];

static _Thread_local struct {
  place *waited; /* passed last, not yet followed by a hook */
  unsigned depth;
  unsigned index[DEPTH]; /* number of this thread in the enclosing teams */
} here NOW;

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the address belongs to the program or its own libraries. */
static bool is_own(uint64_t code) {
  Dl_info from = {0};
  const char *path = dladdr((void *)code, &from) ? from.dli_fname : "";
  bool library = strstr(path, ".so") != NULL;
  return path[0] && !strstr(path, "libevenkeel") &&
         !strstr(path, "libomp.so") &&
         !(library && (starts(path, "/lib") || starts(path, "/usr/lib")));
}

/* The row of a place; NULL if it is not the program's, or if the table is full.
 */
static place *place_of(const void *code, const char *kind) {
  uint64_t key = (uint64_t)(uintptr_t)code;
  if (!key)
    return NULL;
  size_t at = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 48) % PLACES;
  for (unsigned i = 0; i < PLACES; ++i, at = (at + 1) % PLACES) {
    place *p = &places[at];
    uint64_t there = 0;
    if (__atomic_compare_exchange_n(&p->code, &there, key, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      p->kind = kind;
      __atomic_store_n(&p->own, is_own(key) ? 2 : 1, __ATOMIC_RELEASE);
      return p->own == 2 ? p : NULL;
    }
    if (there == key) {
      int own;
      while (!(own = __atomic_load_n(&p->own, __ATOMIC_ACQUIRE)))
        ;
      return own == 2 ? p : NULL;
    }
  }
  return NULL;
}

static void add(uint64_t *to, uint64_t n) {
  __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

static void passed(const void *code, const char *kind) {
  place *p = place_of(code, kind);
  if (!p)
    return; /* inside a library call, whose hook may still follow */
  here.waited = p;
  add(&p->times, 1);
}

static void hooked(void) {
  if (here.waited)
    add(&here.waited->other, 1);
  here.waited = NULL;
}

/* In a child of fork: the counts belong to the parent. */
static void forget(void) {
  for (unsigned i = 0; i < PLACES; ++i)
    places[i].times = places[i].other = 0;
}

__attribute__((constructor)) static void begin(void) {
  pthread_atfork(NULL, NULL, forget);
}

__attribute__((destructor)) static void end(void) {
  const char *folder = getenv("SYNC_COUNTS");
  FILE *f = NULL;
  for (unsigned i = 0; folder && i < PLACES; ++i) {
    const place *p = &places[i];
    Dl_info from;
    struct link_map *map;
    if (p->own != 2 || !p->times ||
        !dladdr1((void *)p->code, &from, (void **)&map, RTLD_DL_LINKMAP))
      continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
    if (!f && !(f = fopen(path, "we")))
      return;
    char *module = realpath(from.dli_fname, NULL);
    fprintf(f, "%s %llu %llu %llx %s\n", p->kind, (unsigned long long)p->times,
            (unsigned long long)p->other,
            (unsigned long long)(p->code - map->l_addr),
            module ? module : from.dli_fname);
    free(module);
  }
  if (f)
    fclose(f);
}

/* --- hooks, waits and allocations by name -----------------------------------
 * Passed on by a jump, so that callees see the original caller.
 */

static void *behind(void **known, const char *name) {
  void *f = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!f) {
    f = dlsym(RTLD_NEXT, name);
    if (!f) {
      fprintf(stderr, "sync_counter: nothing stands behind %s\n", name);
      abort();
    }
    __atomic_store_n(known, f, __ATOMIC_RELAXED);
  }
  return f;
}

#define BEHIND(name)                                                           \
  static void *known;                                                          \
  __typeof__(&name) f_ = (__typeof__(&name))(uintptr_t)behind(&known, #name)
#define GO_ON __attribute__((musttail)) return
#define CALLER __builtin_return_address(0)

EXPORT void ek_sync(uint64_t id, unsigned context) {
  BEHIND(ek_sync);
  hooked();
  GO_ON f_(id, context);
}

EXPORT int ek_after(uint64_t id, unsigned context, int result) {
  BEHIND(ek_after);
  hooked();
  GO_ON f_(id, context, result);
}

/* In a process without the runtime there is no next definition; and looking it
 * up may allocate. */
EXPORT void ek_audit(size_t n, const void *caller) {
  static void (*known)(size_t, const void *);
  static _Thread_local bool busy NOW;
  static bool asked;
  if (n < LARGE || busy)
    return;
  busy = true;
  if (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) {
    known =
        (void (*)(size_t, const void *))(uintptr_t)dlsym(RTLD_NEXT, "ek_audit");
    __atomic_store_n(&asked, true, __ATOMIC_RELEASE);
  }
  place *p = known ? place_of(caller, "unnamed") : NULL;
  if (p) {
    add(&p->times, 1);
    add(&p->other, n);
  }
  if (known)
    known(n, caller);
  busy = false;
}

EXPORT int pthread_join(pthread_t thread, void **result) {
  BEHIND(pthread_join);
  passed(CALLER, "thread-join");
  GO_ON f_(thread, result);
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier) {
  BEHIND(pthread_barrier_wait);
  passed(CALLER, "thread-barrier");
  GO_ON f_(barrier);
}

#define EK_MPI(name, small, family, n)                                         \
  EXPORT int MPI_##name(P##n) {                                                \
    BEHIND(MPI_##name);                                                        \
    passed(CALLER, "MPI_" #name);                                              \
    GO_ON f_(A##n);                                                            \
  }
#include "hooks/mpi/pmpi.def"
#undef EK_MPI

/* --- OpenMP -----------------------------------------------------------------
 * The next tool of the process, if any, gets its events from here.
 */

static struct {
  ompt_start_tool_result_t *tool;
  ompt_function_lookup_t lookup;
  ompt_set_callback_t set;
  ompt_callback_parallel_end_t parallel_end;
  ompt_callback_implicit_task_t implicit_task;
  ompt_callback_sync_region_t sync_region;
} next;

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                         const void *code) {
  passed(code, "parallel");
  if (next.parallel_end)
    next.parallel_end(parallel, task, flags, code);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                          ompt_data_t *task, unsigned size, unsigned index,
                          int flags) {
  if (!(flags & ompt_task_initial)) {
    if (endpoint == ompt_scope_begin) {
      if (here.depth < DEPTH)
        here.index[here.depth] = index;
      ++here.depth;
    } else if (here.depth) {
      --here.depth;
      here.waited = NULL;
    }
  }
  if (next.implicit_task)
    next.implicit_task(endpoint, parallel, task, size, index, flags);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task,
                        const void *code) {
  bool first = !here.depth || here.depth > DEPTH || !here.index[here.depth - 1];
  if (endpoint == ompt_scope_end)
    switch (kind) {
    case ompt_sync_region_barrier_explicit:
      if (first)
        passed(code, "barrier");
      break;
    case ompt_sync_region_barrier_implicit:
    case ompt_sync_region_barrier_implicit_workshare:
      if (first)
        passed(code, "workshare");
      break;
    case ompt_sync_region_barrier_implementation:
      here.waited = NULL; /* the next hook may be that of copyprivate */
      break;
    case ompt_sync_region_taskwait:
      passed(code, "taskwait");
      break;
    case ompt_sync_region_taskgroup:
      passed(code, "taskgroup");
      break;
    default:
      break;
    }
  if (next.sync_region)
    next.sync_region(kind, endpoint, parallel, task, code);
}

static ompt_set_result_t set_callback(ompt_callbacks_t event,
                                      ompt_callback_t callback) {
  switch (event) {
  case ompt_callback_parallel_end:
    next.parallel_end = (ompt_callback_parallel_end_t)callback;
    return ompt_set_always;
  case ompt_callback_implicit_task:
    next.implicit_task = (ompt_callback_implicit_task_t)callback;
    return ompt_set_always;
  case ompt_callback_sync_region:
    next.sync_region = (ompt_callback_sync_region_t)callback;
    return ompt_set_always;
  default:
    return next.set(event, callback);
  }
}

static ompt_interface_fn_t lookup(const char *name) {
  return strcmp(name, "ompt_set_callback") == 0
             ? (ompt_interface_fn_t)set_callback
             : next.lookup(name);
}

static int initialize(ompt_function_lookup_t ask, int device,
                      ompt_data_t *data) {
  (void)data;
  next.lookup = ask;
  next.set = (ompt_set_callback_t)ask("ompt_set_callback");
  next.set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  next.set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  next.set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  if (next.tool)
    next.tool->initialize(lookup, device, &next.tool->tool_data);
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  if (next.tool)
    next.tool->finalize(&next.tool->tool_data);
}

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned version,
                                                 const char *library) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  void *f = dlsym(RTLD_NEXT, "ompt_start_tool");
  if (f)
    next.tool = ((ompt_start_tool_result_t *
                  (*)(unsigned, const char *))(uintptr_t)f)(version, library);
  return &result;
}
