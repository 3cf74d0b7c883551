/*===- imbalance.h - what the ranks of a node lose at collectives -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the intervals that ranks left when they ended (intervals.h), taken
 * together: which share of the time ranks wait for a rank that is always
 * slower, which placement can mend, and which share for ranks that are late
 * from time to time, which it cannot.
 * Not here: the rule (profiles/collectives/Decompose.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_IMBALANCE_H
#define EVENKEEL_RUNTIME_IMBALANCE_H

#include "ranks/intervals.h"

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_rank_intervals {
  uint32_t rank;
  const ek_intervals *its; /* \p bytes of it are there */
  size_t bytes;
} ek_rank_intervals;

/* Compares the ranks; the printers below show the result. Without two ranks
 * that passed collectives, they print nothing, or an empty list. */
void ek_imbalance_of(const ek_rank_intervals *ranks, size_t count);
void ek_imbalance_table(FILE *f);
/* A member "imbalance" of a JSON object, after a comma. */
void ek_imbalance_json(FILE *f);
/* The contents of the file for later plans, or NULL. The caller frees it. */
char *ek_imbalance_file(const char *build, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
