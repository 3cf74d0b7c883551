/*===- teams.c - parallel regions of programs as they are ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of libevenkeel-preload only (stack.h). Code of gcc runs a region by one
 * call of libgomp, which tells tools nothing: the call is stood before, each
 * thread's part is timed, and where the region ends outside all others is a
 *sync point, if the table knows the place. LLVM's libomp tells of its regions
 * itself (ompt.c); it has these calls, too, for gcc's code: then its word on
 * the threads counts, and only the place is ours.
 * Leaves out: the calls of gcc before 4.9, and teams of target regions.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "object.h"
#include "ompt.h"
#include "region.h"
#include "stack.h"
#include "state.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
#define TLS _Thread_local __attribute__((tls_model("initial-exec")))

/* All that these calls take are machine words; those that take fewer do not
 * look at the others. */
typedef uintptr_t W;
typedef W region_call(W, W, W, W, W, W, W, W);
typedef void body(void *);

typedef struct part {
  body *run;
  void *data;
  const void *code;
} part;

static TLS unsigned depth; /* regions that the thread has made and not left */
static TLS bool inside;    /* in the thread's part of the outermost one */
static TLS bool timing;    /* which we time */

static void *next(const char *name) {
  void *f = dlsym(RTLD_NEXT, name);
  if (!f)
    abort(); /* the program asks for what its library has not got */
  return f;
}

static void run_part(void *data) {
  const part *p = data;
  bool ours = !ek_ompt_on; /* known only now: the library has started */
  if (ours)
    ek_task_begin((uint64_t)(uintptr_t)p->code, ek_creator(), true);
  inside = true;
  timing = ours;
  p->run(p->data);
  inside = timing = false;
  if (ours)
    ek_task_end();
}

static W run(region_call *call, const void *code, W f, W data, W c, W d, W e,
             W g, W h, W i) {
  if (!ek_running() || !ek_stack_knows_joins() || depth || inside)
    return call(f, data, c, d, e, g, h, i);
  part p = {(body *)f, (void *)data, code};
  ++depth;
  W result = call((W)run_part, (W)&p, c, d, e, g, h, i);
  --depth;
  ek_ompt_made(code);
  ek_stack_joined(code, (const void *)f);
  return result;
}

bool ek_teams_inside(void) { return depth; }

#define EK_REGION(name)                                                        \
  W name(W f, W data, W c, W d, W e, W g, W h, W i);                           \
  EXPORT W name(W f, W data, W c, W d, W e, W g, W h, W i) {                   \
    static region_call *behind;                                                \
    region_call *call = __atomic_load_n(&behind, __ATOMIC_RELAXED);            \
    if (!call) {                                                               \
      call = (region_call *)(W)next(#name);                                    \
      __atomic_store_n(&behind, call, __ATOMIC_RELAXED);                       \
    }                                                                          \
    return run(call, __builtin_return_address(0), f, data, c, d, e, g, h, i);  \
  }
EK_REGION(GOMP_parallel)
EK_REGION(GOMP_parallel_reductions)
EK_REGION(GOMP_parallel_sections)
EK_REGION(GOMP_parallel_loop_static)
EK_REGION(GOMP_parallel_loop_dynamic)
EK_REGION(GOMP_parallel_loop_guided)
EK_REGION(GOMP_parallel_loop_runtime)
EK_REGION(GOMP_parallel_loop_nonmonotonic_dynamic)
EK_REGION(GOMP_parallel_loop_nonmonotonic_guided)
EK_REGION(GOMP_parallel_loop_nonmonotonic_runtime)
EK_REGION(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* Where a thread waits for its team inside its part. */
#define EK_WAIT(name, of_all)                                                  \
  void name(void);                                                             \
  EXPORT void name(void) {                                                     \
    static void (*behind)(void);                                               \
    void (*call)(void) = __atomic_load_n(&behind, __ATOMIC_RELAXED);           \
    if (!call) {                                                               \
      call = (void (*)(void))(W)next(#name);                                   \
      __atomic_store_n(&behind, call, __ATOMIC_RELAXED);                       \
    }                                                                          \
    if (timing)                                                                \
      ek_wait_begin();                                                         \
    call();                                                                    \
    if (timing)                                                                \
      ek_wait_end();                                                           \
    if (timing && of_all)                                                      \
      ek_stack_waited_inside();                                                \
  }
EK_WAIT(GOMP_barrier, true)
EK_WAIT(GOMP_loop_end, true)
EK_WAIT(GOMP_sections_end, true)
EK_WAIT(GOMP_taskwait, false)
