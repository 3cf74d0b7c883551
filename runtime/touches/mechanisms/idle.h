/*===- idle.h - pages that are touched, by idle page tracking -----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: /sys/kernel/mm/page_idle/bitmap (CONFIG_IDLE_PAGE_TRACKING), one bit
 * for each page frame: setting it marks the page idle, any access clears it.
 * Which frames a process has only root may know. Of a page made of many, the
 * first frame alone has a bit, which speaks for all.
 * Accessed bits of the processor stay as they were for everybody else.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_IDLE_H
#define EVENKEEL_RUNTIME_TOUCHES_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Open files; negative: not open. */
typedef struct ek_idle {
  long pagemap; /* of the process */
  long bitmap;
  long flags; /* /proc/kpageflags */
} ek_idle;

bool ek_idle_offered(void);
/* False: at least one does not open. */
bool ek_idle_open(ek_idle *files);
void ek_idle_close(const ek_idle *files);
/* Marks the pages of [from, to). Returns how many, or minus an error number. */
long ek_idle_mark(const ek_idle *files, uintptr_t from, uintptr_t to,
                  uintptr_t page);
/* The number of pages of [from, to) that are not idle, or minus an error
 * number. */
long ek_idle_count(const ek_idle *files, uintptr_t from, uintptr_t to,
                   uintptr_t page);

#ifdef __cplusplus
}
#endif
#endif
