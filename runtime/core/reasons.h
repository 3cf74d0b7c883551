/*===- reasons.h - how summaries print reasons --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes: a summary's entries for the reasons in reasons.def.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REASONS_H
#define EVENKEEL_RUNTIME_REASONS_H

#include <stdint.h>
#include <stdio.h>

/* Prints a line that says that reason \p why (EK_WHY_...) occurred \p count
 * times, for \p bytes bytes of objects (0: bytes are not counted). */
void ek_reason_line(FILE *f, unsigned why, uint64_t count, uint64_t bytes);
/* Prints the same as a member of a JSON object. */
void ek_reason_json(FILE *f, unsigned why, uint64_t count, uint64_t bytes);

#endif
