/*===- plan.h - the plan as the runtime sees it -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: plan.json, read once into flat arrays by plan.cpp (the one C++ file
 * here that knows profiles/format).
 * Leaves out: re-planning, and all of the plan that is for people.
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

typedef struct ek_plan_object {
  uint64_t site;
  uint64_t context;          /* 0: any */
  uint64_t creator, ordinal; /* may be EK_ANY */
  double share;              /* of the whole; used without ranges */
  double gain_s;
  const ek_plan_range *ranges;
  size_t range_count;
  bool used; /* an object of this run was named by it */
} ek_plan_object;

typedef struct ek_plan {
  ek_plan_object *objects; /* sorted by site */
  size_t count;
  uint64_t fast_bytes;
  bool keeps_first_touch;
} ek_plan;

/* Reads the file; NULL on failure with one line in \p error. Never throws. The
 * plan lives as long as the process. */
ek_plan *ek_plan_read(const char *path, char *error, size_t size);

/* The context's entries before those of any; among equals exact creator and
 * ordinal before the creator's, the ordinal's, the site's entry. NULL: not
 * named. Any thread. */
ek_plan_object *ek_plan_find(const ek_plan *plan, uint64_t site,
                             uint64_t context, uint64_t creator,
                             uint64_t ordinal);

#ifdef __cplusplus
}
#endif
#endif
