/*===- mpi_ranks.h - whether all ranks take part in a call --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: MPI's handles as machine words, without mpi.h: those of Open MPI, and
 * those of MPICH's binary interface (MPICH, Intel MPI, MVAPICH).
 * Not here: communicators with processes that were started later.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MPI_RANKS_H
#define EVENKEEL_RUNTIME_MPI_RANKS_H

#include "format/ek_mpi.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The handles of either kind of library: addresses of Open MPI's objects, or
 * numbers in MPICH's binary interface. */
typedef struct ek_mpi_handles {
  intptr_t world, none, shared, info, byte;
  intptr_t self, sum, single, real; /* MPI_FLOAT, MPI_DOUBLE */
  intptr_t any_source, no_status;   /* MPI_ANY_SOURCE, MPI_STATUS_IGNORE */
  intptr_t errors_return;           /* MPI_ERRORS_RETURN */
  int other_error;                  /* MPI_ERR_OTHER */
} ek_mpi_handles;
/* Returns false if there is no MPI library, or one of another kind. */
bool ek_mpi_find_handles(ek_mpi_handles *h);

/* Whether the process has an MPI library. */
bool ek_mpi_is_there(void);
/* The size of MPI_COMM_WORLD; 0: unknown. Only between MPI_Init and
 * MPI_Finalize. */
int ek_mpi_size(void);

/* Whether exactly the ranks of MPI_COMM_WORLD take part in a call on \p handle,
 * which is of kind \p of. True if MPI cannot be asked. */
bool ek_mpi_is_of_all(ek_mpi_of of, intptr_t handle);

#ifdef __cplusplus
}
#endif
#endif
