/*===- plan.h - the plan as the runtime sees it -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: plan.json, read once into flat arrays by flatten.cpp (the only file
 * here that knows profiles/format).
 * Not here: planning again (replan.h), and the explanations for people.
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

/* The first `share` (0..1) of each of the chunks [from, to) is fast. */
typedef struct ek_plan_range {
  unsigned from, to;
  double share;
} ek_plan_range;

#define EK_ANY UINT64_MAX

struct ek_object;

/* Objects for which a byte in the fast tier gains equally much. */
typedef struct ek_group {
  double worth; /* gain in seconds per byte; below 0: displaced first */
  size_t at;    /* index among all groups (groups.h) */
  struct ek_object *first[2], *last[2]; /* by ek_list - 1 */
} ek_group;
typedef enum ek_list {
  EK_UNLISTED,
  EK_SHORT,  /* some pages lie, or may lie, elsewhere than wanted */
  EK_CONTENT /* it has pages in the fast tier and lacks none */
} ek_list;

/* The object to look up; its creator in the plan's numbering. */
typedef struct ek_instance {
  uint64_t site, context; /* context 0: none */
  uint64_t creator;
  uint32_t ordinal, in_context; /* within the site, within the context */
} ek_instance;

typedef struct ek_plan_object {
  uint64_t site;
  uint64_t context; /* 0: any */
  /* Both may be EK_ANY. The ordinal counts within the context if there is
   * one. */
  uint64_t creator, ordinal; /* EK_SMALL_BLOCKS: it is an arena */
  uint64_t of_site; /* with a context: ordinal within the site, or EK_ANY */
  uint64_t more;    /* the entry also covers this many following ordinals */
  double least_bytes, most_bytes; /* sizes it was planned for; 0: unknown */
  double share;                   /* of the whole object; used without ranges */
  double gain_s;
  const ek_plan_range *ranges;
  size_t range_count;
  bool used; /* it named an object of this run */
  /* The entry covers all objects of a creator, and only a change uses it: until
   * then entries for an ordinal take precedence. */
  bool waits;
  ek_group group;
} ek_plan_object;

/* From the start of a phase, an entry has a different share. */
typedef struct ek_plan_change {
  uint32_t phase;
  ek_plan_object *entry;
  double share, gain_s, worth;
  const ek_plan_range *ranges;
  size_t range_count;
} ek_plan_change;

/* One phase of the plan; steps are in order. */
typedef struct ek_plan_step {
  uint32_t phase;
  uint64_t sync;  /* the hook that ends it; 0: none */
  double seconds; /* predicted */
  /* The predicted times in ek_plan.task_seconds: of a team's threads, by thread
   * number (task_count 0: no team); in a plan for ranks, of all tasks that have
   * a thread, with their numbers in ek_plan.task_index. */
  size_t first_task;
  uint32_t task_count;
  bool hands_over;   /* the program hands over values before its region */
  bool has_explicit; /* it has explicit tasks, whose numbers a run lacks */
  size_t first_kind; /* of ek_plan.task_kinds: its explicit tasks, by region */
  uint32_t kind_count;
} ek_plan_step;

typedef struct ek_plan_task_kind {
  uint64_t region, tasks;
  double seconds; /* predicted, of all of them */
} ek_plan_task_kind;

typedef struct ek_plan_sync {
  uint64_t sync;
  size_t last; /* the last step that it ends */
} ek_plan_sync;

/* Before \p region begins, the program hands over the value of a variable,
 * which is that of a symbol. */
typedef struct ek_plan_value {
  uint64_t region, handed_as, symbol;
  size_t index;    /* among the plan's symbols */
  double expected; /* the value that the plan was made for */
  bool expects;    /* there is one */
} ek_plan_value;

/* Each thread of \p region hands over the iterations of a loop, which are the
 * value of a symbol. */
typedef struct ek_plan_total {
  uint64_t region, handed_as, symbol;
} ek_plan_total;

