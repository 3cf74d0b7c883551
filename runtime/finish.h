/*===- finish.h - what a process leaves at its end ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the summary is written once, however the process ends.
 * Leaves out: what stands in it (the report.h of each room).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_FINISH_H
#define EVENKEEL_RUNTIME_FINISH_H

/* Writes the summary that the options ask for, its own or as one of the ranks
 * of a node; called once, by one thread. */
void ek_finish_summary(void);

#endif
