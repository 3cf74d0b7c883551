/*===- mpi_abort.c - MPI_Abort in an edited program ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: MPI_Abort tells the launcher first, which may kill all ranks at once,
 * so what this rank has to leave is written before it. libevenkeel comes behind
 * the MPI library and is not asked; this file, linked into the executable
 * (libevenkeel-abort.a, whole), is. It is weak: where MPI is an archive the
 * archive's function stays, and leaves what it left before.
 * Leaves out: programs that are not edited (libevenkeel-pmpi).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WEAK __attribute__((weak, visibility("default")))

/* As in pmpi.c, arguments are machine words. */
int MPI_Abort(intptr_t comm, intptr_t code) WEAK;
void ek_ends(void) WEAK;

int MPI_Abort(intptr_t comm, intptr_t code) {
  int (*next)(intptr_t, intptr_t) =
      (int (*)(intptr_t, intptr_t))(uintptr_t)dlsym(RTLD_NEXT, "MPI_Abort");
  if (!next) {
    fprintf(stderr, "evenkeel: no library has MPI_Abort; the program ends\n");
    abort();
  }
  if (ek_ends)
    ek_ends();
  return next(comm, code);
}
