/*===- report.h - what the summary and the log say of tiers --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the summary begins with the tiers: how large, how full, at most and
 * now.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PLACEMENT_REPORT_H
#define EVENKEEL_RUNTIME_PLACEMENT_REPORT_H

#include <stddef.h>
#include <stdio.h>

/* The provider's name; "none" where nothing is placed. */
const char *ek_report_provider(void);

/* The head of the summary: provider, tiers and what lay in them. */
void ek_report_tiers(FILE *f);
void ek_report_tiers_json(FILE *f);
/* Tiers as a JSON array; as snprintf. */
size_t ek_report_tiers_text(char *out, size_t size);

/* Freed extents that were kept. */
void ek_report_kept(FILE *f);
void ek_report_kept_json(FILE *f);

#endif
