/*===- own.h - what a process takes beside its data ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: memory that nobody places lies beside the processors that touch it:
 * stacks, OpenMP's and the runtime's records, page tables of all data. What is
 * free of that tier at the start is not all for data, therefore.
 * Leaves out: the program's small blocks and its code, which are not known.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OWN_H
#define EVENKEEL_RUNTIME_OWN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that \p processes like this one take beside their data and its page
 * tables; 0 counts as 1. */
uint64_t ek_own_bytes(unsigned processes);
/* Of page tables for so many bytes of data. */
uint64_t ek_own_tables(uint64_t data);

#ifdef __cplusplus
}
#endif
#endif
