/*===- record_abi.h - calls that the compiler pass inserts --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what instrumented code and libevenkeel-record share: the calls
 * (record_calls.def), the structures that they pass, and the thread's state.
 * Users never write these calls; the pass inserts them (passes/record). All are
 * thread-safe, and none ends the program. Instrumented code also writes to the
 * thread's state itself: at the head of each basic block it adds the block's
 * cost to `__ek_rec_tls`, and it updates the cells of symbols.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RECORD_ABI_H
#define EVENKEEL_RUNTIME_RECORD_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values of a symbol seen by a task; times 0: none yet. The last value has
 * been the same since the `since`-th time; these times are not in `sum` yet, so
 * that a repeated value costs only one addition. */
struct ek_rec_cell {
  uint64_t times;
  int64_t last, min, max;
  double sum;
  uint64_t since;
};

/* The head of the thread's state; costs are in issue slots, four per core
 * cycle. */
struct ek_rec_tls {
  uint64_t slots;
  uint64_t instructions;
  struct ek_rec_cell *cells; /* of the current task */
  /* Sampled units: the bits of a line number that decide whether it is
   * followed. 0: all lines are (Burst.h). */
  uint64_t follow;
};
#ifndef EK_REC_INSIDE /* the library has the full type */
extern __thread struct ek_rec_tls __ek_rec_tls
    __attribute__((tls_model("initial-exec")));
#endif

/* Bits of `info`. */
#define EK_REC_SIZE(info) ((uint32_t)(info)) /* bits 0-31 */
#define EK_REC_READ (1ull << 32)
#define EK_REC_WRITE (1ull << 33)
#define EK_REC_DEPENDENT (1ull << 34)
#define EK_REC_IN_ORDER (1ull << 35)  /* walks through lines in order */
#define EK_REC_UNCOUNTED (1ull << 36) /* not an object's: only for races */
#define EK_REC_ATOMIC (1ull << 37)
#define EK_REC_ORDERS (1ull << 38) /* acquires or releases */
#define EK_REC_AFTER_SHIFT 40 /* instructions from here to the block's end */

/* Each unit defines one of these, depending on how it was built. A program with
 * sampled units is sampled: one line of each page is followed (Sampling.h).
 * Counted units report counts, and must not be mixed with other units. */
extern const int __ek_rec_full_units;
extern const int __ek_rec_sampled_units;
extern const int __ek_rec_counted_units;

/* A loop's accesses that every iteration makes, each `step` bytes after that of
 * the previous iteration. */
struct ek_rec_stream {
  uintptr_t start;
  int64_t step;
  uint64_t info;
};

/* The address range of an object. */
struct ek_rec_extent {
  uint64_t low, size;
};

/* Kinds of symbols. */
#define EK_REC_PER_TASK 1 /* otherwise one value for the whole program */
#define EK_REC_TRIPS 2    /* a trip count */

/* An access of a program that measures walks. */
struct ek_rec_walk {
  const char *claim;
  uint64_t number; /* assigned by the recorder, from 1 */
};
/* Depth and stamp of values passed at a call: by argument, the result last. */
#define EK_REC_PASSED 16
#ifndef EK_REC_INSIDE
extern __thread uint64_t __ek_rec_passed[2 * EK_REC_PASSED]
    __attribute__((tls_model("initial-exec")));
#endif

/* The body of a function to execute, if it has several; read at function entry.
 * It changes only while no team runs. */
#define EK_REC_BODY_RECORDED 0
#define EK_REC_BODY_PLAIN 1
extern int32_t __ek_rec_body;

#define EK_REC_ADDRESS uintptr_t
#define EK_REC_HANDLE uintptr_t
#define EK_REC_RETURNS
#define EK_REC_UNWINDS
#define EK_REC_CALL(Result, Name, Arguments, Unwinds)                          \
  Result __ek_rec_##Name Arguments;
#include "record_calls.def"

/* Instrumented code refers to this; another version does not link. */
extern const int __ek_rec_abi_v6;

#ifdef __cplusplus
}
#endif

#endif
