/*===- pmpi.c - hooks behind MPI's waits in unedited code ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libevenkeel-pmpi.so stands before the MPI library by MPI's profiling
 * interface: linked in front of it, or preloaded. Each call in which ranks wait
 * (pmpi.def) is passed on, and then is a sync point, unless the source was
 * edited: then its own hook follows, so there is one hook for each call.
 * One file for every MPI library: no mpi.h is needed, because handles, counts
 * and pointers are all passed as machine words (System V ABI of x86-64,
 *AAPCS64) and only passed on. Without libevenkeel in the program everything is
 *just passed on. Leaves out: Fortran, whose calls do not come through here with
 *Open MPI.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define EVENKEEL_DISABLE /* its words without its reference to libevenkeel */
#include "evenkeel/ek.h"
#undef ek_sync

#include "edited.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined(__LP64__)
#error "arguments of MPI calls are taken to be 64-bit words"
#endif

#define EXPORT __attribute__((visibility("default")))
#define WEAK __attribute__((weak, visibility("default")))

/* The program need not have libevenkeel, or be parallel by OpenMP. */
void ek_sync(ek_id id, unsigned context) WEAK;
bool ek_edited(const void *frame) WEAK;
void ek_ranks_wait(void) WEAK;
void ek_ranks_go_on(void) WEAK;
int omp_get_level(void) WEAK;

/* A name as an id: where the call stands is not known. FNV-1a. */
static uint64_t id_of(const char *name) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * 0x100000001b3ULL;
  return h ? h : 1;
}

enum { COLLECTIVE = EK_SERIAL, WAIT = EK_SERIAL | EK_PARTIAL, START = WAIT };

static void waits(void) {
  if (ek_ranks_wait)
    ek_ranks_wait();
}

static void waited(const char *name, unsigned context, const void *frame) {
  if (!ek_sync || !ek_edited)
    return;
  int saved = errno;
  if (ek_ranks_go_on)
    ek_ranks_go_on();
  if (ek_edited(frame))
    return;
  /* Inside a team one thread's wait is no phase of the rank. */
  if (omp_get_level && omp_get_level() > 0)
    context |= EK_PARTIAL;
  ek_sync(id_of(name), context);
  errno = saved;
}

static void missing(const char *name) __attribute__((noreturn));
static void missing(const char *name) {
  fprintf(stderr,
          "evenkeel: libevenkeel-pmpi: P%s is missing; put the library in "
          "front of that of MPI\n",
          name);
  abort();
}

typedef intptr_t W;
#define P0 void
#define P1 W a
#define P2 P1, W b
#define P3 P2, W c
#define P4 P3, W d
#define P5 P4, W e
#define P6 P5, W f
#define P7 P6, W g
#define P8 P7, W h
#define P9 P8, W i
#define P10 P9, W j
#define P11 P10, W k
#define P12 P11, W l
#define A0
#define A1 a
#define A2 A1, b
#define A3 A2, c
#define A4 A3, d
#define A5 A4, e
#define A6 A5, f
#define A7 A6, g
#define A8 A7, h
#define A9 A8, i
#define A10 A9, j
#define A11 A10, k
#define A12 A11, l

#define EK_MPI(name, family, n)                                                \
  int PMPI_##name(P##n) WEAK;                                                  \
  int MPI_##name(P##n);                                                        \
  EXPORT int MPI_##name(P##n) {                                                \
    if (!PMPI_##name)                                                          \
      missing("MPI_" #name);                                                   \
    waits();                                                                   \
    int result = PMPI_##name(A##n);                                            \
    waited("MPI_" #name, family, __builtin_frame_address(0));                  \
    return result;                                                             \
  }
#include "pmpi.def"
