/*===- pmpi.c - hooks after MPI calls that were not rewritten ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libevenkeel-pmpi.so intercepts MPI through its profiling interface; it is
 * linked before the MPI library, or preloaded. Each call in which ranks wait
 * (pmpi.def) is forwarded and then is a sync point. If the source was
 * rewritten, its own hook follows instead, so that each call has one hook. One
 * file serves every MPI library without mpi.h, because handles, counts and
 * pointers are all machine words (System V ABI of x86-64, AAPCS64) and are only
 * forwarded. Fortran's names (use mpi, mpif.h, use mpi_f08) are intercepted,
 * too; if the library implements them by its C functions, the nested call is
 * not a second hook. Without libevenkeel in the program, calls are only
 * forwarded. If libevenkeel has a table of call stacks, the hook is the sync
 * point at the call's place in the source.
 * MPICH's buffers of mpi_f08 are descriptors, which names with f08ts take.
 * Not here: Fortran names that end in two underscores or are upper case, and
 * MPICH's for large counts (f08ts_large).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define EVENKEEL_DISABLE /* use ek.h's constants, not the library */
#include "evenkeel/ek.h"
#undef ek_sync

#include "hooks/edited.h"
#include "hooks/mpi/mpi_ranks.h"
#include "hooks/mpi/words.h"

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

/* The program may lack libevenkeel and OpenMP. */
void ek_waited(const char *call, unsigned context, const void *code) WEAK;
void ek_waited_partly(void) WEAK;
bool ek_edited(const void *frame) WEAK;
void ek_ranks_wait(void) WEAK;
void ek_ranks_go_on(void) WEAK;
bool ek_ranks_unknown(void) WEAK;
void ek_ranks_found(uint32_t rank, unsigned here, uint64_t first,
                    uint64_t since) WEAK;
void ek_ranks_launched(uint32_t ranks) WEAK;
int omp_get_level(void) WEAK;
void ek_ends(void) WEAK;
void __ek_rec_ends(void) WEAK;

/* The kind of wait in a call: for a message, or in a collective, with the
 * argument that determines its ranks. */
typedef struct family {
  unsigned context;
  ek_mpi_of of;
  unsigned argument;
} family;
#define COLLECTIVE(of, n) ((family){EK_SERIAL, of, n})
#define COMM(n) COLLECTIVE(EK_MPI_COMM, n)
#define WIN(n) COLLECTIVE(EK_MPI_WIN, n)
#define WIN_AT(n) COLLECTIVE(EK_MPI_WIN_AT, n)
#define FILE_OF(n) COLLECTIVE(EK_MPI_FILE, n)
#define FILE_AT(n) COLLECTIVE(EK_MPI_FILE_AT, n)
#define EVERYBODY COLLECTIVE(EK_MPI_ALL, 0)
#define TOGETHER COLLECTIVE(EK_MPI_UNION, 0)
#define WAIT ((family){EK_SERIAL | EK_PARTIAL, EK_MPI_ALL, 0})
#define START WAIT

/* Calls the thread is in: a Fortran function may call a C one. */
static _Thread_local unsigned depth __attribute__((tls_model("initial-exec")));

/* The context for the hook after the call: a wait that does not involve all
 * ranks ends no phase. Determined before the call, which may free its
 * handle. */
static unsigned waits(family kind, const intptr_t *arguments) {
  if (depth++ || !ek_waited)
    return kind.context;
  int saved = errno;
  if (kind.context == EK_SERIAL &&
      !ek_mpi_is_of_all(kind.of, arguments[kind.argument]))
    kind.context |= EK_PARTIAL;
  if (ek_ranks_wait)
    ek_ranks_wait();
  errno = saved;
  return kind.context;
}

static void waited(const char *name, unsigned context, const void *frame,
                   const void *code) {
  if (--depth || !ek_waited || !ek_edited)
    return;
  int saved = errno;
  if (ek_ranks_go_on)
    ek_ranks_go_on();
  if (ek_edited(frame)) {
    if (context & EK_PARTIAL && ek_waited_partly)
      ek_waited_partly();
    errno = saved;
    return;
  }
  /* A wait of one thread inside a team ends no phase of the rank. */
  if (omp_get_level && omp_get_level() > 0)
    context |= EK_PARTIAL;
  ek_waited(name, context, code);
  errno = saved;
}

static void missing(const char *name) __attribute__((noreturn));
static void missing(const char *name) {
  fprintf(stderr,
          "evenkeel: libevenkeel-pmpi: no MPI library provides %s; put "
          "libevenkeel-pmpi before the MPI library\n",
          name);
  abort();
}

/* The arguments as an initializer, which is never empty. */
#define LIST0 0
#define LIST1 A1
#define LIST2 A2
#define LIST3 A3
#define LIST4 A4
#define LIST5 A5
#define LIST6 A6
#define LIST7 A7
#define LIST8 A8
#define LIST9 A9
#define LIST10 A10
#define LIST11 A11
#define LIST12 A12

