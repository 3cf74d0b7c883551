/*===- taskloops.h - whose a loop's tasks are, under libomp -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TASKLOOPS_H
#define EVENKEEL_RUNTIME_TASKLOOPS_H

#include <stdint.h>

/* Behind the call of the loop that the calling thread makes a task of; 0: not
 * known. */
uint64_t ek_taskloop_place(void);

#endif
