/*===- intervals.c - a rank's work between collectives ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See intervals.h.
 *===----------------------------------------------------------------------===*/
#include "ranks/intervals.h"

#include <string.h>

bool ek_intervals_on;
static ek_intervals table;
static unsigned drops; /* low bits of a number's hash that must be zero */
static struct {
  uint64_t began;    /* end of the last collective of all ranks; 0: none yet */
  uint64_t waited;   /* since then */
  uint64_t from, to; /* the last wait */
  bool waits;        /* there was one since the last hook */
} now;

void ek_interval_waited(uint64_t from, uint64_t to) {
  now.waited += to - from;
  now.from = from;
  now.to = to;
  now.waits = true;
}

static uint32_t place_of(uint64_t id, const char *call) {
  uint32_t p = 0;
  while (p < table.places && table.place[p].id != id)
    ++p;
  if (p == EK_INTERVAL_PLACES)
    return p;
  if (p == table.places) {
    table.place[p].id = id;
    if (call)
      strncpy(table.place[p].call, call, sizeof table.place[p].call - 1);
    ++table.places;
  }
  return p;
}

static bool is_kept(uint32_t number) {
  const uint32_t hash = number * 0x9e3779b1u;
  return !((hash ^ hash >> 15) & ((1u << drops) - 1));
}

static void drop_half(void) {
  uint32_t kept = 0;
  ++drops;
  for (uint32_t i = 0; i < table.samples; ++i)
    if (is_kept(table.sample[i].number))
      table.sample[kept++] = table.sample[i];
  table.samples = kept;
}

void ek_interval_ended(uint64_t id, const char *call) {
  if (!now.waits)
    return;
  const uint64_t before = now.waited - (now.to - now.from);
  const uint64_t began = now.began;
  const uint64_t work =
      now.from > began + before ? now.from - began - before : 0;
  now.began = now.to;
  now.waited = 0;
  now.waits = false;
  if (!began)
    return;
  const uint32_t number = (uint32_t)table.passed++;
  const uint32_t place = place_of(id, call);
  if (place == EK_INTERVAL_PLACES) {
    ++table.more_places;
    return;
  }
  ++table.place[place].times;
  if (!is_kept(number))
    return;
  while (table.samples == EK_INTERVAL_SAMPLES)
    drop_half();
  if (is_kept(number))
    table.sample[table.samples++] = (ek_interval){number, place, work};
}

const ek_intervals *ek_intervals_now(void) { return &table; }

size_t ek_intervals_bytes(void) {
  return table.passed ? offsetof(ek_intervals, sample) +
                            table.samples * sizeof *table.sample
                      : 0;
}
