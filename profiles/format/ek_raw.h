/*===- ek_raw.h - the stream of a recorded process -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the byte layout that the runtime's recorder writes at exit, one file
 * per process or rank, and that `evenkeel record` merges into one profile
 * (SQLite, Profile.h). Little endian, 8-byte aligned sections:
 *   file   = ek_raw_header, then sections until the end
 *   section= ek_raw_section, then `count` fixed-size rows
 * Unknown tags are skipped by their `bytes`. A file without the final
 * EK_RAW_END section is truncated and is an error. Rows are sorted as noted, so
 * equal runs give equal files, and readers need not search.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_RAW_H
#define EVENKEEL_EK_RAW_H

#include "ek_sizes.h"
#include <stdint.h>

#define EK_RAW_MAGIC "EKRAW\0\0\3" /* last byte: version */
#define EK_CHUNKS 256              /* relative chunks per object instance */
#define EK_RAW_LLC_SIZES 8         /* last-level sizes tracked at once */
#define EK_NO_TASK 0xffffffffu

typedef struct ek_raw_header {
  char magic[8];
  uint32_t process; /* rank or 0 */
  uint32_t mode;    /* 1 counts, 2 misses, 3 sizes and times only, 4 sampled */
} ek_raw_header;

#define EK_TAG(a, b, c, d)                                                     \
  ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 |                  \
   (uint32_t)(d) << 24)

typedef struct ek_raw_section {
  uint32_t tag;
  uint32_t count; /* rows */
  uint64_t bytes; /* of all rows */
} ek_raw_section;

/* One row: how the caches and the core were simulated. */
#define EK_RAW_CONF EK_TAG('C', 'O', 'N', 'F')
typedef struct ek_raw_conf {
  uint32_t line_bytes, l1_bytes, l1_ways, l2_bytes, l2_ways;
  uint32_t llc_share_bytes, llc_ways; /* per task */
  uint32_t rob_instructions;          /* reorder window */
  uint32_t prefetch_depth;            /* lines in flight per stream; 0 = off */
  uint32_t workers;                   /* virtual workers (threads) */
  uint64_t quantum_cycles;
  uint32_t llc_sizes[EK_RAW_LLC_SIZES]; /* bytes per task; 0 = unused */
  double ghz;                           /* of the virtual core */
  uint64_t untracked_accesses; /* outside known objects; mode 4: not counted */
  uint64_t tracked_accesses;
} ek_raw_conf;

/* Mode 4 only: one line in this many was followed, one of each page. All
 * figures are those of the followed lines, scaled up; weights are estimates. */
#define EK_RAW_SMPL EK_TAG('S', 'M', 'P', 'L')
typedef struct ek_raw_sampling {
  uint32_t one_in, reserved;
} ek_raw_sampling;

/* At most one row: why the record ended, unless it ended with the program or
 * where --until expected it (ek_until.h). */
#define EK_RAW_ENDD EK_TAG('E', 'N', 'D', 'D')
typedef struct ek_raw_ended {
  uint32_t why;     /* EK_ENDED_* */
  uint32_t missing; /* EK_UNSEEN_* */
  uint32_t kinds;   /* number of kinds of phases */
  uint32_t asked;   /* 0 kinds of phases, 1 phases, 2 seconds */
  /* The fraction of the time spent in kinds of phases that were seen. */
  double seen_share;
} ek_raw_ended;

/* Object instances, in order of (site, task, ordinal). Index = row number. A
 * creator's first small blocks of a site are instances, too, because they may
 * be large on another input. All further small blocks are one instance,
 * EK_RAW_SMALL. */
#define EK_RAW_INST EK_TAG('I', 'N', 'S', 'T')
#define EK_RAW_SMALL 0xffffffffu /* ordinal of a creator's small blocks */
#define EK_RAW_ONE_SMALL                                                       \
  0x80000000u /* ordinal of a small block: this plus its number */
#define EK_RAW_IS_SMALL(ordinal) ((ordinal) >= EK_RAW_ONE_SMALL)
typedef struct ek_raw_inst {
  uint64_t site, context; /* ek_context.h; 0 = no wrapper call, or unknown */
  uint32_t ordinal;       /* among large blocks of the site by this creator */
  uint32_t creator;       /* thread (virtual worker) that allocated it */
  uint64_t bytes;
  uint32_t alloc_phase, free_phase; /* free_phase = EK_NO_TASK: never */
  uint32_t in_context;              /* like ordinal, within the context */
  uint32_t number; /* like ordinal, including small blocks; if there are any */
} ek_raw_inst;

/* Phases in order of time. Index = row number. */
#define EK_RAW_PHAS EK_TAG('P', 'H', 'A', 'S')
typedef struct ek_raw_phase {
  uint64_t sync;  /* id of the sync point that ended it; 0 = program end */
  uint32_t kind;  /* 0 serial, 1 team, 2 serial up to an MPI collective */
  uint32_t width; /* threads of the team */
} ek_raw_phase;

