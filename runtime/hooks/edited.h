/*===- edited.h - between libevenkeel-pmpi and libevenkeel --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_EDITED_H
#define EVENKEEL_RUNTIME_EDITED_H

#include <stdbool.h>
#include <stdint.h>

/* In libevenkeel: whether the call that this thread is in, with its frame at
 * \p frame, stands in an edited expression, which brings its own hook. */
bool ek_edited(const void *frame);

/* A hook behind a call of MPI that is not edited and goes on at \p code: the
 * sync point that the table of call stacks has there, or one of the call's
 * name, which is none of a plan's. \p call stays where it is. */
void ek_waited(const char *call, unsigned context, const void *code);

/* The edited call that has just returned made only some of the ranks wait. */
void ek_waited_partly(void);

/* Around a call in which the calling thread waits for other ranks: the time in
 * between is not the rank's own. */
void ek_ranks_wait(void);
void ek_ranks_go_on(void);

/* Whether nobody has told which processes are the ranks of this node; and MPI's
 * word, right behind MPI_Init: this one's rank of all, how many are here, and
 * the process of the first of them, with its start or another number that tells
 * it from earlier ones. */
bool ek_ranks_unknown(void);
void ek_ranks_found(uint32_t rank, unsigned here, uint64_t first,
                    uint64_t since);

/* How many ranks there are, right behind MPI_Init. */
void ek_ranks_launched(uint32_t ranks);

/* Before a call that ends the process where no destructor runs (MPI_Abort). */
void ek_ends(void);

#endif
