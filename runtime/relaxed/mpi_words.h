/*===- mpi_words.h - MPI functions that relaxed streams call ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: as in hooks/mpi, all parameters are machine words, so that one library
 * serves every MPI. A request or communicator is stored in a word, of which the
 * library uses the first four or all eight bytes.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RELAXED_MPI_WORDS_H
#define EVENKEEL_RUNTIME_RELAXED_MPI_WORDS_H

#include "hooks/mpi/words.h"

#define WEAK __attribute__((weak, visibility("default")))
int PMPI_Query_thread(P1) WEAK;
int PMPI_Initialized(P1) WEAK;
int PMPI_Finalized(P1) WEAK;
int PMPI_Comm_size(P2) WEAK;
int PMPI_Comm_rank(P2) WEAK;
int PMPI_Comm_test_inter(P2) WEAK;
int PMPI_Comm_dup(P2) WEAK;
int PMPI_Comm_split(P4) WEAK;
int PMPI_Comm_free(P1) WEAK;
int PMPI_Comm_set_errhandler(P2) WEAK;
int PMPI_Comm_call_errhandler(P2) WEAK;
int PMPI_Comm_create_keyval(P4) WEAK;
int PMPI_Comm_set_attr(P3) WEAK;
int PMPI_Allgather(P7) WEAK;
int PMPI_Ialltoall(P8) WEAK;
int PMPI_Iallreduce(P7) WEAK;
int PMPI_Isend(P7) WEAK;
int PMPI_Recv(P7) WEAK;
int PMPI_Iprobe(P5) WEAK;
int PMPI_Test(P3) WEAK;
#undef WEAK

#endif
