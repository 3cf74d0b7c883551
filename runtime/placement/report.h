/*===- report.h - tiers in the summary and the log -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes: the summary's first lines, with the capacity and use of each tier.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PLACEMENT_REPORT_H
#define EVENKEEL_RUNTIME_PLACEMENT_REPORT_H

#include <stddef.h>
#include <stdio.h>

/* The provider's name, or "none" if nothing is placed. */
const char *ek_report_provider(void);

/* Print the head of the summary: provider, tiers and their use. */
void ek_report_tiers(FILE *f);
void ek_report_tiers_json(FILE *f);
/* Writes the tiers as a JSON array; size and result as for snprintf. */
size_t ek_report_tiers_text(char *out, size_t size);

/* Print the use of retained memory. */
void ek_report_kept(FILE *f);
void ek_report_kept_json(FILE *f);

#endif
