/*===- pmpi.c - hooks behind MPI's waits in unedited code ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libevenkeel-pmpi.so stands before the MPI library by MPI's profiling
 * interface: linked in front of it, or preloaded. Each call in which ranks wait
 * (pmpi.def) is passed on, and then is a sync point, unless the source was
 * edited: then its own hook follows, so there is one hook for each call.
 * One file for every MPI library: no mpi.h is needed, because handles, counts
 * and pointers are all passed as machine words (System V ABI of x86-64,
 *AAPCS64) and only passed on. Fortran's names (use mpi, mpif.h, use mpi_f08)
 *are stood before as well; where the library makes its C call in them that one
 *is inside and no second hook. Without libevenkeel in the program everything is
 *just passed on. Where libevenkeel has a table of call stacks, the hook is the
 *sync point of the call's place in the source. Leaves out: Fortran names that
 *end in two underscores or stand in capitals.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define EVENKEEL_DISABLE /* its words without its reference to libevenkeel */
#include "evenkeel/ek.h"
#undef ek_sync

#include "edited.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if !defined(__LP64__)
#error "arguments of MPI calls are taken to be 64-bit words"
#endif

#define EXPORT __attribute__((visibility("default")))
#define WEAK __attribute__((weak, visibility("default")))

/* The program need not have libevenkeel, or be parallel by OpenMP. */
void ek_waited(uint64_t name, unsigned context, const void *code) WEAK;
bool ek_edited(const void *frame) WEAK;
void ek_ranks_wait(void) WEAK;
void ek_ranks_go_on(void) WEAK;
bool ek_ranks_unknown(void) WEAK;
void ek_ranks_found(uint32_t rank, unsigned here, uint64_t first,
                    uint64_t since) WEAK;
int omp_get_level(void) WEAK;

/* A name as an id: where the call stands is not known. FNV-1a. */
static uint64_t id_of(const char *name) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * 0x100000001b3ULL;
  return h ? h : 1;
}

enum { COLLECTIVE = EK_SERIAL, WAIT = EK_SERIAL | EK_PARTIAL, START = WAIT };

/* Calls that the thread is in: a Fortran one may make a C one. */
static _Thread_local unsigned depth __attribute__((tls_model("initial-exec")));

static void waits(void) {
  if (depth++ == 0 && ek_ranks_wait)
    ek_ranks_wait();
}

static void waited(const char *name, unsigned context, const void *frame,
                   const void *code) {
  if (--depth || !ek_waited || !ek_edited)
    return;
  int saved = errno;
  if (ek_ranks_go_on)
    ek_ranks_go_on();
  if (ek_edited(frame))
    return;
  /* Inside a team one thread's wait is no phase of the rank. */
  if (omp_get_level && omp_get_level() > 0)
    context |= EK_PARTIAL;
  ek_waited(id_of(name), context, code);
  errno = saved;
}

