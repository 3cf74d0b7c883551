/*===- summary.h - what happened, at the end of the run -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes: parts of EVENKEEL_SUMMARY (a table for people) and of
 * EVENKEEL_SUMMARY_JSON ("evenkeel.summary/1"): what counters and observers
 * know. Other rooms have parts of their own.
 * Leaves out: which parts there are, and in which order (finish.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SUMMARY_H
#define EVENKEEL_RUNTIME_SUMMARY_H

#include <stdint.h>
#include <stdio.h>

/* The hook behind what was made at an address; 0: not known. */
void ek_summary_by(uint64_t (*hook_of)(uint64_t code));

/* Parts of the table. */
void ek_summary_objects(FILE *f);
void ek_summary_moves(FILE *f);
void ek_summary_overlap(FILE *f);
void ek_summary_regions(FILE *f);
void ek_summary_samples(FILE *f);
void ek_summary_large(FILE *f);
void ek_summary_reasons(FILE *f);

/* Members of the JSON, the last one with the end of the whole. */
void ek_summary_objects_json(FILE *f);
void ek_summary_moves_json(FILE *f);
void ek_summary_hooks_json(FILE *f);
void ek_summary_samples_json(FILE *f);
void ek_summary_reasons_json(FILE *f);
void ek_summary_sync_points_json(FILE *f);
void ek_summary_regions_json(FILE *f);
void ek_summary_teams_json(FILE *f);

/* Has the table, or the JSON, printed to where the options want it, if they do.
 */
typedef void ek_summary_printer(FILE *f);
void ek_summary_write(ek_summary_printer *print);
void ek_summary_write_json(ek_summary_printer *print);

#endif
