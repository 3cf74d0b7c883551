/*===- ompt.c - task times from the OpenMP library ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: OMPT, the tool interface of OpenMP 5, which LLVM's libomp supports and
 * gcc's libgomp does not: when implicit and explicit tasks run on a thread, and
 * when the thread waits. Used only if a summary is requested or the run may
 * plan again. made.c names the places; the user's own tool runs as well
 * (ompt_beside.h).
 * Not here: devices. If the loader finds another tool before ours, only that
 * one is started; so is ThreadSanitizer's.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/ompt.h"
#include "core/events.h"
#include "core/state.h"
#include "core/stats.h"
#include "hooks/joins.h"
#include "hooks/made.h"
#include "hooks/region.h"
#include "hooks/taskloops.h"
#include "hooks/teams.h"
#include "objects/object.h"

#include <dlfcn.h>
#include <stddef.h>

#if EK_HAVE_OMPT
#include "hooks/ompt_beside.h"

/* Parallel regions that the thread has created and not left. */
static _Thread_local unsigned depth __attribute__((tls_model("initial-exec")));

static struct {
  uintptr_t from, to;
} library;

static bool in_library(const void *code) {
  return (uintptr_t)code >= library.from && (uintptr_t)code < library.to;
}

/* Flags in our data of a task (its code has begun) and of a team (it is nested
 * in another team). */
#define BEGUN ((uint64_t)1 << 63)
#define INNER ((uint64_t)1 << 63)

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *task_frame,
                           ompt_data_t *parallel, unsigned wanted, int flags,
                           const void *code) {
  ek_beside_set_region(parallel, (uint64_t)(uintptr_t)code |
                                     (ek_team_size() > 1 ? INNER : 0));
  ++depth;
  EK_BESIDE(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t, task,
            task_frame, ek_beside_parallel(parallel), wanted, flags, code);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                         const void *code) {
  ek_ompt_made(code);
  bool inner = ek_beside_region(parallel) & INNER;
  EK_BESIDE(ompt_callback_parallel_end, ompt_callback_parallel_end_t,
            ek_beside_parallel(parallel), task, flags, code);
  ek_beside_parallel_ended(parallel);
  ek_tell_sync_passed(EK_SYNC_JOIN, code);
  if (--depth == 0 && !inner && ek_stack_joined && !ek_teams_inside())
    ek_stack_joined(code, NULL);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                          ompt_data_t *task, unsigned size, unsigned index,
                          int flags) {
  EK_BESIDE(ompt_callback_implicit_task, ompt_callback_implicit_task_t,
            endpoint, ek_beside_parallel(parallel), task, size, index, flags);
  if (flags & ompt_task_initial)
    return;
  uint64_t team = parallel ? ek_beside_region(parallel) : INNER;
  if (endpoint == ompt_scope_begin)
    ek_task_begin(team & ~INNER, index, !(team & INNER), ek_ompt_begins());
  else
    ek_ompt_goes_on(ek_task_end());
}

static void task_create(ompt_data_t *by, const ompt_frame_t *by_frame,
                        ompt_data_t *made, int flags, int has_dependences,
                        const void *code) {
  EK_BESIDE(ompt_callback_task_create, ompt_callback_task_create_t, by,
            by_frame, made, flags, has_dependences, code);
  if (!(flags & ompt_task_explicit))
    return;
  if (in_library(code)) {
    uint64_t place = ek_taskloop_place();
    if (!place)
      ek_count(EK_WHY_no_task_place, 1);
    ek_beside_set_task(made, place ? place : (uint64_t)(uintptr_t)code);
    return;
  }
  ek_ompt_made_task(code);
  ek_beside_set_task(made, (uint64_t)(uintptr_t)code);
}

