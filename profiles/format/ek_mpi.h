/*===- ek_mpi.h - ranks, and who takes part in a collective --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which kind of handle a call of MPI has that tells its ranks. The pass
 * hands it to the recorder, and libevenkeel-pmpi asks it as well. And where
 * launchers tell how many ranks there are.
 * Not here: which argument it is (WaitCalls.h), and asking MPI.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_MPI_H
#define EVENKEEL_EK_MPI_H

typedef enum ek_mpi_of {
  EK_MPI_ALL,     /* no handle: all ranks of the program */
  EK_MPI_COMM,    /* a communicator */
  EK_MPI_WIN,     /* a window */
  EK_MPI_WIN_AT,  /* the address of one */
  EK_MPI_FILE,    /* a file */
  EK_MPI_FILE_AT, /* the address of one */
  EK_MPI_UNION    /* two communicators, neither of which has all ranks */
} ek_mpi_of;

/* Where launchers tell each rank how many there are, for a NULL-ended table. */
#define EK_RANK_COUNT_VARIABLES                                                \
  "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",                   \
      "SLURM_STEP_NUM_TASKS"

#endif
