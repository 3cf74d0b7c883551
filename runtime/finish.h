/*===- finish.h - the summary at the end of a process -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the summary is written once, however the process ends.
 * Not here: its contents (the report.h of each room).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_FINISH_H
#define EVENKEEL_RUNTIME_FINISH_H

/* Writes the summary that the options request: this process's, or together with
 * the other ranks of the node. Called once, by one thread. */
void ek_finish_summary(void);

#endif
