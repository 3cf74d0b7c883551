/*===- look.h - where the system says that pages lie --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a system that is asked for a page of the fast tier may take one of
 * another without a word. So objects are looked at once their pages have been
 * touched, at hooks and at the end: all wished pages of an object, or where
 * those are many some of them, evenly spread.
 * Leaves out: when (moves/), and what comes of it for the books.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LOOK_H
#define EVENKEEL_RUNTIME_LOOK_H

#include "objects/record.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EK_LOOK_PAGES = 2048 };

/* Pages of \p o that are asked for in the fast tier as a whole, in order, \p
 * most at most. Returns how many. Under the lock of in_force.h. */
size_t ek_look_pages(const ek_object *o, void **out, size_t most);

typedef struct ek_look {
  size_t there, elsewhere, untouched; /* pages */
} ek_look;
/* Adds up what the provider said of \p count pages. */
void ek_look_add(ek_look *sum, const int *tiers, size_t count);

/* Looks at what is alive, for the summary. Takes the locks. */
void ek_look_end(void);

/* For the summary; nothing where pages lie as placed by definition. */
void ek_look_print(FILE *f);
void ek_look_json(FILE *f);

#ifdef __cplusplus
}
#endif
#endif
