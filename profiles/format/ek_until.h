/*===- ek_until.h - recording the beginning of a run ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how `evenkeel record --until` and the recorded processes communicate
 * while the program runs, in a file that all of them map; and why a record
 * ended.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_UNTIL_H
#define EVENKEEL_EK_UNTIL_H

#include <stdint.h>

/* Set by `evenkeel record`:
 *   EVENKEEL_RECORD_UNTIL=phases <SECONDS>s|<N>p|<SECONDS>s
 *   EVENKEEL_RECORD_KEEP=1         the program continues after the record
 *   EVENKEEL_RECORD_BOARD=<file>   an ek_until_board */
#define EK_UNTIL_ENV "EVENKEEL_RECORD_UNTIL"
#define EK_UNTIL_KEEP_ENV "EVENKEEL_RECORD_KEEP"
#define EK_UNTIL_BOARD_ENV "EVENKEEL_RECORD_BOARD"

/* Why a record ended. */
enum {
  EK_ENDED_PROGRAM = 0, /* with the program */
  EK_ENDED_PHASES = 1,  /* the relevant kinds of phases were seen */
  EK_ENDED_COUNT = 2,   /* after the given number of phases */
  EK_ENDED_SECONDS = 3, /* after the given number of seconds */
  EK_ENDED_LIMIT = 4,   /* time limit before all of them were seen */
  EK_ENDED_CUT = 5,     /* in the middle of a very long phase */
  EK_ENDED_NUMBER
};

/* What was missing for EK_ENDED_PHASES. */
enum {
  EK_UNSEEN_NOTHING = 0,
  EK_UNSEEN_SHORT = 1,   /* too little of the program's time so far */
  EK_UNSEEN_REPEATS = 2, /* no kind of phase occurred three times */
  EK_UNSEEN_ALIKE = 3,   /* none occurred three times with the same work */
  EK_UNSEEN_MOST = 4,    /* kinds that did are too small a part of the time */
  EK_UNSEEN_RANKS = 5,   /* another rank has not seen enough, or has ended */
  EK_UNSEEN_NUMBER
};

/* The default time limit for EK_ENDED_PHASES. */
#define EK_UNTIL_LIMIT_S 60

/* Zeroed at first; changed only by atomic operations. */
typedef struct ek_until_board {
  /* For the ranks of an MPI program: the collective of all ranks at which all
   * of them stop, counted from 1 (upper half; 0: not known yet), and the last
   * collective that any of them has reached (lower half). */
  uint64_t course;
  uint32_t ready;    /* ranks that have seen enough */
  uint32_t expected; /* processes that will stop; 0: none yet */
  uint32_t written;  /* processes whose record is complete */
  uint32_t reserved;
} ek_until_board;

#endif
