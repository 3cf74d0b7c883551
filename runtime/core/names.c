/*===- names.c - source names of regions, hooks and sites ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See names.h.
 *===----------------------------------------------------------------------===*/
#include "core/names.h"

#include <inttypes.h>
#include <stdio.h>

static const ek_name *known;
static size_t known_count;

void ek_names_are(const ek_name *names, size_t count) {
  known = names;
  known_count = count;
}

const char *ek_name_of(char out[EK_NAME_SIZE], const char *before,
                       uint64_t id) {
  size_t from = 0, to = known_count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (known[middle].id < id)
      from = middle + 1;
    else
      to = middle;
  }
  if (from < known_count && known[from].id == id)
    snprintf(out, EK_NAME_SIZE, "%s%s", before, known[from].text);
  else
    snprintf(out, EK_NAME_SIZE, "%s%016" PRIx64, before, id);
  return out;
}
