/*===- context.h - who asked for the memory -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the calling thread's stack of ids that rewritten code pushes around
 * expressions whose allocations happen in somebody else's code: a container's
 * growth (a site) and a call of an allocation wrapper (part of a context).
 * Leaves out: what an id means; who allocates (new.cpp, placed.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_CONTEXT_H
#define EVENKEEL_RUNTIME_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_asked {
  uint64_t site;
  uint64_t context; /* 0: none */
  unsigned fast;    /* percent, or EK_NO_FAST (object.h) */
} ek_asked;

/* What an allocation without an id of its own belongs to: the innermost open
 * expression that is a site. False: none is open. The calling thread's stack
 * only. */
bool ek_context_site(ek_asked *out);

/* The context of an allocation at \p site by the wrapper calls around it
 * (format/ek_context.h); 0 if there are none. */
uint64_t ek_context_of(uint64_t site);

#ifdef __cplusplus
}
#endif
#endif
