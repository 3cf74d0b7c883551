/*===- finish.c - the summary at the end of a process -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the parts of the summary and their order; each room prints its own.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "finish.h"
#include "arenas/arena.h"
#include "calls/stack.h"
#include "core/options.h"
#include "core/say.h"
#include "core/stats.h"
#include "hooks/made.h"
#include "hooks/ompt.h"
#include "hooks/replan/replan.h"
#include "hooks/replan/report.h"
#include "observe/samples.h"
#include "observe/seen.h"
#include "observe/summary.h"
#include "observe/syncs.h"
#include "placement/look.h"
#include "placement/place.h"
#include "placement/report.h"
#include "ranks/node.h"
#include "ranks/share.h"
#include "required/required.h"
#include "rows/rows.h"

#include <string.h>

static ek_summary_printer *const table_parts[] = {
    ek_report_tiers,    ek_required_table,  ek_rows_print,
    ek_summary_objects, ek_arenas_print,    ek_summary_moves,
    ek_look_print,      ek_summary_overlap, ek_report_kept,
    ek_syncs_table,     ek_report_phases,   ek_summary_regions,
    ek_summary_samples, ek_summary_large,   ek_summary_reasons};

static ek_summary_printer *const json_parts[] = {ek_report_tiers_json,
                                                 ek_required_json,
                                                 ek_rows_json,
                                                 ek_summary_objects_json,
                                                 ek_arenas_json,
                                                 ek_summary_moves_json,
                                                 ek_look_json,
                                                 ek_report_kept_json,
                                                 ek_summary_hooks_json,
                                                 ek_syncs_json,
                                                 ek_report_phases_json,
                                                 ek_summary_samples_json,
                                                 ek_summary_reasons_json,
                                                 ek_summary_sync_points_json,
                                                 ek_summary_regions_json,
                                                 ek_summary_teams_json};

static void table(FILE *f) {
  for (size_t i = 0; i < sizeof table_parts / sizeof *table_parts; ++i)
    table_parts[i](f);
}

static void json(FILE *f) {
  for (size_t i = 0; i < sizeof json_parts / sizeof *json_parts; ++i)
    json_parts[i](f);
}

int omp_get_level(void) __attribute__((weak, visibility("default")));

void ek_finish_summary(void) {
  if (ek_samples_on)
    ek_samples_drain();
  if (ek_share_unknown()) {
    ek_place_ranks();
    ek_replan_join();
  }
  if (ek_ompt_taken()) {
    ek_count(EK_WHY_ompt_taken, 1);
    if (!ek_opt.summary[0] && ek_ompt_asked())
      ek_say("evenkeel: ompt-taken: another OMPT tool was loaded first; the "
             "runtime gets no thread times\n");
  } else if (omp_get_level && !ek_ompt_on && !ek_teams_seen &&
             ek_get(hooks_serial) &&
             !(ek_stack_knows_joins && ek_stack_knows_joins()))
    ek_count(EK_WHY_no_task_time, 1);
  ek_look_end();
  ek_syncs_totals(&ek_stats.passed_hooked, &ek_stats.passed_without);
  bool others_write = ek_node_leave(
      &(ek_node_last){table, json, ek_summary_write, ek_summary_write_json,
                      ek_seen_keep_imbalance, ek_use, ek_place_capacity});
  if (!others_write || strstr(ek_opt.summary, "%p"))
    ek_summary_write(table);
  if (!others_write || strstr(ek_opt.summary_json, "%p"))
    ek_summary_write_json(json);
}
