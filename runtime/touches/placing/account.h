/*===- account.h - fast memory that the processes of a run share --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one limit for all processes of a run, which a file keeps. Bytes are
 * taken before pages enter fast memory, and given back after they have left,
 * so the limit holds at any time. What a process took that has ended is given
 * back by the next process that finds no room.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_ACCOUNT_H
#define EVENKEEL_RUNTIME_TOUCHES_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maps the file \p path, which is made if it is missing. False: that fails.
 * Called once. */
bool ek_account_start(const char *path, uint64_t limit);

/* --- one caller at a time, in each process ----------------------------------
 */

/* Takes \p bytes for this process; false: there is no room. */
bool ek_account_take(uint64_t bytes);
void ek_account_give(uint64_t bytes);
/* What all processes together may still take. */
uint64_t ek_account_room(void);
/* A child of fork has taken nothing yet. */
void ek_account_forked(void);

#ifdef __cplusplus
}
#endif
#endif
