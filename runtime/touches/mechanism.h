/*===- mechanism.h - how this kernel shows which pages are touched -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what each mechanism needs of the kernel, and which one is used:
 *   accessed-bits  /proc/PID/clear_refs and Referenced in smaps: reads and
 *                  writes, as pages per mapping
 *   write-protect  userfaultfd without a handler, and PAGEMAP_SCAN (6.7): each
 *                  page that is written
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_MECHANISM_H
#define EVENKEEL_RUNTIME_TOUCHES_MECHANISM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the kernel offers to this process. */
typedef struct ek_touch_offers {
  bool accessed, writes;
} ek_touch_offers;

/* The EK_TOUCH_BY_* bits to use: those \p asked, or of the offers, accessed
 * bits, else writes. 0: what was asked is not offered. */
uint32_t ek_touch_choose(ek_touch_offers offers, uint32_t asked);

/* Tries each mechanism, on memory of its own. Closes what it opens. */
ek_touch_offers ek_touch_probe(void);

/* --- write-protect -----------------------------------------------------------
 * Results are 0 or more, or minus an error number. Closing the descriptor ends
 * the protection of all memory. */

long ek_writes_open(void);
/* Protects the pages of [from, to) until the first write to each. */
long ek_writes_protect(long uffd, long pagemap, uintptr_t from, uintptr_t to);
/* The number of pages of [from, to) that were written since. */
long ek_writes_count(long pagemap, uintptr_t from, uintptr_t to,
                     uintptr_t page);

#ifdef __cplusplus
}
#endif
#endif
