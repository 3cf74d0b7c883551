/*===- taskloops.c - taskloops in LLVM's OpenMP library -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: LLVM's libomp reports the same creation address, inside itself, for
 * the tasks of all taskloops. So we intercept the call and remember its place
 * while it runs. For many tasks, libomp creates tasks that create the others,
 * on any thread; those have the place of the task that creates them.
 * Not here: gcc's code, which makes other calls (tasks.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/taskloops.h"
#include "hooks/gomp.h"
#include "hooks/made.h"
#include "hooks/region.h"

static TLS struct {
  const void *code; /* return address of the current call; NULL: none */
  unsigned depth;   /* number of tasks open when it began */
} loop;

static bool seen; /* a call came through here: we do intercept the library */

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
