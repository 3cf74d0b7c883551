/*===- ek_context.h - the id of a chain of wrapper calls ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the recipe by which the passes, the recorder and the runtime turn the
 * wrapper calls around an allocation into its context. Calls are added from the
 * innermost to the outermost. Each id contains a hash of the function that the
 * call is in (Identity.h). If the chain returns to a function that it has left,
 * the calls in between are dropped. So neither the depth of a recursion
 * matters, nor whether the optimiser turned it into a loop; and a call whose
 * arguments are being evaluated is not part of the chain.
 * Not here: collecting the calls, and which calls count.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_FORMAT_EK_CONTEXT_H
#define EVENKEEL_PROFILES_FORMAT_EK_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#define EK_CONTEXT_CALLS 8   /* innermost calls that form a context */
#define EK_CONTEXT_DEPTH 63  /* open calls that are examined */
#define EK_FUNCTION_SHIFT 40 /* ids of sites, calls: the function above */

typedef struct ek_chain {
  uint64_t site;
  unsigned count;
  uint64_t calls[EK_CONTEXT_DEPTH]; /* innermost first */
} ek_chain;

static inline uint64_t ek_function_of(uint64_t id) {
  return id >> EK_FUNCTION_SHIFT;
}

static inline void ek_chain_start(ek_chain *c, uint64_t site) {
  c->site = site;
  c->count = 0;
}

/* Adds the next outer call. False: the chain is full. */
static inline bool ek_chain_add(ek_chain *c, uint64_t call) {
  const uint64_t function = ek_function_of(call); /* 0: not known */
  if (function && function == ek_function_of(c->site)) {
    c->count = 0;
    return true;
  }
  for (unsigned i = 0; function && i < c->count; ++i)
    if (ek_function_of(c->calls[i]) == function) {
      c->count = i + 1;
      return true;
    }
  if (c->count == EK_CONTEXT_DEPTH)
    return false;
  c->calls[c->count++] = call;
  return true;
}

/* Whether the context lacks outer calls. */
static inline bool ek_chain_is_cut(const ek_chain *c) {
  return c->count > EK_CONTEXT_CALLS;
}

/* The context: a hash of the site and the innermost calls; 0: no calls. */
static inline uint64_t ek_chain_id(const ek_chain *c) {
  uint64_t h = c->site;
  for (unsigned i = 0; i < c->count && i < EK_CONTEXT_CALLS; ++i) {
    /* splitmix64's avalanche (Steele, Lea and Flood, 2014), chained */
    h = (h ^ c->calls[i]) + 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
    h ^= h >> 31;
  }
  return !c->count ? 0 : h ? h : 1;
}

#endif
