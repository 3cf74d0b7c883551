/*===- stacks.h - the table of call stacks ------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: stacks.json, read once into flat arrays by stacks.cpp; and which site
 * and context a chain of source frames stands for.
 * Not here: where the frames come from (stack.c).
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
  uint32_t first, count; /* in ek_stacks.chains */
} ek_stack_range;

typedef struct ek_stack_frame {
  uint64_t site;  /* 0: a call of a wrapper */
  bool ambiguous; /* several sites at the same place */
  bool wrapped;   /* the site's blocks are told apart by context */
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
  bool other_said; /* we have said that another build of it runs */
} ek_stack_module;

typedef struct ek_stacks {
  ek_stack_frame *frames;
  ek_stack_context *contexts;
  size_t context_count;
  uint32_t *chains;
  ek_stack_module *modules;
  size_t module_count;
  bool joins, waits; /* it has sync points of parallel regions, of MPI */
  char program[17];  /* identity of the facts, as in plans */
} ek_stacks;

/* Reads the file. Returns a table for the rest of the process; or NULL, with
 * one line in \p error. Throws nothing. */
ek_stacks *ek_stacks_read(const char *path, char *message, size_t size);
/* Frees the table, for tests that read many. */
void ek_stacks_free(ek_stacks *s);
/* The hash of code without a build id, as in Stacks.h. */
uint64_t ek_stacks_text_hash(uint64_t before, const void *bytes, size_t size);

typedef enum ek_stack_end {
  EK_STACK_OPEN,      /* further callers may add information */
  EK_STACK_SITE,      /* found: out->site, out->context */
  EK_STACK_NO_SITE,   /* code of the program that is not a site */
  EK_STACK_AMBIGUOUS, /* several sites match */
  EK_STACK_UNKNOWN    /* no frame is in the table */
} ek_stack_end;

/* What the frames so far have shown; initially zero. */
typedef struct ek_stack_state {
  uint64_t site;
  uint32_t calls[EK_CONTEXT_CALLS];
  uint32_t count;
} ek_stack_state;

/* Adds a return address, \p address (as linked) in \p module. Any result but
 * EK_STACK_OPEN ends the stack. */
ek_stack_end ek_stack_step(const ek_stacks *s, const ek_stack_module *module,
                           uint64_t address, ek_stack_state *state);
/* The sync point after a call of a parallel region, or of MPI, that returns to
 * \p address (as linked); 0: not in the table. */
uint64_t ek_stack_sync_at(const ek_stack_module *module, uint64_t address,
                          bool mpi);
/* The final result; \p end is the result of the last step. */
ek_stack_end ek_stack_answer(const ek_stacks *s, const ek_stack_state *state,
                             ek_stack_end end, ek_asked *out);

#ifdef __cplusplus
}
#endif
#endif
