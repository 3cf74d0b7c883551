/*===- rank.c - the rank of this process --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the variables in which launchers tell each process its rank and the
 * number of ranks. What MPI itself says takes precedence.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ranks/rank.h"
#include "format/ek_mpi.h"

#include <stdlib.h>

static int64_t given_rank = -1;

void ek_rank_is(uint32_t rank) { given_rank = rank; }

/* The number in the first of these variables that is set, or \p otherwise. */
static uint32_t variable(const char *const *names, uint32_t otherwise) {
  for (; *names; ++names) {
    const char *text = secure_getenv(*names);
    if (text)
      return (uint32_t)strtoul(text, NULL, 10);
  }
  return otherwise;
}

uint32_t ek_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                      "PMI_RANK", "SLURM_PROCID", NULL};
  return given_rank >= 0 ? (uint32_t)given_rank : variable(names, 0);
}

uint32_t ek_rank_count(void) {
  static const char *const names[] = {EK_RANK_COUNT_VARIABLES, NULL};
  return variable(names, 0);
}
