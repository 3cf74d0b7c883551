/*===- report.c - phases and planning in the summary --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See report.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/replan/report.h"
#include "core/names.h"
#include "core/text.h"
#include "hooks/replan/balance.h"

#include <inttypes.h>
#include <stdlib.h>

ek_replan_sum ek_replan_sums;

/* Prints the predicted and measured times of the phases, by the hook that ends
 * them. A plan for another machine predicts that machine's times. */
void ek_report_phases(FILE *f) {
  ek_phase_sum *sums;
  size_t count = ek_balance_phases(&sums);
  char name[EK_NAME_SIZE];
  if (count)
    fprintf(f, "  %-*s %8s %14s %14s\n", EK_NAME_COLUMNS, "phase", "times",
            "predicted s", "measured s");
  for (size_t i = 0; i < count; ++i)
    fprintf(f, "  %-*s %8" PRIu64 " %14.6f %14.6f\n", EK_NAME_COLUMNS,
            ek_name_of(name, "after ", sums[i].sync), sums[i].times,
            sums[i].predicted_s, sums[i].measured_s);
  free(sums);
  const ek_replan_sum *r = &ek_replan_sums;
  if (r->looks)
    fprintf(f,
            "  planned again %" PRIu64 " times in %" PRIu64
            " looks at the plan (%.6f s); objects of %" PRIu64
            " sites were placed anew\n",
            r->plans, r->looks, r->look_s, r->objects);
  const ek_unlike_sum unlike = r->unlike;
  if (unlike.phases || unlike.objects) {
    fprintf(f, "  not in the plan: %" PRIu64 " phases", unlike.phases);
    if (unlike.phases)
      fprintf(f, " (the first ended by %016" PRIx64 ")", unlike.sync);
    fprintf(f,
            ", %" PRIu64 " objects; looked at %" PRIu64
            " times, planned again %" PRIu64 " times\n",
            unlike.objects, r->unlike_looks, r->unlike_plans);
  }
  if (r->followed)
    fprintf(f,
            "  carried out %" PRIu64 " plans that the node's first rank made\n",
            r->followed);
  if (r->judged)
    fprintf(f,
            "  %" PRIu64 " of these plans were judged: the predicted gain was "
            "%.1f %%, the measured gain %.1f %%%s\n",
            r->judged, 100 * r->promised / (double)r->judged,
            100 * r->came / (double)r->judged,
            r->stopped ? "; planning again stopped, as it did not help" : "");
  if (r->incomparable)
    fprintf(f,
            "  %" PRIu64 " of these plans could not be judged: phases became "
            "faster than predicted for any placement\n",
            r->incomparable);
  if (r->why[0])
    fprintf(f, "  cannot plan again: %s\n", r->why);
}

void ek_report_phases_json(FILE *f) {
  ek_phase_sum *sums;
  size_t count = ek_balance_phases(&sums);
  fprintf(f, "  \"phases\": [");
  for (size_t i = 0; i < count; ++i)
    fprintf(f,
            "%s\n    {\"ended_by\": \"%016" PRIx64 "\", \"times\": %" PRIu64
            ", \"predicted_seconds\": %.9f, \"measured_seconds\": %.9f}",
            i ? "," : "", sums[i].sync, sums[i].times, sums[i].predicted_s,
            sums[i].measured_s);
  free(sums);
  const ek_replan_sum *r = &ek_replan_sums;
  const ek_unlike_sum unlike = r->unlike;
  fprintf(f,
          "%s],\n  \"balance\": {\"looks\": %" PRIu64 ", \"plans\": %" PRIu64
          ", \"sites\": %" PRIu64 ", \"look_seconds\": %.9f, \"judged\": "
          "%" PRIu64 ", \"promised\": %.6f, \"came\": %.6f, "
          "\"incomparable\": %" PRIu64 ", "
          "\"stopped\": %s, \"followed\": %" PRIu64
          ", \"unlike\": {\"phases\": %" PRIu64 ", \"objects\": %" PRIu64
          ", \"looks\": %" PRIu64 ", \"plans\": %" PRIu64 "}, \"why\": ",
          count ? "\n  " : "", r->looks, r->plans, r->objects, r->look_s,
          r->judged, r->promised, r->came, r->incomparable,
          r->stopped ? "true" : "false", r->followed, unlike.phases,
          unlike.objects, r->unlike_looks, r->unlike_plans);
  char why[2 * sizeof r->why];
  ek_text_json(why, sizeof why, r->why);
  fprintf(f, "%s, \"seen\": %s},\n", why, r->seen ? r->seen : "null");
}
