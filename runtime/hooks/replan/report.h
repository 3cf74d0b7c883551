/*===- report.h - what the summary says of phases and plans --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_REPORT_H
#define EVENKEEL_RUNTIME_REPLAN_REPORT_H

#include <stdio.h>

/* Phases of the plan against what they took, and what planning again did. */
void ek_report_phases(FILE *f);
void ek_report_phases_json(FILE *f); /* two members */

#endif
