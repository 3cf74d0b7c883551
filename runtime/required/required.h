/*===- required.h - the required tier for the rest of the runtime -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how the tier starts, what fork and the end do to it, and its part of
 * the summary. Programs use it by ek_acquire and ek_release (ek.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REQUIRED_H
#define EVENKEEL_RUNTIME_REQUIRED_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* After the provider has started. */
void ek_required_start(void);
/* All data that nobody holds is at its own address again. */
void ek_required_end(void);

void ek_required_fork_prepare(void);
void ek_required_fork_parent(void);
void ek_required_fork_child(void);

/* Print nothing if no tier is required. */
void ek_required_table(FILE *f);
void ek_required_json(FILE *f);

#ifdef __cplusplus
}
#endif
#endif
