/*===- plan.h - the plan as the runtime sees it -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: plan.json, read once into flat arrays by flatten.cpp (the one file
 * here that knows profiles/format).
 * Leaves out: planning again (replan.h), and what is for people.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PLAN_H
#define EVENKEEL_RUNTIME_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_PLAN_CHUNKS 256

/* Of each of the chunks [from, to), the first `share` (0..1) is fast. */
typedef struct ek_plan_range {
  unsigned from, to;
  double share;
} ek_plan_range;

#define EK_ANY UINT64_MAX

struct ek_object;

/* Objects of which each byte is worth the same in the fast tier. */
typedef struct ek_group {
  double worth; /* seconds per byte; below 0: nobody wants them there */
  size_t at;    /* place among all (groups.h) */
  struct ek_object *first[2], *last[2]; /* by ek_list - 1 */
} ek_group;
typedef enum ek_list {
  EK_UNLISTED,
  EK_SHORT,  /* pages lie elsewhere than wanted, or may */
  EK_CONTENT /* pages lie in the fast tier, none is missing there */
} ek_list;

/* What an entry may name; creator as the plan counts it. */
typedef struct ek_instance {
  uint64_t site, context; /* 0: none */
  uint64_t creator;
  uint32_t ordinal, in_context; /* of the site's, of the context's */
} ek_instance;

typedef struct ek_plan_object {
  uint64_t site;
  uint64_t context; /* 0: any */
  uint64_t creator,
      ordinal;      /* may be EK_ANY; ordinal: of the context, if any */
  uint64_t of_site; /* with a context: of the site; may be EK_ANY */
  uint64_t more;    /* so many ordinals after these have the same entry */
  double least_bytes, most_bytes; /* of those planned for; 0: not known */
  double share;                   /* of the whole; used without ranges */
  double gain_s;
  const ek_plan_range *ranges;
  size_t range_count;
  bool used; /* an object of this run was named by it */
  /* All of a creator's, which only a change speaks of: until then entries for
   * an ordinal come before it. */
  bool waits;
  ek_group group;
} ek_plan_object;

/* From the start of a phase on, an entry's share is another one. */
typedef struct ek_plan_change {
  uint32_t phase;
  ek_plan_object *entry;
  double share, gain_s, worth;
  const ek_plan_range *ranges;
  size_t range_count;
} ek_plan_change;

/* A phase, in order. */
typedef struct ek_plan_step {
  uint32_t phase;
  uint64_t sync;  /* the hook that ends it; 0: none */
  double seconds; /* predicted */
  /* Of a team's threads in ek_plan.task_seconds, by number; 0: no team. Of a
   * plan for ranks: of all tasks that have a thread, whose numbers are in
   * ek_plan.task_index. */
  size_t first_task;
  uint32_t task_count;
  bool has_explicit; /* tasks whose numbers a run does not know */
} ek_plan_step;

typedef struct ek_plan_sync {
  uint64_t sync;
  size_t last; /* step that it ends */
} ek_plan_sync;

typedef struct ek_plan {
  struct ek_plan *older;   /* that this one replaced: objects may refer to it */
  ek_plan_object *objects; /* sorted by site, context, creator and ordinal */
  size_t count;
  ek_plan_object **by_order; /* those with `of_site`, sorted by it */
  size_t by_order_count;
  ek_plan_change *changes; /* by phase */
  size_t change_count, changes_done;
  uint64_t fast_bytes;
  uint64_t data_bytes;   /* of what it names, as predicted */
  const uint32_t *ranks; /* each rank's first creator; of MPI programs */
  size_t rank_count;     /* 0: one process */
  bool keeps_first_touch;
  bool all_fits; /* keeps it as long as all fits into the fast tier */
  ek_plan_step *steps;
  size_t step_count;
  ek_plan_sync *syncs; /* sorted */
  size_t sync_count;
  double *task_seconds; /* predicted */
  uint32_t *task_index; /* beside them; rising in each step */
  size_t task_width;    /* most tasks of a step */
  size_t replans;       /* bytes of what planning again takes; 0: it cannot */
  /* CPU time that reading took, and the bytes that it was for: all others. */
  uint64_t read_ns;
  size_t read_bytes;
  const char *file;            /* which has that, or NULL */
  const struct ek_name *names; /* of what it speaks of (core/names.h) */
} ek_plan;

/* Reads the file; NULL on failure with one line in \p error. Never throws. The
 * plan lives as long as the process. */
ek_plan *ek_plan_read(const char *path, char *error, size_t size);

/* Nothing of it is carried out, and nothing planned again. */
void ek_plan_drop(ek_plan *plan);

/* The context's entries before those of any; among equals exact creator and
 * ordinal before the creator's, the ordinal's, the site's entry. What comes
 * without a context, as the program does not tell it, may also be one of a
 * context by its order among the site's. NULL: not named. Any thread. */
ek_plan_object *ek_plan_find(const ek_plan *plan, const ek_instance *object);

/* How a plan tells the objects of a site from each other. */
typedef enum ek_plan_known {
  EK_KNOWS_NOTHING, /* it does not have the site */
  EK_KNOWS_ORDER,
  EK_KNOWS_CALLS /* those that make them */
} ek_plan_known;
ek_plan_known ek_plan_knows(const ek_plan *plan, uint64_t site);

/* Whether an entry of the plan, or of those that it replaced, has named an
 * object of this run. */
bool ek_plan_was_used(const ek_plan *plan);

/* Carries out a change. Whether other objects than its entry's may have another
 * entry now. */
bool ek_plan_change_now(ek_plan_change *change);

/* Tells the plan from others: ranks that were started with different ones must
 * not mix their times. */
uint64_t ek_plan_identity(const ek_plan *plan);

/* Of a plan for ranks: what each of them takes from the collective before
 * until the one that ends \p step, the slowest thread of each phase. Returns
 * the first step of that part, or step_count where it cannot be told. */
size_t ek_plan_part(const ek_plan *plan, size_t step, double *by_rank);
/* Whether the entry may name an object of rank \p rank. */
bool ek_plan_names_rank(const ek_plan *plan, const ek_plan_object *entry,
                        uint32_t rank);
/* Of the steps that the hook \p id ends the last; NULL: there are none. */
const ek_plan_sync *ek_plan_sync_of(const ek_plan *plan, uint64_t id);
/* Which rank has thread \p index. */
size_t ek_plan_rank_of(const ek_plan *plan, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