static void missing(const char *name) __attribute__((noreturn));
static void missing(const char *name) {
  fprintf(
      stderr,
      "evenkeel: libevenkeel-pmpi: nothing stands behind %s; put the library "
      "in front of that of MPI\n",
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

#define EK_MPI(name, small, family, n)                                         \
  int PMPI_##name(P##n) WEAK;                                                  \
  int MPI_##name(P##n);                                                        \
  EXPORT int MPI_##name(P##n) {                                                \
    if (!PMPI_##name)                                                          \
      missing("MPI_" #name);                                                   \
    waits();                                                                   \
    int result = PMPI_##name(A##n);                                            \
    waited("MPI_" #name, family, __builtin_frame_address(0),                   \
           __builtin_return_address(0));                                       \
    return result;                                                             \
  }
#include "pmpi.def"
#undef EK_MPI

/* --- ranks of a node, where no launcher tells ------------------------------
 */

/* The handles of either kind of MPI library: addresses of Open MPI's objects,
 * numbers where MPICH's binary interface is kept (MPICH, Intel, MVAPICH). */
typedef struct handles {
  W world, shared, info, byte;
} handles;

static bool find_handles(handles *h) {
  static const char *const kin[] = {"MPICH", "Intel", "MVAPICH"};
  char text[8192] = "";
  int length = 0;
  W ours = (W)dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
  if (ours) {
    *h = (handles){ours, 0, (W)dlsym(RTLD_DEFAULT, "ompi_mpi_info_null"),
                   (W)dlsym(RTLD_DEFAULT, "ompi_mpi_byte")};
    return h->info && h->byte;
  }
  int (*version)(char *, int *) =
      (int (*)(char *, int *))(W)dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
  if (!version || version(text, &length) != 0)
    return false;
  *h = (handles){0x44000000, 1, 0x1c000000, 0x4c00010d};
  for (unsigned i = 0; i < sizeof kin / sizeof *kin; ++i)
    if (strstr(text, kin[i]))
      return true;
  return false;
}

int PMPI_Comm_split_type(P5) WEAK;
int PMPI_Bcast(P5) WEAK;
int PMPI_Comm_size(P2) WEAK;
int PMPI_Comm_rank(P2) WEAK;
int PMPI_Comm_free(P1) WEAK;

/* In all ranks, behind MPI_Init: whether to ask is one answer for all, as they
 * were launched alike. */
static void tell_ranks(void) {
  handles h;
  if (!ek_ranks_unknown || !ek_ranks_unknown() || !PMPI_Comm_split_type ||
      !PMPI_Bcast || !PMPI_Comm_size || !PMPI_Comm_rank || !PMPI_Comm_free ||
      !find_handles(&h))
    return;
  W node = 0;
  int here = 0, rank = 0;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t first[2] = {(uint64_t)getpid(), (uint64_t)now.tv_sec * 1000000000u +
                                               (uint64_t)now.tv_nsec};
  if (PMPI_Comm_split_type(h.world, h.shared, 0, h.info, (W)&node) != 0)
    return;
  if (PMPI_Comm_size(node, (W)&here) == 0 &&
      PMPI_Comm_rank(h.world, (W)&rank) == 0 &&
      PMPI_Bcast((W)first, sizeof first, h.byte, 0, node) == 0)
    ek_ranks_found((uint32_t)rank, (unsigned)here, first[0], first[1]);
  PMPI_Comm_free((W)&node);
}

int PMPI_Init(P2) WEAK;
int PMPI_Init_thread(P4) WEAK;
int MPI_Init(P2);
int MPI_Init_thread(P4);
EXPORT int MPI_Init(P2) {
  if (!PMPI_Init)
    missing("MPI_Init");
  int result = PMPI_Init(A2);
  if (result == 0)
    tell_ranks();
  return result;
}
EXPORT int MPI_Init_thread(P4) {
  if (!PMPI_Init_thread)
    missing("MPI_Init_thread");
  int result = PMPI_Init_thread(A4);
  if (result == 0)
    tell_ranks();
  return result;
}

/* Of what has no name for those who stand before it. */
static void *behind_us(const char *name) {
  void *f = dlsym(RTLD_NEXT, name);
  if (!f)
    missing(name);
  return f;
}

/* Fortran's. Where the library makes its C call in them, that one asked. */
void mpi_init_(W error);
void mpi_init_thread_(W required, W provided, W error);
EXPORT void mpi_init_(W error) {
  ((void (*)(W))(W)behind_us("mpi_init_"))(error);
  tell_ranks();
}
EXPORT void mpi_init_thread_(W required, W provided, W error) {
  ((void (*)(W, W, W))(W)behind_us("mpi_init_thread_"))(required, provided,
                                                        error);
  tell_ranks();
}

/* Fortran's have the error behind the arguments, by address as all of them, and
 * give nothing back. The length of a file's name comes behind that: to calls
 * without one a word more is nothing. */
#define NEXT0 2
#define NEXT1 3
#define NEXT2 4
#define NEXT3 5
#define NEXT4 6
#define NEXT5 7
#define NEXT6 8
#define NEXT7 9
#define NEXT8 10
#define NEXT9 11
#define NEXT10 12
#define NEXT11 13
#define NEXT12 14
#define NEXT(n) NEXT##n
#define P13 P12, W m
#define P14 P13, W n
#define A13 A12, m
#define A14 A13, n
#define PARAMETERS_(n) P##n
#define PARAMETERS(n) PARAMETERS_(n)
#define ARGUMENTS_(n) A##n
#define ARGUMENTS(n) ARGUMENTS_(n)
#define FORTRAN(symbol, called, family, n)                                     \
  void p##symbol(PARAMETERS(n)) WEAK;                                          \
  void symbol(PARAMETERS(n));                                                  \
  EXPORT void symbol(PARAMETERS(n)) {                                          \
    static void (*behind)(PARAMETERS(n));                                      \
    void (*call)(PARAMETERS(n)) = p##symbol;                                   \
    if (!call && !(call = __atomic_load_n(&behind, __ATOMIC_RELAXED))) {       \
      call = (void (*)(PARAMETERS(n)))behind_us(#symbol);                      \
      __atomic_store_n(&behind, call, __ATOMIC_RELAXED);                       \
    }                                                                          \
    waits();                                                                   \
    call(ARGUMENTS(n));                                                        \
    waited(called, family, __builtin_frame_address(0),                         \
           __builtin_return_address(0));                                       \
  }
#define EK_MPI(name, small, family, n)                                         \
  FORTRAN(mpi_##small##_, "MPI_" #name, family, NEXT(n))                       \
  FORTRAN(mpi_##small##_f08_, "MPI_" #name, family, NEXT(n))
#include "pmpi.def"
