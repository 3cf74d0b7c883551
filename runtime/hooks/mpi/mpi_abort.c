/*===- mpi_abort.c - MPI_Abort in a rewritten program -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: MPI_Abort first tells the launcher, which may kill all ranks at once.
 * So whatever this rank leaves must be written before. libevenkeel comes after
 * the MPI library in the search order and is not called; this file is, because
 * it is linked whole into the executable (libevenkeel-abort.a). It is weak: if
 * MPI is a static archive the archive's function is used, and nothing is
 * written before.
 * Not here: programs that are not rewritten (libevenkeel-pmpi).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WEAK __attribute__((weak, visibility("default")))

/* As in pmpi.c, all parameters are machine words. */
int MPI_Abort(intptr_t comm, intptr_t code) WEAK;
void ek_ends(void) WEAK;

int MPI_Abort(intptr_t comm, intptr_t code) {
  int (*next)(intptr_t, intptr_t) =
      (int (*)(intptr_t, intptr_t))(uintptr_t)dlsym(RTLD_NEXT, "MPI_Abort");
  if (!next) {
    fprintf(stderr,
            "evenkeel: no library provides MPI_Abort; the program ends\n");
    abort();
  }
  if (ek_ends)
    ek_ends();
  return next(comm, code);
}
