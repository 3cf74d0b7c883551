/*===- joins.h - hooks from the table of call stacks --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: libevenkeel-preload has the table of call stacks (stack.h). These
 * functions are defined only there.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_JOINS_H
#define EVENKEEL_RUNTIME_JOINS_H

#include "calls/stack.h"

/* A parallel region ended on this thread, outside all others. Its call returns
 * to \p code; \p body is the region's own code, or NULL. If the table has the
 * place, this is a hook. */
EK_PRELOAD_ONLY void ek_stack_joined(const void *code, const void *body);

/* The thread has waited for its team inside a region. That is not a hook, but
 * is counted, once per outermost team. */
EK_PRELOAD_ONLY void ek_stack_waited_inside(void);

#endif