/* A detached task's code ends before the task does. */
static bool is_over(ompt_task_status_t status) {
  return status == ompt_task_complete || status == ompt_task_cancel ||
         status == ompt_task_detach;
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status,
                          ompt_data_t *next) {
  EK_BESIDE(ompt_callback_task_schedule, ompt_callback_task_schedule_t, prior,
            status, next);
  if (is_over(status) && prior && ek_beside_task(prior) & BEGUN) {
    ek_beside_set_task(prior, 0);
    ek_ompt_goes_on(ek_task_end());
  }
  uint64_t code = next ? ek_beside_task(next) : 0;
  if (code && !(code & BEGUN)) {
    ek_task_begin(code, ek_creator(), false, ek_ompt_begins());
    ek_beside_set_task(next, code | BEGUN);
  }
}

/* The place to report for a wait. The last call in a region's code may return
 * into the library; then only the place of the region is known. */
static const void *outside_library(const void *code, ompt_data_t *parallel) {
  if (!parallel || !in_library(code))
    return code;
  return (const void *)(uintptr_t)(ek_beside_region(parallel) & ~INNER);
}

/* Reports a sync point; a team's barrier is reported by its first thread. */
static void passed(ompt_sync_region_t kind, const void *code) {
  switch (kind) {
  case ompt_sync_region_barrier_explicit:
    if (ek_creator() == 0)
      ek_tell_sync_passed(EK_SYNC_BARRIER, code);
    break;
  case ompt_sync_region_barrier_implicit_workshare:
    if (ek_creator() == 0)
      ek_tell_sync_passed(EK_SYNC_WORKSHARE, code);
    break;
  case ompt_sync_region_taskwait:
    ek_tell_sync_passed(EK_SYNC_TASKWAIT, code);
    break;
  case ompt_sync_region_taskgroup:
    ek_tell_sync_passed(EK_SYNC_TASKGROUP, code);
    break;
  default: /* inside the library, or at the end of a region */
    break;
  }
}

static void waits(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                  ompt_data_t *parallel, ompt_data_t *task, const void *code) {
  EK_BESIDE(ompt_callback_sync_region_wait, ompt_callback_sync_region_t, kind,
            endpoint, ek_beside_parallel(parallel), task, code);
  if (endpoint == ompt_scope_begin)
    ek_wait_begin();
  else if (endpoint == ompt_scope_end) {
    ek_wait_end();
    passed(kind, outside_library(code, parallel));
  }
  if (endpoint == ompt_scope_end && ek_stack_waited_inside &&
      (kind == ompt_sync_region_barrier_explicit ||
       kind == ompt_sync_region_barrier_implicit_workshare))
    ek_stack_waited_inside();
}

static int initialize(ompt_function_lookup_t lookup, int device,
                      ompt_data_t *data) {
  (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  if (!set)
    return 0;
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)waits);
  struct dl_find_object at;
  if (_dl_find_object((void *)(uintptr_t)lookup, &at) == 0) {
    library.from = (uintptr_t)at.dlfo_map_start;
    library.to = (uintptr_t)at.dlfo_map_end;
  }
  ek_ompt_on = true;
  ek_tell_library_seen(EK_SEES_OPENMP);
  ek_beside_start(lookup, device);
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  ek_beside_end();
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned version, const char *library) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  ek_start();
  if (ek_running() && ek_ompt_wanted() && !dlsym(RTLD_DEFAULT, "__tsan_init")) {
    ek_beside_find(version, library);
    return &result;
  }
  ompt_start_tool_result_t *(*next)(unsigned, const char *);
  *(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool");
  return next ? next(version, library) : NULL;
}

extern __typeof(ompt_start_tool) own_start_tool
    __attribute__((alias("ompt_start_tool"), visibility("hidden")));

static const void *module_of(const void *code) {
  Dl_info info;
  return dladdr(code, &info) ? info.dli_fbase : NULL;
}

/* The library asks the first tool that the loader finds. The library's own
 * function may be first; it passes the question on. */
bool ek_ompt_taken(void) {
  void *first = dlsym(RTLD_DEFAULT, "ompt_start_tool");
  void *fork = dlsym(RTLD_DEFAULT, "__kmpc_fork_call");
  return ek_running() && ek_ompt_wanted() && !ek_ompt_on && first && fork &&
         first != (void *)(uintptr_t)own_start_tool &&
         module_of(first) != module_of(fork);
}
#else
bool ek_ompt_taken(void) { return false; }
#endif
