/*===- hook.c - ek_sync and ek_values -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: at a team's hook thread 0 does the work. So no shared word is written,
 * however many threads arrive at once, and nested teams cannot be confused. If
 * only some threads arrive (a taskwait in one task), the work may wait for the
 * next hook. A phase ends when a thread arrives outside all parallel regions;
 * inside, other threads still run.
 *===----------------------------------------------------------------------===*/
#include "hooks/hook.h"
#include "calls/stack.h"
#include "core/events.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "hooks/edited.h"
#include "hooks/made.h"
#include "hooks/region.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/totals.h"
#include "objects/object.h"
#include "placement/moves/migrate.h"
#include "placement/place.h"
#include "ranks/board.h"
#include "ranks/intervals.h"
#include "rows/rows.h"

#include <errno.h>
#include <time.h>

#undef ek_sync /* of compilers that may make its call a jump */

#define EXPORT __attribute__((visibility("default")))

int omp_get_level(void) __attribute__((weak, visibility("default")));

/* Handles the end of a phase; with a plan that lists its sync points, the
 * plan's phase counts. */
static void phase_ended(uint64_t id, uint32_t phase, bool serial) {
  bool due = ek_balance_hook(id, serial);
  const ek_plan *plan = ek_plan_of_now();
  ek_migrate_phase(plan && plan->sync_count ? ek_balance_phase() : phase);
  if (due)
    ek_migrate_replan();
}

/* \p outside: the hook is outside all parallel regions, even if the OpenMP
 * library does not say so yet. */
static void hook(uint64_t id, unsigned context, const void *from,
                 bool outside) {
  if (ek_ompt_on || ek_teams_seen || ek_stack_waited)
    ek_ompt_passed(id, from);
  ek_tell_hook(id, context & EK_TEAM);
  if (context & EK_TEAM) {
    ek_region_passed_hook();
    if (ek_creator() != 0)
      return;
    ek_add(hooks_team, 1);
    const ek_plan *plan = ek_plan_of_now();
    if (plan && plan->sync_count && ek_outermost()) {
      ek_tell_phase_ended(id, false);
      phase_ended(id, __atomic_load_n(&ek_phase_now, __ATOMIC_RELAXED), false);
    }
  } else {
    ek_add(hooks_serial, 1);
    if (!(context & EK_PARTIAL) &&
        (outside || !omp_get_level || omp_get_level() == 0)) {
      ek_tell_phase_ended(id, true);
      phase_ended(id, __atomic_add_fetch(&ek_phase_now, 1, __ATOMIC_RELAXED),
                  true);
      ek_rows_hook();
    }
  }
  if (__atomic_load_n(&ek_migrate_pending, __ATOMIC_ACQUIRE))
    ek_migrate_at_hook();
}

/* Decides for code that is included inside and outside parallel regions. */
static unsigned reached_by(unsigned context) {
  if (!(context & EK_EITHER))
    return context;
  bool team = omp_get_level && omp_get_level() > 0;
  return (context & ~EK_EITHER) | (team ? EK_TEAM : EK_SERIAL);
}

void ek_sync_from(uint64_t id, const void *from) {
  if (!ek_running())
    return;
  ek_tell_hook_reached(from, true);
  hook(id, EK_SERIAL, from, true);
}

EXPORT void ek_sync(uint64_t id, unsigned context) {
  if (!ek_running())
    return;
  const void *from = __builtin_return_address(0);
  context = reached_by(context);
  if (ek_hears(hook_reached))
    ek_tell_hook_reached(from, !(context & EK_TEAM) || ek_creator() == 0);
  hook(id, context, from, false);
}

/* Turns a name into an id (FNV-1a). */
static uint64_t id_of(const char *name) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * 0x100000001b3ULL;
  return h ? h : 1;
}

/* Ends the rank's work before a collective of all ranks. */
static void ranks_met(uint64_t id, const char *call, unsigned context) {
  if (ek_intervals_on && !(context & (EK_PARTIAL | EK_TEAM)) &&
      ek_creator() == 0)
    ek_interval_ended(id, call);
}

