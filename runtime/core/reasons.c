/*===- reasons.c - how summaries print reasons --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See reasons.h.
 *===----------------------------------------------------------------------===*/
#include "core/reasons.h"
#include "core/stats.h"

#include <inttypes.h>

static const struct {
  const char *name, *unit, *doc;
} reasons[EK_WHY_COUNT] = {
#define EK_REASON(id, name, unit, doc, to_do) {name, unit, doc},
#include "core/reasons.def"
#undef EK_REASON
};

void ek_reason_line(FILE *f, unsigned why, uint64_t count, uint64_t bytes) {
  fprintf(f, "  %s: %" PRIu64 " %s", reasons[why].name, count,
          reasons[why].unit);
  if (bytes)
    fprintf(f, ", %" PRIu64 " bytes", bytes);
  fprintf(f, " (%s)\n", reasons[why].doc);
}

void ek_reason_json(FILE *f, unsigned why, uint64_t count, uint64_t bytes) {
  fprintf(f, "\"%s\": {\"count\": %" PRIu64 ", \"unit\": \"%s\"",
          reasons[why].name, count, reasons[why].unit);
  if (bytes)
    fprintf(f, ", \"bytes\": %" PRIu64, bytes);
  fprintf(f, "}");
}
