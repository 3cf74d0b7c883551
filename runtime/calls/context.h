/*===- context.h - the site and context of an allocation ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a stack of ids per thread. Rewritten code pushes an id around an
 * expression whose allocations happen in other code: a container's growth (the
 * id of a site), or a call of an allocation wrapper (part of a context).
 * Not here: what an id means, and the allocations (new.cpp, placed.c).
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

/* The site of an allocation without an id of its own: the innermost open
 * expression that is a site, on the calling thread. Returns false if none is
 * open. */
bool ek_context_site(ek_asked *out);

/* The context of an allocation at \p site: a hash of the wrapper calls open on
 * the calling thread (format/ek_context.h); 0 if there are none. */
uint64_t ek_context_of(uint64_t site);

#ifdef __cplusplus
}
#endif
#endif
