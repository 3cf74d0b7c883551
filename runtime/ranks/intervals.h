/*===- intervals.h - a rank's work between collectives ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how long this rank worked before each collective of all ranks, without
 * the time it waited, in a table of fixed size. All ranks pass the same
 * collectives in the same order, so their number tells which intervals belong
 * together. When the table is full, every second one is dropped, chosen by a
 * hash of the number: all ranks keep the same ones, and a program that passes
 * several collectives in turn does not lose one of them.
 * Not here: what the intervals of all ranks say together (imbalance.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_INTERVALS_H
#define EVENKEEL_RUNTIME_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this process is one of several ranks and keeps its intervals. */
extern bool ek_intervals_on;

/* The rank waited for others from \p from to \p to (ns). */
void ek_interval_waited(uint64_t from, uint64_t to);
/* The last wait was in a collective of all ranks. \p call is the name of the
 * MPI function if \p id is only its hash, or NULL; it must remain valid. Only
 * thread 0 calls these functions. */
void ek_interval_ended(uint64_t id, const char *call);

enum { EK_INTERVAL_PLACES = 64, EK_INTERVAL_SAMPLES = 8192 };

typedef struct ek_interval_place {
  uint64_t id, times;
  char call[32]; /* "" : none */
} ek_interval_place;

typedef struct ek_interval {
  uint32_t number, place;
  uint64_t ns;
} ek_interval;

typedef struct ek_intervals {
  uint64_t passed; /* collectives, without the first */
  uint32_t places, samples;
  uint64_t more_places; /* passages of collectives that have no place */
  ek_interval_place place[EK_INTERVAL_PLACES];
  ek_interval sample[EK_INTERVAL_SAMPLES];
} ek_intervals;

/* The table, and the bytes of its beginning that are in use. */
const ek_intervals *ek_intervals_now(void);
size_t ek_intervals_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
