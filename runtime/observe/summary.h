/*===- summary.h - parts of the end-of-run summary ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes: the parts of EVENKEEL_SUMMARY (a table) and EVENKEEL_SUMMARY_JSON
 * ("evenkeel.summary/1") that show counters and what observers collected. Other
 * rooms print parts of their own.
 * Not here: the list and order of the parts (finish.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SUMMARY_H
#define EVENKEEL_RUNTIME_SUMMARY_H

#include <stdint.h>
#include <stdio.h>

/* Sets the function that maps a code address, where a team or task was created,
 * to the hook that follows it; 0: unknown. */
void ek_summary_by(uint64_t (*hook_of)(uint64_t code));

/* Print parts of the table. */
void ek_summary_objects(FILE *f);
void ek_summary_moves(FILE *f);
void ek_summary_overlap(FILE *f);
void ek_summary_regions(FILE *f);
void ek_summary_samples(FILE *f);
void ek_summary_large(FILE *f);
void ek_summary_reasons(FILE *f);

/* Print members of the JSON object; the last one closes the object. */
void ek_summary_objects_json(FILE *f);
void ek_summary_moves_json(FILE *f);
void ek_summary_hooks_json(FILE *f);
void ek_summary_samples_json(FILE *f);
void ek_summary_reasons_json(FILE *f);
void ek_summary_sync_points_json(FILE *f);
void ek_summary_regions_json(FILE *f);
void ek_summary_teams_json(FILE *f);

/* Calls \p print with the file that the options name for the table (or the
 * JSON), if any. */
typedef void ek_summary_printer(FILE *f);
void ek_summary_write(ek_summary_printer *print);
void ek_summary_write_json(ek_summary_printer *print);

#endif
