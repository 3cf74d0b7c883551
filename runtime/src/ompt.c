/*===- ompt.c - task times from the OpenMP library ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: OMPT, the tool interface of OpenMP 5, which LLVM's libomp has and
 * gcc's libgomp has not: when implicit and explicit tasks run on a thread and
 * when it waits. Asked for only when a summary is wanted or
 * a plan may be made anew. A task is known by
 * the address behind the call that made it; the hook that follows this call
 * gives that address a name.
 * Leaves out: devices. Another tool of the process has precedence where it asks
 * first; ThreadSanitizer's always has.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ompt.h"
#include "object.h"
#include "options.h"
#include "place.h"
#include "region.h"
#include "stack.h"
#include "state.h"

#include <dlfcn.h>
#include <stddef.h>

bool ek_ompt_on;

/* A hook as far behind a call belongs to it. */
enum { NEAR = 512, NAMES = 1024 };

static struct {
  uint64_t code, hook;
} names[NAMES];

static _Thread_local struct {
  uint64_t team, task; /* made last and not yet named */
  unsigned depth;      /* parallel regions that it made and has not left */
} last __attribute__((tls_model("initial-exec")));

uint64_t ek_ompt_hook_of(uint64_t code) {
  size_t at = (size_t)(code * 0x9e3779b97f4a7c15ULL >> 32) % NAMES;
  for (unsigned i = 0; i < NAMES; ++i, at = (at + 1) % NAMES) {
    uint64_t there = __atomic_load_n(&names[at].code, __ATOMIC_ACQUIRE);
    if (there == code)
      return __atomic_load_n(&names[at].hook, __ATOMIC_RELAXED);
    if (!there)
      break;
  }
  return 0;
}

static void name(uint64_t code, uint64_t hook) {
  size_t at = (size_t)(code * 0x9e3779b97f4a7c15ULL >> 32) % NAMES;
  for (unsigned i = 0; i < NAMES; ++i, at = (at + 1) % NAMES) {
    uint64_t there = 0;
    if (__atomic_compare_exchange_n(&names[at].code, &there, code, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        there == code) {
      __atomic_store_n(&names[at].hook, hook, __ATOMIC_RELAXED);
      return;
    }
  }
}

void ek_ompt_passed(uint64_t hook, const void *from) {
  uint64_t here = (uint64_t)(uintptr_t)from;
  if (last.team && here - last.team < NEAR)
    name(last.team, hook);
  if (last.task && here - last.task < NEAR && !ek_ompt_hook_of(last.task))
    name(last.task, hook);
  last.team = last.task = 0;
}

void ek_ompt_made(const void *code) { last.team = (uint64_t)(uintptr_t)code; }

#if EK_HAVE_OMPT
#include <omp-tools.h>

/* In the data of a task that was made: it has begun; of a team: it is within
 * another. */
#define BEGUN ((uint64_t)1 << 63)
#define INNER ((uint64_t)1 << 63)

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *task_frame,
                           ompt_data_t *parallel, unsigned wanted, int flags,
                           const void *code) {
  (void)task, (void)task_frame, (void)wanted, (void)flags;
  parallel->value =
      (uint64_t)(uintptr_t)code | (ek_team_size() > 1 ? INNER : 0);
  ++last.depth;
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                         const void *code) {
  (void)task, (void)flags;
  last.team = (uint64_t)(uintptr_t)code;
  if (--last.depth == 0 && !(parallel->value & INNER) && ek_stack_joined &&
      !ek_teams_inside())
    ek_stack_joined(code, NULL);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                          ompt_data_t *task, unsigned size, unsigned index,
                          int flags) {
  (void)task, (void)size;
  if (flags & ompt_task_initial)
    return;
  uint64_t team = parallel ? parallel->value : INNER;
  if (endpoint == ompt_scope_begin)
    ek_task_begin(team & ~INNER, index, !(team & INNER));
  else
    ek_task_end();
}

static void task_create(ompt_data_t *by, const ompt_frame_t *by_frame,
                        ompt_data_t *made, int flags, int has_dependences,
                        const void *code) {
  (void)by, (void)by_frame, (void)has_dependences;
  if (!(flags & ompt_task_explicit))
    return;
  made->value = (uint64_t)(uintptr_t)code;
  last.task = made->value;
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status,
                          ompt_data_t *next) {
  if ((status == ompt_task_complete || status == ompt_task_cancel) && prior &&
      prior->value & BEGUN)
    ek_task_end();
  if (next && next->value && !(next->value & BEGUN)) {
    ek_task_begin(next->value, ek_creator(), false);
    next->value |= BEGUN;
  }
}

static void waits(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                  ompt_data_t *parallel, ompt_data_t *task, const void *code) {
  (void)parallel, (void)task, (void)code;
  if (endpoint == ompt_scope_begin)
    ek_wait_begin();
  else if (endpoint == ompt_scope_end)
    ek_wait_end();
  if (endpoint == ompt_scope_end && ek_stack_waited_inside &&
      (kind == ompt_sync_region_barrier_explicit ||
       kind == ompt_sync_region_barrier_implicit_workshare))
    ek_stack_waited_inside();
}

static int initialize(ompt_function_lookup_t lookup, int device,
                      ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  if (!set)
    return 0;
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)waits);
  ek_ompt_on = true;
  return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned version, const char *library) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  ek_start();
  bool balances = ek_opt.balance && ek_plan_now && ek_plan_now->replans;
  bool hooks = ek_stack_knows_joins && ek_stack_knows_joins();
  if (ek_running() &&
      (hooks || ek_opt.summary[0] || ek_opt.summary_json[0] || balances) &&
      !dlsym(RTLD_DEFAULT, "__tsan_init"))
    return &result;
  ompt_start_tool_result_t *(*next)(unsigned, const char *);
  *(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool");
  return next ? next(version, library) : NULL;
}
#endif
