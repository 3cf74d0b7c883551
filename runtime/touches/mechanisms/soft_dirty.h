/*===- soft_dirty.h - pages that are written, by soft-dirty bits --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: clear_refs 4 and bit 55 of pagemap (CONFIG_MEM_SOFT_DIRTY). Clearing
 * protects all memory of the process until the first write to each page; it
 * leaves accessed bits alone. The kernel calls all pages of a mapping written
 * that is new or has grown since (ek_mapping.fresh): they are not known then.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_SOFT_DIRTY_H
#define EVENKEEL_RUNTIME_TOUCHES_SOFT_DIRTY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

bool ek_soft_dirty_offered(void);
/* Clears the bits of the whole process; \p clear_refs is open for writing. */
void ek_soft_dirty_clear(long clear_refs);
/* The number of pages of [from, to) that were written since, or minus an error
 * number. */
long ek_soft_dirty_count(long pagemap, uintptr_t from, uintptr_t to,
                         uintptr_t page);

#ifdef __cplusplus
}
#endif
#endif
