/*===- report.c - tiers in the summary and the log -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See report.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/report.h"
#include "core/stats.h"
#include "core/text.h"
#include "placement/books.h"
#include "placement/kept.h"
#include "providers/provider.h"

#include <inttypes.h>

const char *ek_report_provider(void) {
  return ek_provider_now ? ek_provider_now->name : "none";
}

static void capacity_text(char *out, size_t size, uint64_t bytes) {
  if (bytes == EK_UNLIMITED)
    snprintf(out, size, "-");
  else
    snprintf(out, size, "%" PRIu64, bytes);
}

/* Bytes of a tier in retained extents. */
static uint64_t kept(unsigned tier) {
  return tier < ek_tier_count && ek_tier_count > 1
             ? ek_kept_bytes(tier ? ek_tier_count - 1 : 0)
             : 0;
}

void ek_report_tiers(FILE *f) {
  char room[24];
  fprintf(f, "evenkeel: summary (provider %s, bytes)\n", ek_report_provider());
  fprintf(f, "  %-12s %16s %16s %16s %16s %10s\n", "tier", "capacity", "placed",
          "peak", "at end", "objects");
  for (unsigned t = 0; t < ek_tier_count; ++t) {
    capacity_text(room, sizeof room, ek_place_capacity(t));
    fprintf(f,
            "  %-12s %16s %16" PRIu64 " %16" PRIu64 " %16" PRIu64 " %10" PRIu64
            "\n",
            ek_tiers[t].name, room, ek_use[t].most, ek_use[t].peak,
            ek_use[t].live, ek_use[t].objects);
  }
}

void ek_report_tiers_json(FILE *f) {
  fprintf(f, "{\n  \"schema\": \"evenkeel.summary/1\",\n");
  fprintf(f, "  \"provider\": \"%s\",\n  \"tiers\": [", ek_report_provider());
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
  fprintf(f, "\n  ],\n");
}

size_t ek_report_tiers_text(char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "[");
  for (unsigned t = 0; t < ek_tier_count && n < size; ++t) {
    char name[4 * sizeof ek_tiers[t].name], room[24] = "null";
    ek_text_json(name, sizeof name, ek_tiers[t].name);
    if (ek_place_capacity(t) != EK_UNLIMITED)
      capacity_text(room, sizeof room, ek_place_capacity(t));
    n += (size_t)snprintf(out + n, size - n, "%s{\"name\":%s,\"bytes\":%s}",
                          t ? "," : "", name, room);
  }
  return n < size ? n + (size_t)snprintf(out + n, size - n, "]") : n;
}

void ek_report_kept(FILE *f) {
  if (ek_get(kept_taken) || ek_get(kept_returned))
    fprintf(f,
            "  freed blocks reused %" PRIu64
            " times, returned to the system %" PRIu64 " times; kept at the "
            "end: %" PRIu64 " bytes fast, %" PRIu64 " slow\n",
            ek_get(kept_taken), ek_get(kept_returned), kept(0), kept(1));
}

void ek_report_kept_json(FILE *f) {
  fprintf(f,
          "  \"kept\": {\"taken\": %" PRIu64 ", \"returned\": %" PRIu64
          ", \"fast_bytes\": %" PRIu64 ", \"slow_bytes\": %" PRIu64 "},\n",
          ek_get(kept_taken), ek_get(kept_returned), kept(0), kept(1));
}
