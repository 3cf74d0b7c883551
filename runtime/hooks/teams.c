/*===- teams.c - parallel regions in gcc's OpenMP library ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: code compiled by gcc runs a region by one call of libgomp, which
 * reports nothing to tools. We intercept the call and time each thread's share.
 * The end of an outermost region is a sync point if a table of call stacks has
 * the place. LLVM's libomp reports its regions itself (ompt.c) and also has
 * these calls, for gcc's code: then its reports of threads count, and we only
 * add the place. Explicit tasks: tasks.c.
 * Not here: the calls of gcc before 4.9, teams of target regions, and programs
 * that are linked with libgomp before us.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/teams.h"
#include "core/events.h"
#include "core/state.h"
#include "hooks/gomp.h"
#include "hooks/joins.h"
#include "hooks/made.h"
#include "hooks/region.h"
#include "objects/object.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef W region_call(W, W, W, W, W, W, W, W);
typedef void body(void *);

typedef struct part {
  body *run;
  void *data;
  const void *code;
} part;

static TLS unsigned depth; /* regions the thread has created and not left */
static TLS bool inside;    /* in the thread's share of the outermost region */
static TLS bool timing;    /* and we time it */
static TLS const void *region; /* return address of the region's call */

/* The address ranges of the OpenMP library's code, and of ours. */
static struct code {
  uintptr_t from, to;
} library, own;

static void remember(struct code *c, const void *function) {
  struct dl_find_object at;
  if (_dl_find_object((void *)(uintptr_t)function, &at) == 0) {
    c->from = (uintptr_t)at.dlfo_map_start;
    c->to = (uintptr_t)at.dlfo_map_end;
  }
}

static bool is_in(const struct code *c, const void *code) {
  return (uintptr_t)code >= c->from && (uintptr_t)code < c->to;
}

static void run_part(void *data);

void *ek_gomp_next(const char *name, const void *ours, const void *code) {
  void *f = dlsym(RTLD_NEXT, name);
  Dl_info from;
  if (!f && dladdr(code, &from)) { /* the library was loaded later */
    void *handle = dlopen(from.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    f = handle ? dlsym(handle, name) : NULL;
    if (handle)
      dlclose(handle);
  }
  if (!f || f == ours)
    abort(); /* the program calls a function that its library lacks */
  remember(&library, f);
  remember(&own, (const void *)run_part);
  return f;
}

bool ek_teams_timing(void) { return timing; }

bool ek_teams_enter(bool in_region) {
  bool before = inside;
  inside = timing = in_region;
  return before;
}

static bool asked(void) {
  return (ek_stack_knows_joins && ek_stack_knows_joins()) || ek_ompt_wanted();
}

static void run_part(void *data) {
  const part *p = data;
  bool ours = !ek_ompt_on; /* only known once the library has started */
  if (ours) {
    if (!__atomic_load_n(&ek_teams_seen, __ATOMIC_RELAXED)) {
      __atomic_store_n(&ek_teams_seen, true, __ATOMIC_RELAXED);
      ek_tell_library_seen(EK_SEES_OPENMP);
    }
    ek_task_begin((uint64_t)(uintptr_t)p->code, ek_creator(), true,
                  ek_ompt_begins());
  }
  inside = true;
  region = p->code;
  timing = ours;
  p->run(p->data);
  inside = timing = false;
  if (ours)
    ek_ompt_goes_on(ek_task_end());
}

static W run(region_call *call, const void *code, W f, W data, W c, W d, W e,
             W g, W h, W i) {
  if (!ek_running() || !asked())
    return call(f, data, c, d, e, g, h, i);
  if (depth || inside) {
    W result = call(f, data, c, d, e, g, h, i);
    if (!ek_ompt_on)
      ek_tell_sync_passed(EK_SYNC_JOIN, code);
    return result;
  }
  part p = {(body *)f, (void *)data, code};
  ++depth;
  W result = call((W)run_part, (W)&p, c, d, e, g, h, i);
  --depth;
  ek_ompt_made(code);
  if (!ek_ompt_on)
    ek_tell_sync_passed(EK_SYNC_JOIN, code);
  if (ek_stack_joined)
    ek_stack_joined(code, (const void *)f);
  return result;
}

bool ek_teams_inside(void) { return depth; }

#define EK_REGION(name)                                                        \
  W name(W f, W data, W c, W d, W e, W g, W h, W i);                           \
  EXPORT W name(W f, W data, W c, W d, W e, W g, W h, W i) {                   \
    static region_call *behind;                                                \
    region_call *call = __atomic_load_n(&behind, __ATOMIC_RELAXED);            \
    if (!call) {                                                               \
      call = (region_call *)(W)ek_gomp_next(#name, (const void *)name,         \
                                            __builtin_return_address(0));      \
      __atomic_store_n(&behind, call, __ATOMIC_RELAXED);                       \
    }                                                                          \
    return run(call, __builtin_return_address(0), f, data, c, d, e, g, h, i);  \
  }
EK_REGION(GOMP_parallel)
EK_REGION(GOMP_parallel_reductions)
EK_REGION(GOMP_parallel_sections)
EK_REGION(GOMP_parallel_loop_static)
EK_REGION(GOMP_parallel_loop_dynamic)
EK_REGION(GOMP_parallel_loop_guided)
EK_REGION(GOMP_parallel_loop_runtime)
EK_REGION(GOMP_parallel_loop_nonmonotonic_dynamic)
EK_REGION(GOMP_parallel_loop_nonmonotonic_guided)
EK_REGION(GOMP_parallel_loop_nonmonotonic_runtime)
EK_REGION(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

static void waited(ek_sync_kind kind, const void *code) {
  ek_wait_end();
  if (is_in(&library, code) || is_in(&own, code))
    code = region; /* the region's code ended with this call */
  bool team = kind == EK_SYNC_BARRIER || kind == EK_SYNC_WORKSHARE;
  if (!team || ek_creator() == 0)
    ek_tell_sync_passed(kind, code);
  if (team && ek_stack_waited_inside)
    ek_stack_waited_inside();
}

/* Intercepts waits of a thread for its team or for tasks. gcc uses the same
 * barriers for explicit ones and at the end of some loops. */
#define EK_WAIT(name, kind)                                                    \
  W name(void);                                                                \
  EXPORT W name(void) {                                                        \
    static W (*behind)(void);                                                  \
    W (*call)(void) = __atomic_load_n(&behind, __ATOMIC_RELAXED);              \
    if (!call) {                                                               \
      call = (W(*)(void))(W)ek_gomp_next(#name, (const void *)name,            \
                                         __builtin_return_address(0));         \
      __atomic_store_n(&behind, call, __ATOMIC_RELAXED);                       \
    }                                                                          \
    if (!timing)                                                               \
      return call();                                                           \
    ek_wait_begin();                                                           \
    W result = call();                                                         \
    waited(kind, __builtin_return_address(0));                                 \
    return result;                                                             \
  }
EK_WAIT(GOMP_barrier, EK_SYNC_BARRIER)
EK_WAIT(GOMP_barrier_cancel, EK_SYNC_BARRIER)
EK_WAIT(GOMP_loop_end, EK_SYNC_WORKSHARE)
EK_WAIT(GOMP_loop_end_cancel, EK_SYNC_WORKSHARE)
EK_WAIT(GOMP_sections_end, EK_SYNC_WORKSHARE)
EK_WAIT(GOMP_sections_end_cancel, EK_SYNC_WORKSHARE)
EK_WAIT(GOMP_taskwait, EK_SYNC_TASKWAIT)
EK_WAIT(GOMP_taskgroup_end, EK_SYNC_TASKGROUP)
