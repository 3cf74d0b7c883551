/*===- syncs.h - sync points that run, hooked or not --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the OpenMP library, or who stands before it and MPI, tells of the
 * sync points that a program passes, and which of them a hook followed. Those
 * that none followed are known by the place of their call. Counted only where
 * a summary is asked for.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SYNCS_H
#define EVENKEEL_RUNTIME_SYNCS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Listens, where a summary is asked for. */
void ek_syncs_start(void);
/* Whether the OpenMP library, or who stands before it, tells of teams. */
bool ek_syncs_see_openmp(void);

/* For the summary: how many had a hook, and had none. */
void ek_syncs_totals(uint64_t *hooked, uint64_t *unhooked);
void ek_syncs_table(FILE *f);
void ek_syncs_json(FILE *f); /* a member */

#ifdef __cplusplus
}
#endif
#endif
