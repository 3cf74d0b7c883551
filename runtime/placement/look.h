/*===- look.h - checking where pages really lie -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: asked for a page of the fast tier, the system may silently use another
 * tier. So hooks, and the end of the run, query the location of an object's
 * pages once they have been touched: all pages wanted in the fast tier or, if
 * there are many, an evenly spaced sample.
 * Not here: when that happens (moves/), and how accounts are corrected.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LOOK_H
#define EVENKEEL_RUNTIME_LOOK_H

#include "objects/record.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes to \p out pages of \p o that are wanted entirely in the fast tier, in
 * ascending order, at most \p most. Returns their number. Under the lock of
 * in_force.h. */
size_t ek_look_pages(const ek_object *o, void **out, size_t most);

typedef struct ek_look {
  size_t there, elsewhere, untouched; /* pages */
} ek_look;
/* Adds the tiers that the provider reported for \p count pages. */
void ek_look_add(ek_look *sum, const int *tiers, size_t count);

/* Queries all live objects, for the summary. Takes the locks. */
void ek_look_end(void);

/* Print the summary's lines; nothing if pages lie as placed by definition. */
void ek_look_print(FILE *f);
void ek_look_json(FILE *f);

#ifdef __cplusplus
}
#endif
#endif
