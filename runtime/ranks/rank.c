/*===- rank.c - which rank this process is ------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the variables by which launchers tell each process its rank and the
 * number of ranks; MPI's own word, once it is there, comes first.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ranks/rank.h"
#include "format/ek_mpi.h"

#include <stdlib.h>

static int64_t told_rank = -1;

void ek_rank_is(uint32_t rank) { told_rank = rank; }

/* The first of some variables that is there, as a number; \p otherwise. */
static uint32_t variable(const char *const *names, uint32_t otherwise) {
  for (; *names; ++names) {
    const char *text = secure_getenv(*names);
    if (text)
      return (uint32_t)strtoul(text, NULL, 10);
  }
  return otherwise;
}

/* MPI, or its launcher, tells the rank; 0 otherwise. */
uint32_t ek_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                      "PMI_RANK", "SLURM_PROCID", NULL};
  return told_rank >= 0 ? (uint32_t)told_rank : variable(names, 0);
}

uint32_t ek_rank_count(void) {
  static const char *const names[] = {EK_RANK_COUNT_VARIABLES, NULL};
  return variable(names, 0);
}
