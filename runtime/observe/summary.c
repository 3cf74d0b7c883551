/*===- summary.c - the end-of-run summary -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: every counter and every reason (reasons.def); those that are zero are
 * left out of the table and of the JSON's fallbacks.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/summary.h"
#include "calls/stack.h"
#include "core/file.h"
#include "core/options.h"
#include "core/reasons.h"
#include "core/say.h"
#include "core/stats.h"
#include "core/text.h"
#include "evenkeel/ek.h"
#include "hooks/ompt.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "observe/samples.h"
#include "observe/sums.h"
#include "observe/syncs.h"
#include "placement/look.h"
#include "placement/place.h"
#include "providers/provider.h"
#include "ranks/node.h"
#include "ranks/share.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *provider_name(void) {
  return ek_provider_now ? ek_provider_now->name : "none";
}

static void capacity(char *out, size_t size, uint64_t bytes) {
  if (bytes == EK_UNLIMITED)
    snprintf(out, size, "-");
  else
    snprintf(out, size, "%" PRIu64, bytes);
}

/* What the OpenMP library told, by the hook behind it; 0 where none was. */
static size_t teams(ek_sum **sums) {
  size_t count = ek_sums_take(EK_SUM_TEAM, sums);
  for (size_t i = 0; i < count; ++i)
    (*sums)[i].id = ek_ompt_hook_of((*sums)[i].id);
  return ek_sums_join(*sums, count);
}

/* Task times: one row per region or hook, over its threads. */
static void rows(FILE *f, const char *title, const ek_sum *sums, size_t count) {
  if (count)
    fprintf(f, "  %-16s %8s %10s %14s %14s %14s %8s\n", title, "threads",
            "times", "seconds", "least", "most", "waits");
  for (size_t i = 0, end; i < count; i = end) {
    uint64_t times = 0, ns = 0, least = UINT64_MAX, most = 0, hooks = 0;
    for (end = i; end < count && sums[end].id == sums[i].id; ++end) {
      times += sums[end].times;
      ns += sums[end].ns;
      hooks += sums[end].hooks;
      least = sums[end].ns < least ? sums[end].ns : least;
      most = sums[end].ns > most ? sums[end].ns : most;
    }
    fprintf(f,
            "  %016" PRIx64 " %8zu %10" PRIu64 " %14.6f %14.6f %14.6f %8" PRIu64
            "\n",
            sums[i].id, end - i, times, (double)ns * 1e-9, (double)least * 1e-9,
            (double)most * 1e-9, ek_ompt_on || ek_teams_seen ? 0 : hooks);
  }
}

static void counted(FILE *f, const char *title, const ek_sum *sums,
                    size_t count) {
  if (!ek_counters_on || !count)
    return;
  fprintf(f, "  %-16s", title);
  for (unsigned c = 0; c < EK_COUNTERS; ++c)
    fprintf(f, " %20s", ek_counter_names[c]);
  for (size_t i = 0, end; i < count; i = end) {
    uint64_t all[EK_COUNTERS] = {0};
    for (end = i; end < count && sums[end].id == sums[i].id; ++end)
      for (unsigned c = 0; c < EK_COUNTERS; ++c)
        all[c] += sums[end].counts[c];
    fprintf(f, "\n  %016" PRIx64, sums[i].id);
    for (unsigned c = 0; c < EK_COUNTERS; ++c)
      if (ek_counters_mask & 1u << c)
        fprintf(f, " %20" PRIu64, all[c]);
      else
        fprintf(f, " %20s", "-");
  }
  fputc('\n', f);
}

static void regions(FILE *f) {
  ek_sum *sums;
  size_t count = ek_sums_take(EK_SUM_REGION, &sums);
  rows(f, "region", sums, count);
  counted(f, "region", sums, count);
  free(sums);
  count = teams(&sums);
  rows(f, "ended by hook", sums, count);
  counted(f, "ended by hook", sums, count);
  if (ek_counters_why[0])
    fprintf(f, "  no counters: %s\n", ek_counters_why);
  free(sums);
}

