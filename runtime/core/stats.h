/*===- stats.h - counters of a run --------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the summary shows: objects and bytes, migrations, hooks, and one
 * counter per reason for falling short. All relaxed atomics; no order implied.
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
  uint64_t why_bytes[EK_WHY_COUNT]; /* of the objects that are counted there */
  uint64_t objects, freed, globals; /* placed objects */
  uint64_t planned, by_call, pinned, unplanned; /* who decided where they lie */
  /* Bytes of large objects as they are made: with an id; without one, by the
   * program or by libraries (all of these only with libevenkeel-audit). */
  uint64_t named_bytes, unnamed_bytes, library_bytes;
  /* Pages that were copied, of them those out of the fast tier; batches; their
   * time, and that of hooks with something to do. */
  uint64_t moved_pages, demoted_pages, move_calls, move_ns, hook_ns;
  /* Of that time: on a thread of its own, beside the program; and how long the
   * program's threads waited for it, freeing what was on the move. */
  uint64_t beside_ns, waited_ns;
  uint64_t move_passes, move_cancelled, plan_changes;
  /* Pages that looks asked for (look.h), of them those in other tiers; and
   * those of objects that were freed before. */
  uint64_t look_pages, look_elsewhere, unseen_pages;
  uint64_t kept_taken, kept_returned;     /* extents: kept.h */
  uint64_t hooks_serial, hooks_team;      /* a team's hook counts once */
  uint64_t passed_hooked, passed_without; /* sync points, at the end: syncs.h */
} ek_stats_t;

/* Of a tier. */
typedef struct ek_tier_use {
  uint64_t placed, live, peak; /* bytes: ever, now, at most */
  uint64_t most; /* bytes at most as objects were placed, within the capacity */
  uint64_t objects; /* with a page in it when placed */
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
