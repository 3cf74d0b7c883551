/*===- summary.h - what happened, at the end of the run -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes: EVENKEEL_SUMMARY (a table for people) and EVENKEEL_SUMMARY_JSON
 * ("evenkeel.summary/1").
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SUMMARY_H
#define EVENKEEL_RUNTIME_SUMMARY_H

/* Writes what the options ask for; called once, by one thread, at exit. */
void ek_summary_write(void);

#endif
