/*===- taskloops.c - whose a loop's tasks are, under libomp -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: LLVM's libomp tells tools that a taskloop's tasks were made at a place
 * of its own, the same for all taskloops. So the call is stood before, and
 * notes its place while it goes on. Of many tasks, libomp makes some that make
 * the others, on any thread: theirs is the place of the task that makes them.
 * Leaves out: gcc's code, which makes other calls (tasks.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/taskloops.h"
#include "hooks/gomp.h"
#include "hooks/made.h"
#include "hooks/region.h"

static TLS struct {
  const void *code; /* behind the call that goes on; NULL: none does */
  unsigned depth;   /* of tasks that ran when it began */
} loop;

static bool seen; /* any such call: we do stand before the library */

uint64_t ek_taskloop_place(void) {
  if (!__atomic_load_n(&seen, __ATOMIC_RELAXED))
    return 0;
  if (loop.code && ek_task_depth() <= loop.depth)
    return (uint64_t)(uintptr_t)loop.code;
  return ek_task_makes_others();
}

typedef W loop_call(W, W, W, W, W, W, W, W, W, W, W, W);
#define EK_TASKLOOP(name)                                                      \
  W name(W where, W thread, W task, W now, W low, W high, W step, W nogroup,   \
         W how, W grain, W g, W h);                                            \
  EXPORT W name(W where, W thread, W task, W now, W low, W high, W step,       \
                W nogroup, W how, W grain, W g, W h) {                         \
    static loop_call *behind;                                                  \
    const void *code = __builtin_return_address(0);                            \
    loop_call *call = __atomic_load_n(&behind, __ATOMIC_RELAXED);              \
    if (!call) {                                                               \
      call = (loop_call *)(W)ek_gomp_next(#name, (const void *)name, code);    \
      __atomic_store_n(&behind, call, __ATOMIC_RELAXED);                       \
      __atomic_store_n(&seen, true, __ATOMIC_RELAXED);                         \
    }                                                                          \
    __typeof(loop) outer = loop;                                               \
    loop.code = code;                                                          \
    loop.depth = ek_task_depth();                                              \
    W result = call(where, thread, task, now, low, high, step, nogroup, how,   \
                    grain, g, h);                                              \
    loop = outer;                                                              \
    ek_ompt_made_task(code);                                                   \
    return result;                                                             \
  }
EK_TASKLOOP(__kmpc_taskloop)
EK_TASKLOOP(__kmpc_taskloop_5)
