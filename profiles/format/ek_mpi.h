/*===- ek_mpi.h - ranks of MPI collectives -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the kind of handle that determines the ranks of an MPI call. The pass
 * passes it to the recorder, and libevenkeel-pmpi uses it, too. Also the
 * variables in which launchers give the number of ranks.
 * Not here: which argument has the handle (WaitCalls.h), and querying MPI.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_MPI_H
#define EVENKEEL_EK_MPI_H

typedef enum ek_mpi_of {
  EK_MPI_ALL,     /* no handle: all ranks of the program */
  EK_MPI_COMM,    /* a communicator */
  EK_MPI_WIN,     /* a window */
  EK_MPI_WIN_AT,  /* the address of a window */
  EK_MPI_FILE,    /* a file */
  EK_MPI_FILE_AT, /* the address of a file */
  EK_MPI_UNION    /* two communicators, neither of which contains all ranks */
} ek_mpi_of;

/* Variables in which launchers give the number of ranks, for a table. */
#define EK_RANK_COUNT_VARIABLES                                                \
  "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",                   \
      "SLURM_STEP_NUM_TASKS"

#endif
