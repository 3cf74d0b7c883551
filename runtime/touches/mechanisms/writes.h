/*===- writes.h - pages that are written, by write protection -----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: userfaultfd without a handler, and PAGEMAP_SCAN (Linux 6.7), with the
 * kernel's interface also where the C library's headers are older. Results are
 * 0 or more, or minus an error number. Closing the descriptor ends the
 * protection of all memory.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_WRITES_H
#define EVENKEEL_RUNTIME_TOUCHES_WRITES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

bool ek_writes_offered(void);
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
