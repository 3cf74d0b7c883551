/*===- stats.h - counters of a run --------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the numbers in the summary: objects and bytes, migrations, hooks, and
 * one counter per reason. All are relaxed atomics and imply no order.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STATS_H
#define EVENKEEL_RUNTIME_STATS_H

#include <stdint.h>

enum {
#define EK_REASON(id, name, unit, doc, to_do) EK_WHY_##id,
#include "core/reasons.def"
#undef EK_REASON
  EK_WHY_COUNT
};

typedef struct ek_stats_t {
  uint64_t why[EK_WHY_COUNT];
  uint64_t why_bytes[EK_WHY_COUNT]; /* bytes of the objects counted in why */
  uint64_t objects, freed, globals; /* placed objects */
  /* Placed objects by what decided their placement. */
  uint64_t planned, by_call, pinned, unplanned;
  /* Bytes of large allocations: of objects with an id; without an id, by the
   * program and by libraries (both only with libevenkeel-audit). */
  uint64_t named_bytes, unnamed_bytes, library_bytes;
  /* Pages that were copied; of these, pages that left the fast tier; batches;
   * the time of all batches; and the time of hooks that had work to do. */
  uint64_t moved_pages, demoted_pages, move_calls, move_ns, hook_ns;
  /* The part of move_ns on the migration thread, beside the program; and the
   * time program threads waited for it because they freed a moving object. */
  uint64_t beside_ns, waited_ns;
  uint64_t move_passes, move_cancelled, plan_changes;
  /* Pages whose location looks asked the kernel for (look.h); of these, pages
   * in another tier than planned; and pages of objects freed before a look. */
  uint64_t look_pages, look_elsewhere, unseen_pages;
  uint64_t kept_taken, kept_returned; /* extents of retained memory: kept.h */
  uint64_t hooks_serial, hooks_team;  /* a team's hook counts once */
  /* Sync points with and without a hook, set at the end: syncs.h. */
  uint64_t passed_hooked, passed_without;
} ek_stats_t;

/* The use of one tier, in bytes. */
typedef struct ek_tier_use {
  uint64_t placed, live, peak; /* in total, now, at most */
  uint64_t most;               /* the peak at placements, within capacity */
  uint64_t objects; /* count of objects that had a page here when placed */
} ek_tier_use;

#ifdef __cplusplus
extern "C" {
#endif
extern ek_stats_t ek_stats;
#ifdef __cplusplus
}
#endif

#define ek_add(field, n)                                                       \
  ((void)__atomic_fetch_add(&ek_stats.field, (uint64_t)(n), __ATOMIC_RELAXED))
#define ek_get(field) __atomic_load_n(&ek_stats.field, __ATOMIC_RELAXED)
#define ek_count(reason, n) ek_add(why[reason], n)
#define ek_count_object(reason, bytes)                                         \
  (ek_count(reason, 1), ek_add(why_bytes[reason], bytes))

#endif
