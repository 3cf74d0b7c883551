/*===- watch.h - one window, by whichever mechanism was chosen ----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what each mechanism has to do before a window, for each mapping that
 * is found after it, and at its end; and what that costs the program. Files
 * that have a word for each page are not read for reservations that are mostly
 * untouched: those are not known.
 * Everything here is for the sampler's thread.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_WATCH_H
#define EVENKEEL_RUNTIME_TOUCHES_WATCH_H

#include "touches/base/smaps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pages of a mapping; EK_TOUCH_UNKNOWN: the mechanism does not tell. */
typedef struct ek_watch_seen {
  uint32_t touched, written;
  uint32_t samples; /* loads that were sampled */
} ek_watch_seen;

/* Opens the files that the mechanisms \p by need; false: at least one does not
 * open. */
bool ek_watch_open(uint32_t by, uintptr_t page);

/* --- one window, in this order -----------------------------------------------
 */

void ek_watch_begin(void);
/* Prepares memory that the last reading found, with so many \p resident bytes.
 * \p plain: anonymous memory in which no huge pages lie. */
void ek_watch_range(uintptr_t from, uintptr_t to, uint64_t resident,
                    bool plain);
/* Clears what belongs to the process as a whole. */
void ek_watch_window_begins(void);
void ek_watch_window_ends(void);
ek_watch_seen ek_watch_found(const ek_mapping *m);
void ek_watch_end(void);

/* Write faults of the program that are known since ek_watch_begin, sampled
 * loads of the window, and samples that were lost since the start. */
uint64_t ek_watch_faults(void);
uint64_t ek_watch_samples(void);
uint32_t ek_watch_lost(void);

#ifdef __cplusplus
}
#endif
#endif