typedef struct ek_plan {
  struct ek_plan *older;   /* the plan it replaced: objects may refer to it */
  ek_plan_object *objects; /* sorted by site, context, creator and ordinal */
  size_t count;
  ek_plan_object **by_order; /* entries with `of_site`, sorted by order() */
  size_t by_order_count;
  ek_plan_change *changes; /* by phase */
  size_t change_count, changes_done;
  uint64_t fast_bytes;
  uint64_t data_bytes;   /* predicted size of all objects it names */
  const uint32_t *ranks; /* MPI programs: the first creator of each rank */
  size_t rank_count;     /* 0: a single process */
  bool keeps_first_touch;
  bool all_fits; /* it keeps first touch only while all data fits */
  ek_plan_step *steps;
  size_t step_count;
  ek_plan_sync *syncs; /* sorted */
  size_t sync_count;
  double *task_seconds; /* predicted */
  uint32_t *task_index; /* parallel to task_seconds; rises in each step */
  size_t task_width;    /* the largest number of tasks of a step */
  ek_plan_task_kind *task_kinds;
  ek_plan_value *values; /* sorted by region */
  size_t value_count, symbol_count;
  ek_plan_total *totals; /* sorted by region and handed_as */
  size_t total_count;
  size_t replans; /* bytes of its data for planning again; 0: none */
  /* CPU time of reading the file, and the bytes read apart from `replans`. */
  uint64_t read_ns;
  size_t read_bytes;
  const char *file;            /* the file with that data, or NULL */
  const struct ek_name *names; /* names of its ids (core/names.h) */
} ek_plan;

/* Reads the file. Returns a plan that is never freed; or NULL, with one line in
 * \p error. Throws nothing. */
ek_plan *ek_plan_read(const char *path, char *message, size_t size);

/* Disables the plan: nothing is placed by it, and nothing planned again. */
void ek_plan_drop(ek_plan *plan);

/* The entry for an object, or NULL. Entries for the object's context precede
 * entries for any context; then the exact creator and ordinal precede the
 * creator alone, the ordinal alone, and the site alone. If the program did not
 * report the object's context, entries for a context may match by order within
 * the site. Thread-safe. */
ek_plan_object *ek_plan_find(const ek_plan *plan, const ek_instance *object);

/* How a plan tells the objects of a site apart. */
typedef enum ek_plan_known {
  EK_KNOWS_NOTHING, /* the site is not in the plan */
  EK_KNOWS_ORDER,
  EK_KNOWS_CALLS /* by the calls that allocate them */
} ek_plan_known;
ek_plan_known ek_plan_knows(const ek_plan *plan, uint64_t site);

/* Whether an entry of this plan, or of a plan that it replaced, has named an
 * object of this run. */
bool ek_plan_was_used(const ek_plan *plan);

/* Puts a change into force. Returns whether objects of other entries may now
 * have another entry. */
bool ek_plan_change_now(ek_plan_change *change);

/* A hash that tells plans apart: ranks that were started with different plans
 * must not mix their times. */
uint64_t ek_plan_identity(const ek_plan *plan);

/* For a plan for ranks: sets \p times to the time each rank takes from the
 * previous collective to the one that ends \p step, in seconds (the slowest
 * thread of each phase, summed). Returns the first step after the previous
 * collective, or step_count if the time is unknown. */
size_t ek_plan_part(const ek_plan *plan, size_t step, double *times);
/* Whether the entry may name an object of rank \p rank. */
bool ek_plan_names_rank(const ek_plan *plan, const ek_plan_object *entry,
                        uint32_t rank);
/* The steps that hook \p id ends, or NULL. */
const ek_plan_sync *ek_plan_sync_of(const ek_plan *plan, uint64_t id);
/* The first row for \p region in ek_plan.values, or where it would be. */
const ek_plan_value *ek_plan_values_of(const ek_plan *plan, uint64_t region);
/* The rank that has the thread with number \p index. */
size_t ek_plan_rank_of(const ek_plan *plan, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
