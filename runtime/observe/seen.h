/*===- seen.h - what hooks saw, for later plans --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: values handed over, sizes of objects and times of phases and tasks, in
 * tables of fixed size. At its end, a process whose program has a workspace of
 * the same user leaves them there (profiles/format/inputs/SeenRun.h), in one
 * file that exists completely or not at all.
 * Not here: what later plans make of it; other processes' files.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SEEN_H
#define EVENKEEL_RUNTIME_SEEN_H

#include "core/events.h"
#include "format/ek_seen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this process leaves what it sees. Set at start. */
extern bool ek_seen_on;

/* Registers listeners if EVENKEEL_SEEN is on and the program has a workspace.
 * Remembers what the program may change later: its command, its folder, and the
 * files that the command names. */
void ek_seen_start(void);

/* A function that calls \p f for each live object. */
typedef void ek_seen_alive(void (*f)(const ek_told *o, void *data), void *data);

typedef struct ek_seen_end {
  uint32_t rank, ranks; /* ranks 0: no launcher */
  bool planned;         /* a plan was carried out */
  ek_seen_alive *alive;
  uint64_t (*hook_of)(uint64_t code); /* as in ek_summary_by */
  const char *types; /* ek_replan_sums.seen: task times by type; may be NULL */
} ek_seen_end;
/* Writes the file. In a child of fork it does nothing. Failures are counted. */
void ek_seen_write(const ek_seen_end *end);
/* In the last rank of a launch on this node: writes what the ranks lose at
 * collectives (profiles/format/inputs/Imbalance.h), which \p make returns for
 * the workspace's build, beside the runs of this input. */
void ek_seen_keep_imbalance(char *(*make)(const char *build, size_t *bytes));

/* --- for the writer (seen_file.cpp) ------------------------------------------
 */

typedef struct ek_seen_value {
  uint64_t region, variable;
  int64_t first, last, least, most;
  uint32_t state; /* 2: the row is complete */
} ek_seen_value;

typedef struct ek_seen_total {
  uint64_t region, total;
  int64_t first, last, least, most;
  uint32_t thread;
  uint32_t state; /* 2: the row is complete */
} ek_seen_total;

typedef struct ek_seen_object {
  uint64_t site, context, bytes;
  uint32_t creator, ordinal, in_context;
  uint32_t state; /* 2: the row is complete */
} ek_seen_object;

typedef struct ek_seen_phase {
  uint64_t sync, times, ns;
  uint32_t state; /* 2: the row is complete */
} ek_seen_phase;

/* A file that the command names, as it was at the start. */
typedef struct ek_seen_named {
  uint32_t word; /* index in the command */
  uint64_t device, node, bytes;
  struct timespec changed;
} ek_seen_named;

/* Rows that are not complete are unused. */
typedef struct ek_seen_table {
  ek_seen_value values[EK_SEEN_VALUES];
  ek_seen_total totals[EK_SEEN_TOTALS];
  ek_seen_object objects[EK_SEEN_OBJECTS]; /* that were freed */
  ek_seen_phase phases[EK_SEEN_PHASES];
  /* Rows that did not fit. */
  uint64_t more_values, more_totals, more_objects, more_phases;

  char program[4096]; /* absolute path, without links */
  char top[4096];     /* folder of workspaces */
  bool shared;        /* by several programs: not beside this one */
  char folder[4096];  /* working directory at the start; empty: unknown */
  char command[EK_SEEN_COMMAND]; /* words, each followed by a zero */
  size_t command_bytes;
  ek_seen_named file, files[EK_SEEN_FILES]; /* the program, and its inputs */
  size_t file_count;
  uint64_t began_ns; /* monotonic */
  pid_t owner;       /* this process; a child of fork is another one */
} ek_seen_table;
extern ek_seen_table ek_seen;

/* The state of file \p path; false: it is not a regular file. */
bool ek_seen_look(const char *path, ek_seen_named *its);

#ifdef __cplusplus
}
#endif
#endif