EXPORT void ek_waited(const char *call, unsigned context, const void *code) {
  if (!ek_running())
    return;
  uint64_t id = ek_stack_waited ? ek_stack_waited(code) : 0;
  const ek_plan *plan = ek_plan_of_now();
  if (!id && plan && plan->sync_count)
    ek_count(EK_WHY_mpi_no_sync, 1);
  if (id)
    ek_tell_hook_reached(NULL, true);
  else
    ek_tell_sync_called(call, code);
  ranks_met(id ? id : id_of(call), id ? NULL : call, context);
  hook(id ? id : id_of(call), context, code, false);
}

/* --- values ------------------------------------------------------------------
 * Handed over before a region. A look at the plan that waited for them follows.
 */

EXPORT void ek_values(uint64_t region, const ek_value *values, unsigned count) {
  const bool wanted = ek_values_wanted(), heard = ek_hears(handed);
  if ((!wanted && !heard) || !ek_running())
    return;
  for (unsigned i = 0; heard && i < count; ++i)
    ek_tell_handed(region, values[i].symbol, values[i].value);
  if (!wanted)
    return;
  bool news = false;
  for (unsigned i = 0; i < count; ++i)
    news |= ek_values_keep(region, values[i].symbol, values[i].value);
  if (omp_get_level && omp_get_level() > 0)
    return;
  if (ek_balance_values(news)) {
    ek_migrate_replan();
    ek_migrate_at_hook();
  }
}

/* Each thread of a region hands over how often it ran a loop. The next hook may
 * look at the plan. */
EXPORT void ek_total(uint64_t region, uint64_t total, long long count) {
  const bool wanted = ek_totals_wanted(), heard = ek_hears(totalled);
  if ((!wanted && !heard) || !ek_running() || !ek_outermost())
    return;
  const uint32_t thread = ek_creator();
  if (heard)
    ek_tell_totalled(region, total, thread, count);
  if (wanted)
    ek_totals_keep(region, total, thread, count);
}

/* --- rewritten calls ---------------------------------------------------------
 * Calls whose hook follows them, by the frames that announced it. A frame at a
 * lower address than the current one has ended without its hook, by an
 * exception or longjmp.
 */

enum { EDITED = 8 };

static _Thread_local struct {
  unsigned depth;
  uintptr_t frame[EDITED];
  uint64_t waits_since; /* ns; 0: not waiting for other ranks */
  bool partly;          /* only some ranks waited */
} edited;

static void drop_ended(uintptr_t frame) {
  while (edited.depth && edited.frame[edited.depth - 1] < frame)
    --edited.depth;
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

EXPORT void ek_ranks_wait(void) {
  edited.waits_since = ek_board_on || ek_intervals_on ? now_ns() : 0;
}

/* Only thread 0's waiting counts as the rank's. */
EXPORT void ek_ranks_go_on(void) {
  if (edited.waits_since && ek_creator() == 0) {
    const uint64_t now = now_ns();
    if (ek_board_on)
      ek_balance_waited(now - edited.waits_since);
    ek_interval_waited(edited.waits_since, now);
  }
  edited.waits_since = 0;
}

EXPORT void ek_waited_partly(void) { edited.partly = true; }

EXPORT void ek_before(void) {
  edited.partly = false;
  ek_ranks_wait();
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  drop_ended(frame);
  if (edited.depth < EDITED)
    edited.frame[edited.depth++] = frame;
}

EXPORT bool ek_edited(const void *frame) {
  drop_ended((uintptr_t)frame);
  return edited.depth;
}

EXPORT int(ek_after)(uint64_t id, unsigned context, int result) {
  edited.depth -= edited.depth != 0;

  int saved = errno;
  ek_ranks_go_on();
  if (edited.partly)
    context |= EK_PARTIAL;
  edited.partly = false;
  if (ek_running()) {
    context = reached_by(context);
    if (ek_hears(hook_reached))
      ek_tell_hook_reached(NULL, !(context & EK_TEAM) || ek_creator() == 0);
    ranks_met(id, NULL, context);
    hook(id, context, __builtin_return_address(0), false);
  }
  errno = saved;
  return result;
}
