/*===- summary.c - the end-of-run summary -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how counters, sums and reasons (reasons.def) are printed. Counts of
 * zero are omitted from the table and from the JSON's fallbacks.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/summary.h"
#include "core/file.h"
#include "core/names.h"
#include "core/options.h"
#include "core/reasons.h"
#include "core/say.h"
#include "core/stats.h"
#include "core/text.h"
#include "observe/samples.h"
#include "observe/sums.h"
#include "observe/syncs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t (*hook_of)(uint64_t code);

void ek_summary_by(uint64_t (*of)(uint64_t code)) { hook_of = of; }

/* Times that the OpenMP library reported, by the hook that follows; id 0: there
 * was none. */
static size_t teams(ek_sum **sums) {
  size_t count = ek_sums_take(EK_SUM_TEAM, sums);
  for (size_t i = 0; i < count; ++i)
    (*sums)[i].id = hook_of((*sums)[i].id);
  return ek_sums_join(*sums, count);
}

/* Prints task times: one row per region or hook, over all its threads. */
static void rows(FILE *f, const char *title, const char *before,
                 const ek_sum *sums, size_t count) {
  char name[EK_NAME_SIZE];
  if (count)
    fprintf(f, "  %-*s %8s %10s %14s %14s %14s %8s\n", EK_NAME_COLUMNS, title,
            "threads", "times", "seconds", "least", "most", "waits");
  for (size_t i = 0, end; i < count; i = end) {
    uint64_t times = 0, ns = 0, least = UINT64_MAX, most = 0, hooks = 0;
    for (end = i; end < count && sums[end].id == sums[i].id; ++end) {
      times += sums[end].times;
      ns += sums[end].ns;
      hooks += sums[end].hooks;
      least = sums[end].ns < least ? sums[end].ns : least;
      most = sums[end].ns > most ? sums[end].ns : most;
    }
    fprintf(f, "  %-*s %8zu %10" PRIu64 " %14.6f %14.6f %14.6f %8" PRIu64 "\n",
            EK_NAME_COLUMNS, ek_name_of(name, before, sums[i].id), end - i,
            times, (double)ns * 1e-9, (double)least * 1e-9, (double)most * 1e-9,
            ek_syncs_see_openmp() ? 0 : hooks);
  }
}

static void counted(FILE *f, const char *title, const char *before,
                    const ek_sum *sums, size_t count) {
  char name[EK_NAME_SIZE];
  if (!ek_counters_on || !count)
    return;
  fprintf(f, "  %-*s", EK_NAME_COLUMNS, title);
  for (unsigned c = 0; c < EK_COUNTERS; ++c)
    fprintf(f, " %20s", ek_counter_names[c]);
  for (size_t i = 0, end; i < count; i = end) {
    uint64_t all[EK_COUNTERS] = {0};
    for (end = i; end < count && sums[end].id == sums[i].id; ++end)
      for (unsigned c = 0; c < EK_COUNTERS; ++c)
        all[c] += sums[end].counts[c];
    fprintf(f, "\n  %-*s", EK_NAME_COLUMNS,
            ek_name_of(name, before, sums[i].id));
    for (unsigned c = 0; c < EK_COUNTERS; ++c)
      if (ek_counters_mask & 1u << c)
        fprintf(f, " %20" PRIu64, all[c]);
      else
        fprintf(f, " %20s", "-");
  }
  fputc('\n', f);
}

void ek_summary_regions(FILE *f) {
  ek_sum *sums;
  size_t count = ek_sums_take(EK_SUM_REGION, &sums);
  rows(f, "threads in region", "", sums, count);
  counted(f, "counted in region", "", sums, count);
  free(sums);
  count = teams(&sums);
  rows(f, "threads up to the hook", "after ", sums, count);
  counted(f, "counted up to the hook", "after ", sums, count);
  if (ek_counters_why[0])
    fprintf(f, "  no counters: %s\n", ek_counters_why);
  free(sums);
}

