/*===- reasons.h - how falling short is said ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes: what summaries say of the reasons in reasons.def.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REASONS_H
#define EVENKEEL_RUNTIME_REASONS_H

#include <stdint.h>
#include <stdio.h>

/* A line on \p count of reason \p why (EK_WHY_...), which concern \p bytes; 0:
 * not counted. */
void ek_reason_line(FILE *f, unsigned why, uint64_t count, uint64_t bytes);
/* The same as a member of a JSON object. */
void ek_reason_json(FILE *f, unsigned why, uint64_t count, uint64_t bytes);

#endif
