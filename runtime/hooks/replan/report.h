/*===- report.h - what the summary says of phases and plans -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: sums over the phases that hooks ended, and over looks at the plan.
 * Leaves out: who counts them (balance.c, replan.cpp).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_REPORT_H
#define EVENKEEL_RUNTIME_REPLAN_REPORT_H

#include "placement/unlike.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What planning again did so far. */
typedef struct ek_replan_sum {
  uint64_t looks, plans, objects; /* of plans: entries that changed */
  double look_s;
  /* Of the phases after each plan, as parts of their time before: what was
   * promised, and what came of it; only of judged plans. */
  uint64_t judged;
  double promised, came;
  uint64_t incomparable; /* more came than was promised */
  bool stopped;
  uint64_t followed; /* plans of the node's first rank */
  /* Looks for what the plan does not know (unlike.h), and plans by them. */
  uint64_t unlike_looks, unlike_plans;
  ek_unlike_sum unlike; /* from ek_replan_end on */
  char why[160];        /* it could not plan, if it could not */
  /* JSON of what tasks took (profiles/format/SeenTypes.h), from
   * ek_replan_end on; or NULL: all took what the plan says. */
  char *seen;
} ek_replan_sum;
extern ek_replan_sum ek_replan_sums;

/* Phases of the plan against what they took, and what planning again did. */
void ek_report_phases(FILE *f);
void ek_report_phases_json(FILE *f); /* two members */

#ifdef __cplusplus
}
#endif
#endif
