/*===- late.h - contributions of a rank that no round has taken ---*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the last bound + 1 contributions, in memory that is allocated once; an
 * older one is overwritten. Taking them merges them into one vector, with
 * weights that grow linearly with the iteration (ek_choice.h).
 * Callers serialize.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LATE_H
#define EVENKEEL_RUNTIME_LATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_late {
  size_t count;               /* elements of a contribution */
  bool single;                /* float, not double */
  uint64_t most;              /* bound + 1 */
  uint64_t bound, from, next; /* iterations [from, next) are kept */
  void *values;               /* most vectors */
  uint64_t merged, dropped;   /* since the caller set them to 0 */
} ek_late;

/* Returns false if there is no memory. */
bool ek_late_make(ek_late *l, size_t count, bool single, unsigned bound);
void ek_late_free(ek_late *l);
void ek_late_add(ek_late *l, const void *values);
bool ek_late_any(const ek_late *l);
/* Sets \p out to the merged contributions and forgets them. Returns false, and
 * zeros, if there are none. */
bool ek_late_take(ek_late *l, void *out);

#ifdef __cplusplus
}
#endif
#endif
