/*===- report.h - phases and planning in the summary --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: sums over the phases that hooks ended, and over looks at the plan.
 * Not here: the counting (balance.c, replan.cpp).
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

/* Totals of planning again. */
typedef struct ek_replan_sum {
  uint64_t looks, plans, objects; /* objects: entries that changed */
  double look_s;
  /* For the plans that were judged: the sum of the predicted and of the actual
   * reductions of phase times, as fractions of the times before. */
  uint64_t judged;
  double promised, came;
  uint64_t incomparable; /* plans whose phases sped up beyond any prediction */
  bool stopped;
  uint64_t followed; /* plans taken over from the node's first rank */
  /* Looks at phases missing in the plan (unlike.h), and plans they led to. */
  uint64_t unlike_looks, unlike_plans;
  ek_unlike_sum unlike; /* set by ek_replan_end */
  char why[160];        /* why it could not plan; "" if it could */
  /* Task times that differed from the plan, as JSON
   * (profiles/format/SeenTypes.h); set by ek_replan_end. NULL: none did. */
  char *seen;
} ek_replan_sum;
extern ek_replan_sum ek_replan_sums;

/* Print the plan's phases with their measured times, and the totals above. */
void ek_report_phases(FILE *f);
void ek_report_phases_json(FILE *f); /* two members */

#ifdef __cplusplus
}
#endif
#endif
