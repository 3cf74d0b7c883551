/*===- sampler.h - the thread that looks at pages -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a thread of its own, invisible to the C library, so that a program
 * with one thread remains one for it; it has a table of descriptors of its own
 * and takes no signals.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_SAMPLER_H
#define EVENKEEL_RUNTIME_TOUCHES_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ek_sampler_options {
  const char *prefix; /* of the stream; stays valid */
  double overhead;
  uint64_t window_ns;   /* 0: adapted */
  uint64_t chunk_bytes; /* 0: adapted */
  uint32_t mechanism;   /* EK_TOUCH_BY_* bits */
  int rank;
  const char *executable; /* path; stays valid */
  uint32_t most_mappings; /* beyond them, nothing is split */
  bool moves;             /* a policy places memory (places.h) */
} ek_sampler_options;

/* Reserves buffers; once. False: no memory. */
bool ek_sampler_prepare(const ek_sampler_options *options);
/* Starts the thread; once per process. */
bool ek_sampler_start(void);
/* Lets it write its last item; waits for a moment only. */
void ek_sampler_stop(void);

/* Around fork: mappings are whole meanwhile. */
void ek_sampler_fork_prepare(void);
void ek_sampler_fork_parent(void);
void ek_sampler_fork_child(void);

/* Makes [from, to) one mapping again and keeps it so until ek_sampler_goes_on:
 * the kernel moves single mappings only. */
void ek_sampler_whole(uintptr_t from, uintptr_t to);
void ek_sampler_goes_on(void);

#endif