/* Prints sampled addresses by site. */
void ek_summary_samples(FILE *f) {
  if (ek_samples_why[0])
    fprintf(f, "  no samples: %s\n", ek_samples_why);
  if (!ek_samples_on)
    return;
  ek_sample_sum *sums;
  size_t count = ek_samples_sums(&sums);
  fprintf(f, "  %-*s %12s %12s %14s\n", EK_NAME_COLUMNS, "sampled, by site",
          "samples", "from memory", "cycles each");
  for (size_t i = 0; i < count; ++i) {
    char site[EK_NAME_SIZE] = "no object";
    if (sums[i].site)
      ek_name_of(site, "", sums[i].site);
    fprintf(f, "  %-*s %12" PRIu64 " %12" PRIu64 " %14.1f\n", EK_NAME_COLUMNS,
            site, sums[i].samples, sums[i].memory,
            sums[i].memory
                ? (double)sums[i].memory_cycles / (double)sums[i].memory
                : 0);
  }
  free(sums);
}

void ek_summary_samples_json(FILE *f) {
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

/* The fraction of the time of moves during which no program thread waited. */
static double overlap(void) {
  double all = (double)ek_get(move_ns), beside = (double)ek_get(beside_ns);
  double waited = (double)ek_get(waited_ns);
  return all > 0 && beside > waited ? (beside - waited) / all : 0;
}

void ek_summary_objects(FILE *f) {
  char pins[40] = "";
  if (ek_get(pinned))
    snprintf(pins, sizeof pins, ", pinned %" PRIu64, ek_get(pinned));
  fprintf(f,
          "  objects %" PRIu64 ": planned %" PRIu64 ", by call %" PRIu64
          "%s, unplanned %" PRIu64 "; freed %" PRIu64 "; globals %" PRIu64 "\n",
          ek_get(objects), ek_get(planned), ek_get(by_call), pins,
          ek_get(unplanned), ek_get(freed), ek_get(globals));
}

void ek_summary_objects_json(FILE *f) {
  fprintf(f,
          "  \"objects\": {\"placed\": %" PRIu64 ", \"freed\": %" PRIu64
          ", \"globals\": %" PRIu64 ", \"planned\": %" PRIu64
          ", \"by_call\": %" PRIu64 ", \"pinned\": %" PRIu64
          ", \"unplanned\": %" PRIu64 "},\n",
          ek_get(objects), ek_get(freed), ek_get(globals), ek_get(planned),
          ek_get(by_call), ek_get(pinned), ek_get(unplanned));
  fprintf(f,
          "  \"large_bytes\": {\"named\": %" PRIu64 ", \"unnamed\": %" PRIu64
          ", \"libraries\": %" PRIu64 "},\n",
          ek_get(named_bytes), ek_get(unnamed_bytes), ek_get(library_bytes));
}

void ek_summary_moves(FILE *f) {
  fprintf(f,
          "  moved %" PRIu64 " pages in %" PRIu64 " batches; hooks %" PRIu64
          " serial, %" PRIu64 " team\n",
          ek_get(moved_pages), ek_get(move_calls), ek_get(hooks_serial),
          ek_get(hooks_team));
  if (ek_get(move_calls))
    fprintf(f,
            "  of these pages %" PRIu64 " left the fast tier; moving took %.6f "
            "s, for which hooks waited %.6f s; %" PRIu64 " moves cancelled\n",
            ek_get(demoted_pages), (double)ek_get(move_ns) * 1e-9,
            (double)ek_get(hook_ns) * 1e-9, ek_get(move_cancelled));
}

void ek_summary_overlap(FILE *f) {
  if (ek_get(beside_ns))
    fprintf(f,
            "  %.1f %% of that time overlapped with the program; the program "
            "waited %.6f s to free blocks that were being moved\n",
            100 * overlap(), (double)ek_get(waited_ns) * 1e-9);
}

static uint64_t refused_pages(void) {
  return ek_get(why[EK_WHY_move_refused]) + ek_get(why[EK_WHY_move_busy]) +
         ek_get(why[EK_WHY_move_no_memory]) + ek_get(why[EK_WHY_move_denied]) +
         ek_get(why[EK_WHY_move_shared]);
}

void ek_summary_moves_json(FILE *f) {
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
}

void ek_summary_hooks_json(FILE *f) {
  fprintf(f, "  \"hooks\": {\"serial\": %" PRIu64 ", \"team\": %" PRIu64 "},\n",
          ek_get(hooks_serial), ek_get(hooks_team));
}

void ek_summary_large(FILE *f) {
  if (ek_get(library_bytes) || ek_get(unnamed_bytes))
    fprintf(f,
            "  large objects: %" PRIu64 " bytes with an id, %" PRIu64
            " without, %" PRIu64 " of libraries\n",
            ek_get(named_bytes), ek_get(unnamed_bytes), ek_get(library_bytes));
}

void ek_summary_reasons(FILE *f) {
  for (unsigned i = 0; i < EK_WHY_COUNT; ++i)
    if (ek_get(why[i]))
      ek_reason_line(f, i, ek_get(why[i]), ek_get(why_bytes[i]));
}

void ek_summary_reasons_json(FILE *f) {
  fprintf(f, "  \"fallbacks\": {");
  const char *comma = "";
  for (unsigned i = 0; i < EK_WHY_COUNT; ++i)
    if (ek_get(why[i])) {
      fprintf(f, "%s\n    ", comma);
      ek_reason_json(f, i, ek_get(why[i]), ek_get(why_bytes[i]));
      comma = ",";
    }
  fprintf(f, "%s},\n", comma[0] ? "\n  " : "");
}

/* Prints a task's counts as members; null for events that are not counted. */
static void json_counts(FILE *f, const ek_sum *s) {
  for (unsigned c = 0; ek_counters_on && c < EK_COUNTERS; ++c)
    if (ek_counters_mask & 1u << c)
      fprintf(f, ", \"%s\": %" PRIu64, ek_counter_names[c], s->counts[c]);
    else
      fprintf(f, ", \"%s\": null", ek_counter_names[c]);
  fputc('}', f);
}

void ek_summary_sync_points_json(FILE *f) {
  fprintf(f, "  \"sync_points\": [");
  ek_sum *sums;
  size_t count = ek_sums_take(EK_SUM_HOOK, &sums);
  for (size_t i = 0; i < count; ++i)
    fprintf(f,
            "%s\n    {\"id\": \"%016" PRIx64
            "\", \"context\": \"%s\", \"times\": %" PRIu64 "}",
            i ? "," : "", sums[i].id, sums[i].which ? "team" : "serial",
            sums[i].times);
  free(sums);
  fprintf(f, "%s],\n", count ? "\n  " : "");
}

void ek_summary_regions_json(FILE *f) {
  fprintf(f, "  \"regions\": [");
  ek_sum *sums;
  size_t count = ek_sums_take(EK_SUM_REGION, &sums);
  for (size_t i = 0; i < count; ++i) {
    fprintf(f,
            "%s\n    {\"region\": \"%016" PRIx64
            "\", \"thread\": %u, \"times\": %" PRIu64
            ", \"seconds\": %.9f, \"waits\": %" PRIu64,
            i ? "," : "", sums[i].id, sums[i].which, sums[i].times,
            (double)sums[i].ns * 1e-9,
            ek_syncs_see_openmp() ? 0 : sums[i].hooks);
    json_counts(f, &sums[i]);
  }
  free(sums);
  fprintf(f, "%s],\n", count ? "\n  " : "");
}

void ek_summary_teams_json(FILE *f) {
  fprintf(f, "  \"teams\": [");
  ek_sum *sums;
  size_t count = teams(&sums);
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

void ek_summary_write(ek_summary_printer *print) {
  const char *to = ek_opt.summary;
  if (strcmp(to, "1") == 0) {
    if (ek_say_may())
      print(stderr);
  } else if (to[0] && strcmp(to, "0") != 0)
    to_file(to, print);
}

void ek_summary_write_json(ek_summary_printer *print) {
  if (ek_opt.summary_json[0])
    to_file(ek_opt.summary_json, print);
}
