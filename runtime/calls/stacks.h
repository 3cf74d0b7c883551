/*===- stacks.h - the table of call stacks, flat ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: stacks.json, read once into flat arrays by stacks.cpp, and which site
 * and context a chain of source frames means.
 * Leaves out: where the frames come from (stack.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STACKS_H
#define EVENKEEL_RUNTIME_STACKS_H

#include "calls/context.h"
#include "format/ek_context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_NO_FRAME UINT32_MAX

typedef struct ek_stack_range {
  uint64_t from, to;     /* addresses as linked */
  uint32_t first, count; /* of ek_stacks.chains */
} ek_stack_range;

typedef struct ek_stack_frame {
  uint64_t site;  /* 0: a call of a wrapper */
  bool ambiguous; /* several sites in one place */
  bool wrapped;   /* contexts tell its blocks apart */
} ek_stack_frame;

typedef struct ek_stack_context {
  uint64_t site, context;
  uint32_t calls[EK_CONTEXT_CALLS];
  uint32_t count;
} ek_stack_context;

typedef struct ek_stack_global {
  uint64_t site, address, bytes;
} ek_stack_global;

typedef struct ek_stack_sync {
  uint64_t sync, from, to; /* addresses as linked */
  bool mpi;                /* a call of MPI, not of a parallel region */
} ek_stack_sync;

typedef struct ek_stack_module {
  const char *name, *build; /* as in the file */
  const ek_stack_range *ranges;
  size_t range_count;
  const ek_stack_global *globals;
  size_t global_count;
  const ek_stack_sync *syncs;
  size_t sync_count;
  bool other_said; /* that another build of it runs */
} ek_stack_module;

typedef struct ek_stacks {
  ek_stack_frame *frames;
  ek_stack_context *contexts;
  size_t context_count;
  uint32_t *chains;
  ek_stack_module *modules;
  size_t module_count;
  bool joins, waits; /* syncs of parallel regions, of MPI are there */
  char program[17];  /* the facts it was made from, as in plans */
} ek_stacks;

/* Reads the file; NULL on failure with one line in \p error. Never throws. The
 * table lives as long as the process. */
ek_stacks *ek_stacks_read(const char *path, char *error, size_t size);
/* The same for tests that read many. */
void ek_stacks_free(ek_stacks *s);
/* As Stacks.h: the hash of code without a build id. */
uint64_t ek_stacks_text_hash(uint64_t before, const void *bytes, size_t size);

typedef enum ek_stack_end {
  EK_STACK_OPEN,      /* more callers could tell more */
  EK_STACK_SITE,      /* out->site, out->context */
  EK_STACK_NO_SITE,   /* the program's own code, but no site of the facts */
  EK_STACK_AMBIGUOUS, /* several sites fit */
  EK_STACK_UNKNOWN    /* no code that the table knows */
} ek_stack_end;

/* What is known of a stack so far; starts as zero. */
typedef struct ek_stack_state {
  uint64_t site;
  uint32_t calls[EK_CONTEXT_CALLS];
  uint32_t count;
} ek_stack_state;

/* One more return address, at \p address (as linked) of \p module. Anything but
 * EK_STACK_OPEN ends it. */
ek_stack_end ek_stack_step(const ek_stacks *s, const ek_stack_module *module,
                           uint64_t address, ek_stack_state *state);
/* The sync point behind the call of a parallel region, or of MPI, that returns
 * to \p address (as linked); 0: none that the table knows. */
uint64_t ek_stack_sync_at(const ek_stack_module *module, uint64_t address,
                          bool mpi);
/* The answer, after the last step: \p end is what that said. */
ek_stack_end ek_stack_answer(const ek_stacks *s, const ek_stack_state *state,
                             ek_stack_end end, ek_asked *out);

#ifdef __cplusplus
}
#endif
#endif