/* Sampled addresses by site; "-" are those of no object. */
static void samples(FILE *f) {
  if (ek_samples_why[0])
    fprintf(f, "  no samples: %s\n", ek_samples_why);
  if (!ek_samples_on)
    return;
  ek_sample_sum *sums;
  size_t count = ek_samples_sums(&sums);
  fprintf(f, "  %-16s %12s %12s %14s\n", "sampled at", "samples", "from memory",
          "cycles each");
  for (size_t i = 0; i < count; ++i) {
    char site[24] = "-";
    if (sums[i].site)
      snprintf(site, sizeof site, "%016" PRIx64, sums[i].site);
    fprintf(f, "  %-16s %12" PRIu64 " %12" PRIu64 " %14.1f\n", site,
            sums[i].samples, sums[i].memory,
            sums[i].memory
                ? (double)sums[i].memory_cycles / (double)sums[i].memory
                : 0);
  }
  free(sums);
}

static void json_samples(FILE *f) {
  ek_sample_sum *sums = NULL;
  size_t count = ek_samples_on ? ek_samples_sums(&sums) : 0;
  fprintf(f, "  \"samples\": [");
  for (size_t i = 0; i < count; ++i)
    fprintf(f,
            "%s\n    {\"site\": \"%016" PRIx64 "\", \"samples\": %" PRIu64
            ", \"memory\": %" PRIu64 ", \"memory_cycles\": %" PRIu64 "}",
            i ? "," : "", sums[i].site, sums[i].samples, sums[i].memory,
            sums[i].memory_cycles);
  fprintf(f, "%s],\n", count ? "\n  " : "");
  free(sums);
}

/* What the plan predicts of the phases that one hook ends, and what they took;
 * of a plan made for another machine the former is that machine's. */
