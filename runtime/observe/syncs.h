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

typedef enum ek_sync_kind {
  EK_SYNC_JOIN,
  EK_SYNC_BARRIER,
  EK_SYNC_WORKSHARE, /* the end of a loop, sections or single */
  EK_SYNC_TASKWAIT,
  EK_SYNC_TASKGROUP,
  EK_SYNC_CALL /* of MPI */
} ek_sync_kind;

/* A summary is asked for; else nothing is counted. */
extern bool ek_syncs_on;
void ek_syncs_start(void);
/* The thread passed one, by a call that returns to \p code. Its hook, if it has
 * one, is the next that the thread passes. */
void ek_syncs_passed(ek_sync_kind kind, const void *code);
/* A call of MPI that has no hook; \p name stays. */
void ek_syncs_called(const char *name, const void *code);
/* A hook, called from \p from (NULL: of no call that was told). \p counts: not
 * if another thread of the team counts it. */
void ek_syncs_hook(const void *from, bool counts);
/* Calls of MPI are told of. */
void ek_syncs_see_mpi(void);

/* For the summary: how many had a hook, and had none. */
void ek_syncs_totals(uint64_t *hooked, uint64_t *unhooked);
void ek_syncs_table(FILE *f);
void ek_syncs_json(FILE *f); /* a member */

#ifdef __cplusplus
}
#endif
#endif
