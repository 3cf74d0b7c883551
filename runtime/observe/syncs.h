/*===- syncs.h - sync points passed, with and without a hook ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the sync points that a program passes, as reported by the OpenMP
 * library or by the functions that intercept OpenMP and MPI; and which of them
 * were followed by a hook. The others are identified by the place of their
 * call. Counted only if a summary is requested.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SYNCS_H
#define EVENKEEL_RUNTIME_SYNCS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Registers listeners, if a summary is requested. */
void ek_syncs_start(void);
/* Whether the OpenMP library, or interception, reports teams. */
bool ek_syncs_see_openmp(void);

/* For the summary: how many sync points had a hook, and how many had none. */
void ek_syncs_totals(uint64_t *hooked, uint64_t *unhooked);
void ek_syncs_table(FILE *f);
void ek_syncs_json(FILE *f); /* prints a member */

#ifdef __cplusplus
}
#endif
#endif
