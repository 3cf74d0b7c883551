/*===- edited.h - what libevenkeel-pmpi calls in libevenkeel ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_EDITED_H
#define EVENKEEL_RUNTIME_EDITED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the call that the thread is in, with its frame at \p frame, belongs
 * to a rewritten expression, which has a hook of its own. */
bool ek_edited(const void *frame);

/* A hook after an MPI call that was not rewritten and returns to \p code. Its
 * id is the sync point there in the table of call stacks, or else the hash of
 * the call's name, which no plan contains. \p call must remain valid. */
void ek_waited(const char *call, unsigned context, const void *code);

/* Only some of the ranks waited in the rewritten call that has just
 * returned. */
void ek_waited_partly(void);

/* Enclose a call in which the calling thread waits for other ranks: that time
 * does not count as this rank's. */
void ek_ranks_wait(void);
void ek_ranks_go_on(void);

/* ek_ranks_unknown: whether no launcher has said which processes are the ranks
 * of this node. ek_ranks_found then reports, after MPI_Init: this process's
 * rank, the number of ranks on this node, the process id of the first of them,
 * and its start time or another number that tells it from earlier processes. */
bool ek_ranks_unknown(void);
void ek_ranks_found(uint32_t rank, unsigned here, uint64_t first,
                    uint64_t since);

/* Reports the number of ranks, after MPI_Init. */
void ek_ranks_launched(uint32_t ranks);

/* Called before a call that ends the process without running destructors
 * (MPI_Abort). */
void ek_ends(void);

#endif
