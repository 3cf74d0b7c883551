/*===- made.c - the hook that follows a team's creation ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a task is identified by the return address of the call that created
 * it. The hook that follows this call gives that address a name.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/made.h"
#include "calls/stack.h"
#include "core/options.h"
#include "core/tuning.h"
#include "placement/place.h"

#include <stddef.h>

bool ek_ompt_on, ek_teams_seen;

enum { NAMES = 1024 };

static struct {
  uint64_t code, hook;
} names[NAMES];

static _Thread_local struct {
  uint64_t team, task; /* created last, and not yet followed by a hook */
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
  if (last.team && here - last.team < EK_CODE_AFTER_CALL)
    name(last.team, hook);
  if (last.task && here - last.task < EK_CODE_AFTER_CALL &&
      !ek_ompt_hook_of(last.task))
    name(last.task, hook);
  last.team = last.task = 0;
}

void ek_ompt_made(const void *code) { last.team = (uint64_t)(uintptr_t)code; }
void ek_ompt_made_task(const void *code) {
  last.task = (uint64_t)(uintptr_t)code;
}

uint64_t ek_ompt_begins(void) {
  uint64_t made = last.task;
  last.task = 0;
  return made;
}

void ek_ompt_goes_on(uint64_t made) { last.task = made; }

static bool noted; /* what hooks see is kept */

void ek_ompt_note(void) { noted = true; }

bool ek_ompt_wanted(void) { return noted || ek_ompt_asked(); }

bool ek_ompt_asked(void) {
  bool balances =
      ek_opt.balance >= EK_REPLAN_TIMES && ek_plan_now && ek_plan_now->replans;
  bool hooks = ek_stack_knows_joins && ek_stack_knows_joins();
  return hooks || ek_opt.summary[0] || ek_opt.summary_json[0] || balances;
}
