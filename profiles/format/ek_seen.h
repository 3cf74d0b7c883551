/* ek_seen.h - limits of what a run leaves in its workspace
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how much one process keeps of what its hooks see, so that the file of
 * a run has a few KiB and never more than a few hundred. What does not fit is
 * counted.
 */
#ifndef EVENKEEL_PROFILES_FORMAT_EK_SEEN_H
#define EVENKEEL_PROFILES_FORMAT_EK_SEEN_H

enum {
  EK_SEEN_VALUES = 1024,      /* a region's variables; a power of two */
  EK_SEEN_TOTALS = 4096,      /* loops' threads; a power of two */
  EK_SEEN_OBJECTS = 2048,     /* objects that were freed, and that are alive */
  EK_SEEN_PHASES = 512,       /* sync points that end phases; a power of two */
  EK_SEEN_TASKS = 4096,       /* regions' threads */
  EK_SEEN_FILES = 16,         /* files that a command names */
  EK_SEEN_COMMAND = 16 << 10, /* bytes of a command */
  EK_SEEN_RANKS = 256,        /* ranks of a launch that leave a file */
  EK_SEEN_RUNS = 4,           /* runs of an input, of each rank */
  EK_SEEN_INPUTS = 256        /* inputs of a program */
};

#endif