static void phases(FILE *f) {
  ek_phase_sum *sums;
  size_t count = ek_balance_phases(&sums);
  if (count)
    fprintf(f, "  %-16s %8s %14s %14s\n", "phase ended by", "times",
            "predicted s", "measured s");
  for (size_t i = 0; i < count; ++i)
    fprintf(f, "  %016" PRIx64 " %8" PRIu64 " %14.6f %14.6f\n", sums[i].sync,
            sums[i].times, sums[i].predicted_s, sums[i].measured_s);
  free(sums);
  const ek_replan_sum *r = &ek_replan_sums;
  if (r->looks)
    fprintf(f,
            "  planned again %" PRIu64 " times in %" PRIu64
            " looks (%.6f s), %" PRIu64 " sites moved\n",
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
    fprintf(f, "  followed %" PRIu64 " plans of the node's first rank\n",
            r->followed);
  if (r->judged)
    fprintf(f,
            "  of %" PRIu64 " of these plans: phases shorter by %.1f %% "
            "promised, %.1f %% came%s\n",
            r->judged, 100 * r->promised / (double)r->judged,
            100 * r->came / (double)r->judged,
            r->stopped ? "; stopped, as it did not help" : "");
  if (r->incomparable)
    fprintf(f,
            "  of %" PRIu64 " of these plans: more came than was promised, not "
            "comparable\n",
            r->incomparable);
  if (r->why[0])
    fprintf(f, "  not planned again: %s\n", r->why);
}

/* Which part of the time of moving cost the program's threads no time of
 * waiting. */
static double overlap(void) {
  double all = (double)ek_get(move_ns), beside = (double)ek_get(beside_ns);
  double waited = (double)ek_get(waited_ns);
  return all > 0 && beside > waited ? (beside - waited) / all : 0;
}

/* Bytes that no object has, but that are not given back, by tier. */
static uint64_t kept(unsigned tier) {
  return tier < ek_tier_count && ek_tier_count > 1
             ? ek_kept_bytes(tier ? ek_tier_count - 1 : 0)
             : 0;
}

static void table(FILE *f) {
  char room[24], pins[40] = "";
  if (ek_get(pinned))
    snprintf(pins, sizeof pins, ", pinned %" PRIu64, ek_get(pinned));
  fprintf(f, "evenkeel: summary (provider %s, bytes)\n", provider_name());
  fprintf(f, "  %-12s %16s %16s %16s %16s %10s\n", "tier", "capacity", "placed",
          "peak", "at end", "objects");
  for (unsigned t = 0; t < ek_tier_count; ++t) {
    capacity(room, sizeof room, ek_place_capacity(t));
    fprintf(f,
            "  %-12s %16s %16" PRIu64 " %16" PRIu64 " %16" PRIu64 " %10" PRIu64
            "\n",
            ek_tiers[t].name, room, ek_use[t].most, ek_use[t].peak,
            ek_use[t].live, ek_use[t].objects);
  }
  fprintf(f,
          "  objects %" PRIu64 ": planned %" PRIu64 ", by call %" PRIu64
          "%s, unplanned %" PRIu64 "; freed %" PRIu64 "; globals %" PRIu64 "\n",
          ek_get(objects), ek_get(planned), ek_get(by_call), pins,
          ek_get(unplanned), ek_get(freed), ek_get(globals));
  fprintf(f,
          "  moved %" PRIu64 " pages in %" PRIu64 " batches; hooks %" PRIu64
          " serial, %" PRIu64 " team\n",
          ek_get(moved_pages), ek_get(move_calls), ek_get(hooks_serial),
          ek_get(hooks_team));
  if (ek_get(move_calls))
    fprintf(f,
            "  of them %" PRIu64 " out of the fast tier; %.6f s, hooks waited "
            "%.6f s; %" PRIu64 " cancelled\n",
            ek_get(demoted_pages), (double)ek_get(move_ns) * 1e-9,
            (double)ek_get(hook_ns) * 1e-9, ek_get(move_cancelled));
  ek_look_print(f);
  if (ek_get(beside_ns))
    fprintf(
        f,
        "  %.1f %% of that time passed beside the program; it waited %.6f s "
        "to free what was on the move\n",
        100 * overlap(), (double)ek_get(waited_ns) * 1e-9);
  if (ek_get(kept_taken) || ek_get(kept_returned))
    fprintf(f,
            "  freed extents taken again %" PRIu64 " times, given back %" PRIu64
            "; kept at end %" PRIu64 " bytes fast, %" PRIu64 " slow\n",
            ek_get(kept_taken), ek_get(kept_returned), kept(0), kept(1));
  ek_syncs_table(f);
  phases(f);
  regions(f);
  samples(f);
  if (ek_get(library_bytes) || ek_get(unnamed_bytes))
    fprintf(f,
            "  large objects: %" PRIu64 " bytes with an id, %" PRIu64
            " without, %" PRIu64 " of libraries\n",
            ek_get(named_bytes), ek_get(unnamed_bytes), ek_get(library_bytes));
  for (unsigned i = 0; i < EK_WHY_COUNT; ++i)
    if (ek_get(why[i]))
      ek_reason_line(f, i, ek_get(why[i]), ek_get(why_bytes[i]));
}

static uint64_t refused_pages(void) {
  return ek_get(why[EK_WHY_move_refused]) + ek_get(why[EK_WHY_move_busy]) +
         ek_get(why[EK_WHY_move_no_memory]) + ek_get(why[EK_WHY_move_denied]) +
         ek_get(why[EK_WHY_move_shared]);
}

static void json_balance(FILE *f) {
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

/* Members of a task's row: what was counted, null where it was not. */
static void json_counts(FILE *f, const ek_sum *s) {
  for (unsigned c = 0; ek_counters_on && c < EK_COUNTERS; ++c)
    if (ek_counters_mask & 1u << c)
      fprintf(f, ", \"%s\": %" PRIu64, ek_counter_names[c], s->counts[c]);
    else
      fprintf(f, ", \"%s\": null", ek_counter_names[c]);
  fputc('}', f);
}

static void json(FILE *f) {
  fprintf(f, "{\n  \"schema\": \"evenkeel.summary/1\",\n");
  fprintf(f, "  \"provider\": \"%s\",\n  \"tiers\": [", provider_name());
  for (unsigned t = 0; t < ek_tier_count; ++t) {
    fprintf(f, "%s\n    {\"name\": \"%s\", \"capacity_bytes\": ", t ? "," : "",
            ek_tiers[t].name);
    if (ek_place_capacity(t) == EK_UNLIMITED)
      fprintf(f, "null");
    else
      fprintf(f, "%" PRIu64, ek_place_capacity(t));
    fprintf(f,
            ", \"placed_bytes\": %" PRIu64 ", \"peak_bytes\": %" PRIu64
            ", \"end_bytes\": %" PRIu64 ", \"bytes_in_all\": %" PRIu64
            ", \"objects\": %" PRIu64 "}",
            ek_use[t].most, ek_use[t].peak, ek_use[t].live, ek_use[t].placed,
            ek_use[t].objects);
  }
  fprintf(f,
          "\n  ],\n  \"objects\": {\"placed\": %" PRIu64 ", \"freed\": %" PRIu64
          ", \"globals\": %" PRIu64 ", \"planned\": %" PRIu64
          ", \"by_call\": %" PRIu64 ", \"pinned\": %" PRIu64
          ", \"unplanned\": %" PRIu64 "},\n",
          ek_get(objects), ek_get(freed), ek_get(globals), ek_get(planned),
          ek_get(by_call), ek_get(pinned), ek_get(unplanned));
  fprintf(f,
          "  \"large_bytes\": {\"named\": %" PRIu64 ", \"unnamed\": %" PRIu64
          ", \"libraries\": %" PRIu64 "},\n",
          ek_get(named_bytes), ek_get(unnamed_bytes), ek_get(library_bytes));
  fprintf(f,
          "  \"migration\": {\"pages\": %" PRIu64 ", \"demoted\": %" PRIu64
          ", \"batches\": %" PRIu64 ", \"passes\": %" PRIu64
          ", \"seconds\": %.9f, \"hook_seconds\": %.9f, \"cancelled\": %" PRIu64
          ", \"plan_changes\": %" PRIu64 ", \"refused\": %" PRIu64
          ", \"beside_seconds\": %.9f, \"waited_seconds\": %.9f, "
          "\"overlap\": %.6f},\n",
          ek_get(moved_pages), ek_get(demoted_pages), ek_get(move_calls),
          ek_get(move_passes), (double)ek_get(move_ns) * 1e-9,
          (double)ek_get(hook_ns) * 1e-9, ek_get(move_cancelled),
          ek_get(plan_changes), refused_pages(),
          (double)ek_get(beside_ns) * 1e-9, (double)ek_get(waited_ns) * 1e-9,
          overlap());
  ek_look_json(f);
  fprintf(f,
          "  \"kept\": {\"taken\": %" PRIu64 ", \"returned\": %" PRIu64
          ", \"fast_bytes\": %" PRIu64 ", \"slow_bytes\": %" PRIu64 "},\n",
          ek_get(kept_taken), ek_get(kept_returned), kept(0), kept(1));
  fprintf(f, "  \"hooks\": {\"serial\": %" PRIu64 ", \"team\": %" PRIu64 "},\n",
          ek_get(hooks_serial), ek_get(hooks_team));
  ek_syncs_json(f);
  json_balance(f);
  json_samples(f);
  fprintf(f, "  \"fallbacks\": {");
  const char *comma = "";
  for (unsigned i = 0; i < EK_WHY_COUNT; ++i)
    if (ek_get(why[i])) {
      fprintf(f, "%s\n    ", comma);
      ek_reason_json(f, i, ek_get(why[i]), ek_get(why_bytes[i]));
      comma = ",";
    }
  fprintf(f, "%s},\n  \"sync_points\": [", comma[0] ? "\n  " : "");
  ek_sum *sums;
  size_t count = ek_sums_take(EK_SUM_HOOK, &sums);
  for (size_t i = 0; i < count; ++i)
    fprintf(f,
            "%s\n    {\"id\": \"%016" PRIx64
            "\", \"context\": \"%s\", \"times\": %" PRIu64 "}",
            i ? "," : "", sums[i].id,
            sums[i].which == EK_TEAM ? "team" : "serial", sums[i].times);
  free(sums);
  fprintf(f, "%s],\n  \"regions\": [", count ? "\n  " : "");
  count = ek_sums_take(EK_SUM_REGION, &sums);
  for (size_t i = 0; i < count; ++i) {
    fprintf(f,
            "%s\n    {\"region\": \"%016" PRIx64
            "\", \"thread\": %u, \"times\": %" PRIu64
            ", \"seconds\": %.9f, \"waits\": %" PRIu64,
            i ? "," : "", sums[i].id, sums[i].which, sums[i].times,
            (double)sums[i].ns * 1e-9,
            ek_ompt_on || ek_teams_seen ? 0 : sums[i].hooks);
    json_counts(f, &sums[i]);
  }
  free(sums);
  fprintf(f, "%s],\n  \"teams\": [", count ? "\n  " : "");
  count = teams(&sums);
  for (size_t i = 0; i < count; ++i) {
    fprintf(f,
            "%s\n    {\"ended_by\": \"%016" PRIx64
            "\", \"thread\": %u, \"times\": %" PRIu64 ", \"seconds\": %.9f",
            i ? "," : "", sums[i].id, sums[i].which, sums[i].times,
            (double)sums[i].ns * 1e-9);
    json_counts(f, &sums[i]);
  }
  fprintf(f, "%s]\n}\n", count ? "\n  " : "");
  free(sums);
}

static void to_file(const char *pattern, void (*print)(FILE *)) {
  char path[4096], from_start[4096];
  size_t size = 0;
  char *text = NULL;
  ek_text_path(path, sizeof path, pattern);
  FILE *f = open_memstream(&text, &size);
  if (f)
    print(f);
  if (!f || fclose(f) != 0 ||
      !ek_text_from_start(from_start, sizeof from_start, path) ||
      !ek_file_put(from_start, text, size))
    ek_say("evenkeel: cannot write the summary to %s: %s\n", path,
           ek_text_error(errno));
  free(text);
}

int omp_get_level(void) __attribute__((weak, visibility("default")));

static void write_table(ek_printer *print) {
  const char *to = ek_opt.summary;
  if (strcmp(to, "1") == 0) {
    if (ek_say_may())
      print(stderr);
  } else if (to[0] && strcmp(to, "0") != 0)
    to_file(to, print);
}

static void write_json(ek_printer *print) {
  if (ek_opt.summary_json[0])
    to_file(ek_opt.summary_json, print);
}

void ek_summary_write(void) {
  if (ek_samples_on)
    ek_samples_drain();
  if (ek_share_unknown())
    ek_place_ranks();
  if (ek_ompt_taken()) {
    ek_count(EK_WHY_ompt_taken, 1);
    if (!ek_opt.summary[0])
      ek_say("evenkeel: ompt-taken: another OMPT tool stands before "
             "the runtime's, which gets no times of threads\n");
  } else if (omp_get_level && !ek_ompt_on && !ek_teams_seen &&
             ek_get(hooks_serial) &&
             !(ek_stack_knows_joins && ek_stack_knows_joins()))
    ek_count(EK_WHY_no_task_time, 1);
  ek_look_end();
  ek_syncs_totals(&ek_stats.passed_hooked, &ek_stats.passed_without);
  bool others_write = ek_node_leave(table, json, write_table, write_json);
  if (!others_write || strstr(ek_opt.summary, "%p"))
    write_table(table);
  if (!others_write || strstr(ek_opt.summary_json, "%p"))
    write_json(json);
}
