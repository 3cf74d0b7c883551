/*===- taskloops.h - taskloops in LLVM's OpenMP library -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TASKLOOPS_H
#define EVENKEEL_RUNTIME_TASKLOOPS_H

#include <stdint.h>

/* The return address of the taskloop call for which the thread is creating a
 * task; 0: unknown. */
uint64_t ek_taskloop_place(void);

#endif