/* Tasks, in order of (phase, explicit, index). Index = row number. */
#define EK_RAW_TASK EK_TAG('T', 'A', 'S', 'K')
typedef struct ek_raw_task {
  uint64_t region;
  uint32_t phase;
  uint32_t index;       /* thread number, or ordinal of the explicit task */
  uint32_t worker;      /* virtual worker whose caches it used */
  uint32_t flags;       /* 1 = explicit task */
  uint64_t core_cycles; /* without memory stalls beyond the caches */
  uint64_t instructions;
  uint64_t wall_ns; /* measured, 0 under tracing; never deterministic */
} ek_raw_task;

/* Edges among explicit tasks: `task` may start when `pred` is done. */
#define EK_RAW_DEPS EK_TAG('D', 'E', 'P', 'S')
typedef struct ek_raw_dep {
  uint32_t task, pred;
} ek_raw_dep;

/* Rows of tasks that continue what another row began: after a wait, a barrier
 * or the creation of a task. `first`: the row in which that execution of its
 * region began. */
#define EK_RAW_PART EK_TAG('P', 'A', 'R', 'T')
typedef struct ek_raw_part {
  uint32_t task, first;
} ek_raw_part;

/* Accesses as executed (before caches), per task and instance. */
#define EK_RAW_ACCS EK_TAG('A', 'C', 'C', 'S')
typedef struct ek_raw_access {
  uint32_t task, inst;
  uint64_t reads, writes;
} ek_raw_access;

/* The planner's view: transfers between last level and memory per chunk. */
#define EK_RAW_MISS EK_TAG('M', 'I', 'S', 'S')
typedef struct ek_raw_miss {
  uint32_t task, inst, chunk, reserved;
  uint64_t reads;  /* lines fetched */
  uint64_t writes; /* lines written back */
  double weight;   /* sum over reads of 1/overlap: full latencies exposed */
  uint64_t course; /* when: see Course.h; 0: not known */
} ek_raw_miss;

/* Fetched lines at each of conf.llc_sizes, per task and instance. */
#define EK_RAW_MRCV EK_TAG('M', 'R', 'C', 'V')
typedef struct ek_raw_mrc {
  uint32_t task, inst;
  uint64_t reads[EK_RAW_LLC_SIZES];
} ek_raw_mrc;

/* Lines fetched if there were no caches behind the first level (mode 4: no last
 * level), or if all data exceeded them; and the number of latencies that a core
 * would wait for them (like `weight` of ek_raw_miss). Estimates from a sample
 * of the lines. Optional. */
#define EK_RAW_FARW EK_TAG('F', 'A', 'R', 'W')
typedef struct ek_raw_far {
  uint32_t task, inst;
  uint64_t reads;
  double weight;
} ek_raw_far;

/* The judge's view: the same transfers per quantum of virtual time and page,
 * sorted by (task, quantum, inst, page). Mode 4: a row of a large object
 * describes 2^span pages, starting at a multiple of 2^span; `page` contains
 * both, and all rows of an object have the same span. */
#define EK_RAW_PAGE EK_TAG('P', 'A', 'G', 'E')
#define EK_PAGE_BITS 27
#define EK_PAGE_FIRST(page) ((page) & ((1u << EK_PAGE_BITS) - 1))
#define EK_PAGE_SPAN(page) ((page) >> EK_PAGE_BITS)
#define EK_PAGE_ROW(first, span) ((first) | (span) << EK_PAGE_BITS)
typedef struct ek_raw_page {
  uint32_t task, quantum, inst, page;
  uint32_t reads, writes;
  float weight;
  uint32_t dependent; /* reads whose address came from the previous read */
} ek_raw_page;

/* Symbol values; task = EK_NO_TASK for values of the whole program, and for
 * symbols in code that was never reached: then times is 0. */
#define EK_RAW_SYMB EK_TAG('S', 'Y', 'M', 'B')
typedef struct ek_raw_symbol {
  uint64_t symbol;
  uint32_t task, reserved;
  uint64_t times; /* number of times it was seen */
  int64_t first, last, min, max;
  double sum;
} ek_raw_symbol;

/* Pairs of places at which threads of a phase accessed the same bytes, at least
 * one of them writing, without synchronisation: the program races. */
#define EK_RAW_RACE EK_TAG('R', 'A', 'C', 'E')
typedef struct ek_raw_race {
  uint64_t region;
  uint64_t place[2]; /* offset of the code in its image */
  uint32_t image[2]; /* EK_NO_TASK: unknown */
  uint32_t inst;     /* EK_NO_TASK: stack, small statics, unknown memory */
  uint32_t flags;    /* 1, 2: the first, the second writes; 4: in a region whose
                        atomic operations may order them */
  uint64_t lines;    /* number of such lines, summed over phases */
} ek_raw_race;

/* Images of RACE rows. Index = row number. */
#define EK_RAW_IMAG EK_TAG('I', 'M', 'A', 'G')
typedef struct ek_raw_image {
  char path[256]; /* ends with a 0 */
} ek_raw_image;

/* Measured time between hooks (mode 3, and wall clock of others). */
#define EK_RAW_END EK_TAG('E', 'N', 'D', '!')

#endif
