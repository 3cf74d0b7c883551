/*===- own.h - memory a process needs besides its data ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: memory that is not placed comes from the node of the processor that
 * touches it: stacks, records of OpenMP and of the runtime, page tables. So the
 * memory of that tier that is free at start is not all available for data.
 * Not here: the program's small blocks and code, whose size is unknown.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OWN_H
#define EVENKEEL_RUNTIME_OWN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that \p processes processes like this one (0 counts as 1) need besides
 * their data and its page tables. */
uint64_t ek_own_bytes(unsigned processes);
/* Bytes of page tables for \p data bytes. */
uint64_t ek_own_tables(uint64_t data);

#ifdef __cplusplus
}
#endif
#endif
