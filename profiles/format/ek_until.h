/*===- ek_until.h - a record that ends before its program does ----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what `evenkeel record --until` and the processes it records tell each
 * other while the program runs, in a file that all of them have mapped; and
 * why a record ended.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_UNTIL_H
#define EVENKEEL_EK_UNTIL_H

#include <stdint.h>

/* Set by `evenkeel record`:
 *   EVENKEEL_RECORD_UNTIL=phases <SECONDS>s|<N>p|<SECONDS>s
 *   EVENKEEL_RECORD_KEEP=1         the program goes on behind the record
 *   EVENKEEL_RECORD_BOARD=<file>   an ek_until_board */
#define EK_UNTIL_ENV "EVENKEEL_RECORD_UNTIL"
#define EK_UNTIL_KEEP_ENV "EVENKEEL_RECORD_KEEP"
#define EK_UNTIL_BOARD_ENV "EVENKEEL_RECORD_BOARD"

/* Why a record ended. */
enum {
  EK_ENDED_PROGRAM = 0, /* with the program */
  EK_ENDED_PHASES = 1,  /* the kinds of phases that matter were seen */
  EK_ENDED_COUNT = 2,   /* after so many phases */
  EK_ENDED_SECONDS = 3, /* after so many seconds */
  EK_ENDED_LIMIT = 4,   /* they were not all seen in the time there was */
  EK_ENDED_CUT = 5,     /* in the middle of a phase that went on and on */
  EK_ENDED_NUMBER
};

/* What was missing for EK_ENDED_PHASES. */
enum {
  EK_UNSEEN_NOTHING = 0,
  EK_UNSEEN_SHORT = 1,   /* too little time of the program so far */
  EK_UNSEEN_REPEATS = 2, /* no kind of phase came three times */
  EK_UNSEEN_ALIKE = 3,   /* none came three times with the same work */
  EK_UNSEEN_MOST = 4,    /* those that did make up too little of the time */
  EK_UNSEEN_RANKS = 5,   /* another rank had not seen enough, or ended */
  EK_UNSEEN_NUMBER
};

/* How long EK_ENDED_PHASES is waited for where nobody says it. */
#define EK_UNTIL_LIMIT_S 60

/* Zeroed at first; changed by atomic operations alone. */
typedef struct ek_until_board {
  /* Of the ranks of an MPI program: the collective of all ranks that all of
   * them stop at, from 1 (upper half; 0: not known yet), and the last one that
   * any of them has come to (lower half). */
  uint64_t course;
  uint32_t ready;    /* ranks that have seen enough */
  uint32_t expected; /* processes that stop; 0: none yet */
  uint32_t written;  /* of these, those whose record is complete */
  uint32_t reserved;
} ek_until_board;

#endif
