/*===- joins.h - sync points that nobody annotated ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: libevenkeel-preload has the table of call stacks (stack.h). All of
 * this is defined there only.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_JOINS_H
#define EVENKEEL_RUNTIME_JOINS_H

#include "calls/stack.h"

/* A parallel region ended on this thread, outside all others; its call returns
 * to \p code; \p body is the region's own code where that is known, NULL else.
 * A hook, if the table knows the place. */
EK_PRELOAD_ONLY void ek_stack_joined(const void *code, const void *body);

/* The thread has waited for its team inside a region: no hook, which is counted
 * once for each team that no other surrounds. */
EK_PRELOAD_ONLY void ek_stack_waited_inside(void);

#endif