#define EK_MPI(name, small, family, n)                                         \
  int PMPI_##name(P##n) WEAK;                                                  \
  int MPI_##name(P##n);                                                        \
  EXPORT int MPI_##name(P##n) {                                                \
    if (!PMPI_##name)                                                          \
      missing("MPI_" #name);                                                   \
    const W words[] = {LIST##n};                                               \
    unsigned context = waits(family, words);                                   \
    int result = PMPI_##name(A##n);                                            \
    waited("MPI_" #name, context, __builtin_frame_address(0),                  \
           __builtin_return_address(0));                                       \
    return result;                                                             \
  }
#include "hooks/mpi/pmpi.def"
#undef EK_MPI

/* --- the ranks of this node, if no launcher says -----------------------------
 */

int PMPI_Comm_split_type(P5) WEAK;
int PMPI_Bcast(P5) WEAK;
int PMPI_Comm_size(P2) WEAK;
int PMPI_Comm_rank(P2) WEAK;
int PMPI_Comm_free(P1) WEAK;

/* Called in all ranks, after MPI_Init. All of them decide alike whether to ask
 * MPI, because they were launched alike. */
static void report_ranks(void) {
  ek_mpi_handles h;
  int all = 0;
  if (ek_ranks_launched && PMPI_Comm_size && ek_mpi_find_handles(&h) &&
      PMPI_Comm_size(h.world, (W)&all) == 0)
    ek_ranks_launched((uint32_t)all);
  if (!ek_ranks_unknown || !ek_ranks_unknown() || !PMPI_Comm_split_type ||
      !PMPI_Bcast || !PMPI_Comm_size || !PMPI_Comm_rank || !PMPI_Comm_free ||
      !ek_mpi_find_handles(&h))
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
    report_ranks();
  return result;
}
EXPORT int MPI_Init_thread(P4) {
  if (!PMPI_Init_thread)
    missing("MPI_Init_thread");
  int result = PMPI_Init_thread(A4);
  if (result == 0)
    report_ranks();
  return result;
}

/* The launcher is about to end all ranks, including this one. */
static void aborts(void) {
  if (ek_ends)
    ek_ends();
  if (__ek_rec_ends)
    __ek_rec_ends();
}

int PMPI_Abort(P2) WEAK;
int MPI_Abort(P2);
EXPORT int MPI_Abort(P2) {
  if (!PMPI_Abort)
    missing("MPI_Abort");
  aborts();
  return PMPI_Abort(A2);
}

/* A function that has no PMPI name. */
static void *behind_us(const char *name) {
  void *f = dlsym(RTLD_NEXT, name);
  if (!f)
    missing(name);
  return f;
}

/* For Fortran. If the library calls its C function, that has asked already. */
void mpi_init_(W error);
void mpi_init_thread_(W required, W provided, W error);
void mpi_abort_(W comm, W code, W error);
EXPORT void mpi_abort_(W comm, W code, W error) {
  aborts();
  ((void (*)(W, W, W))(W)behind_us("mpi_abort_"))(comm, code, error);
}
EXPORT void mpi_init_(W error) {
  ((void (*)(W))(W)behind_us("mpi_init_"))(error);
  report_ranks();
}
EXPORT void mpi_init_thread_(W required, W provided, W error) {
  ((void (*)(W, W, W))(W)behind_us("mpi_init_thread_"))(required, provided,
                                                        error);
  report_ranks();
}

/* Fortran's functions take an error argument last, pass every argument by
 * address, and return nothing. The length of a file name comes after these; an
 * extra word does no harm to functions without one. */
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

/* In Fortran, handles are integers passed by address. */
W PMPI_Comm_f2c(W) WEAK;
W PMPI_Win_f2c(W) WEAK;
W PMPI_File_f2c(W) WEAK;
static unsigned waits_fortran(family kind, const intptr_t *arguments) {
  ek_mpi_handles h;
  if (depth || !ek_waited || kind.of == EK_MPI_ALL || kind.of == EK_MPI_UNION ||
      !ek_mpi_find_handles(&h))
    return waits(kind, arguments);
  W handle = *(const int *)arguments[kind.argument];
  bool window = kind.of == EK_MPI_WIN || kind.of == EK_MPI_WIN_AT;
  bool file = kind.of == EK_MPI_FILE || kind.of == EK_MPI_FILE_AT;
  W(*convert)
  (W) = window ? PMPI_Win_f2c : file ? PMPI_File_f2c : PMPI_Comm_f2c;
  if (convert)
    handle = convert(handle);
  kind.of = window ? EK_MPI_WIN : file ? EK_MPI_FILE : EK_MPI_COMM;
  kind.argument = 0;
  return waits(kind, &handle);
}

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
    const W words[] = {ARGUMENTS(n)};                                          \
    unsigned context = waits_fortran(family, words);                           \
    call(ARGUMENTS(n));                                                        \
    waited(called, context, __builtin_frame_address(0),                        \
           __builtin_return_address(0));                                       \
  }
#define EK_MPI(name, small, family, n)                                         \
  FORTRAN(mpi_##small##_, "MPI_" #name, family, NEXT(n))                       \
  FORTRAN(mpi_##small##_f08_, "MPI_" #name, family, NEXT(n))                   \
  FORTRAN(mpi_##small##_f08ts_, "MPI_" #name, family, NEXT(n))
#include "hooks/mpi/pmpi.def"
