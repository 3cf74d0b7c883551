/*===- initial.h - where new blocks shall lie ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the call stacks whose blocks may lie in fast memory from the start, as
 * an advisor's locations say (`run --initial`), by the hash of ek_touches.h.
 * Without such a list, all may.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_PLACING_INITIAL_H
#define EVENKEEL_RUNTIME_TOUCHES_PLACING_INITIAL_H

#include <stdbool.h>
#include <stdint.h>

/* Reads hashes from the file \p path, one of 16 hexadecimal digits a line, in
 * rising order; NULL or "": there is no list. False: it cannot be read. */
bool ek_initial_start(const char *path);
/* Whether blocks of the stack \p hash may lie in fast memory; stacks that the
 * list does not name may not. */
bool ek_initial_fast(uint64_t hash);
/* The same for a block whose stack is not known. */
bool ek_initial_fast_unknown(void);

#endif
