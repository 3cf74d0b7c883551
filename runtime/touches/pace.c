/*===- pace.c - how often to look, and how finely -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#include "touches/pace.h"
#include "core/tuning.h"

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most) {
  return value < least ? least : value > most ? most : value;
}

void ek_pace_start(ek_pace *p, double overhead, uint64_t window_ns,
                   uint32_t chunks) {
  *p = (ek_pace){.overhead = overhead,
                 .window_ns = window_ns ? window_ns : EK_FIRST_WINDOW_NS,
                 .chunks = chunks ? chunks : EK_FIRST_CHUNKS,
                 .fixed_window = window_ns != 0,
                 .fixed_chunks = chunks != 0};
}

void ek_pace_resident(ek_pace *p, uint64_t pages) {
  if (!p->last_pages)
    p->next_ns = (uint64_t)(((double)pages * (EK_ENTRY_NS + EK_WALK_NS) +
                             p->chunks * EK_MAPPING_NS) *
                            EK_FIRST_PASS_MARGIN);
  else if (pages > p->last_pages)
    p->next_ns =
        (uint64_t)((double)p->last_ns * (double)pages / (double)p->last_pages);
  else
    p->next_ns = p->last_ns;
}

uint64_t ek_pace_due(const ek_pace *p) {
  return (uint64_t)((double)(p->spent_ns + p->next_ns) / p->overhead);
}

uint64_t ek_pace_sleep(uint64_t due, uint64_t now, double rate) {
  if (due <= now)
    return 0;
  const double least = 0.05; /* a program that mostly waits may go on */
  return clamp((uint64_t)((double)(due - now) / (rate > least ? rate : least)),
               EK_LEAST_SLEEP_NS, EK_LONGEST_SLEEP_NS);
}

uint64_t ek_pace_waited(uint64_t took_ns, uint64_t got_ns, double rate,
                        bool waits) {
  const double missed = (double)took_ns * rate - (double)got_ns;
  return waits && missed > 0 ? (uint64_t)missed : 0;
}

static void adapt_chunks(ek_pace *p, const ek_pace_seen *seen, double cost) {
  if (p->fixed_chunks)
    return;
  const double mappings = seen->mappings * EK_MAPPING_NS;
  if (mappings > cost * EK_MAPPINGS_SHARE)
    p->chunks /= 2;
  else if (mappings < cost * EK_MAPPINGS_SHARE / 4)
    p->chunks *= 2;
  p->chunks = (uint32_t)clamp(p->chunks, EK_FEWEST_CHUNKS, EK_MOST_CHUNKS);
}

static void adapt_window(ek_pace *p, const ek_pace_seen *seen) {
  if (p->fixed_window || !seen->resident)
    return;
  const double share = (double)seen->touched / (double)seen->resident;
  if (share > EK_MUCH_TOUCHED)
    p->window_ns /= 2;
  else if (share < EK_LITTLE_TOUCHED)
    p->window_ns *= 2;
  p->window_ns = clamp(p->window_ns, EK_LEAST_WINDOW_NS, EK_LONGEST_WINDOW_NS);
}

void ek_pace_passed(ek_pace *p, const ek_pace_seen *seen) {
  const double cost =
      (double)seen->cpu_ns + (double)seen->entries * EK_WALK_NS +
      (double)seen->faults * EK_WRITE_FAULT_NS + (double)seen->waited_ns;
  p->spent_ns += (uint64_t)cost;
  p->next_ns = p->last_ns = (uint64_t)cost;
  p->last_pages = seen->resident ? seen->resident : 1;
  adapt_chunks(p, seen, cost);
  adapt_window(p, seen);
}

uint64_t ek_pace_chunk_bytes(uint64_t bytes, uint32_t chunks) {
  uint64_t size = EK_LEAST_CHUNK;
  while (size < bytes && (bytes + size - 1) / size > chunks)
    size *= 2;
  return size;
}
