/*===- mpi_ranks.h - whether all ranks take part in a call --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: MPI's handles, as machine words, without an mpi.h: those of Open MPI,
 * and those of MPICH's binary interface (MPICH, Intel, MVAPICH).
 * Leaves out: communicators with processes that were started later.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MPI_RANKS_H
#define EVENKEEL_RUNTIME_MPI_RANKS_H

#include "format/ek_mpi.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The handles of either kind of MPI library: addresses of Open MPI's objects,
 * numbers where MPICH's binary interface is kept. */
typedef struct ek_mpi_handles {
  intptr_t world, none, shared, info, byte;
} ek_mpi_handles;
/* False: the library is of no kind that is known, or there is none. */
bool ek_mpi_find_handles(ek_mpi_handles *h);

/* Whether the process has an MPI library. */
bool ek_mpi_is_there(void);
/* Ranks of MPI_COMM_WORLD; 0: not known. Between MPI_Init and MPI_Finalize. */
int ek_mpi_size(void);

/* Whether all ranks of MPI_COMM_WORLD take part, and no others, in a call whose
 * handle of kind \p of is \p handle. True where MPI cannot be asked. */
bool ek_mpi_is_of_all(ek_mpi_of of, intptr_t handle);

#ifdef __cplusplus
}
#endif
#endif
