/*===- tasks.c - explicit tasks in gcc's OpenMP library -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: GOMP_task copies a task's data and calls its body with the copy. We
 * pass a body that times the program's, and data with a head in front that
 * holds what this body needs. The library writes a loop task's first and last
 * iteration to the first two words of its data, and reads the reduction from
 * the third.
 * Not here: tasks that wait for an event (detach), which are forwarded.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/gomp.h"
#include "hooks/made.h"
#include "hooks/region.h"
#include "objects/object.h"

#include <string.h>

enum { REDUCTION = 1 << 12, DETACH = 1 << 13, LEAST_ALIGN = 16 };

/* In front of a task's own data. */
typedef struct head {
  uint64_t range[2];  /* loop tasks: written by the library */
  uint64_t reduction; /* loops with a reduction: read by the library */
  void (*body)(void *);
  const void *code;
  uint32_t offset; /* of the program's data, from the head */
  uint32_t loops;
} head;

/* The data passed to GOMP_task, which `copy` receives. */
typedef struct made {
  head head;
  void *data;
  void (*copy)(void *, void *);
  size_t bytes;
} made;

static void copy(void *to, void *from) {
  const made *m = from;
  memcpy(to, &m->head, sizeof m->head);
  char *data = (char *)to + m->head.offset;
  if (m->copy)
    m->copy(data, m->data);
  else
    memcpy(data, m->data, m->bytes);
}

static void run(void *data) {
  head *h = data;
  char *own = (char *)data + h->offset;
  if (h->loops)
    memcpy(own, h->range, sizeof h->range);
  bool before = ek_teams_enter(true);
  ek_task_begin((uint64_t)(uintptr_t)h->code, ek_creator(), false,
                ek_ompt_begins());
  h->body(own);
  ek_ompt_goes_on(ek_task_end());
  ek_teams_enter(before);
}

static made make(const void *code, W body, W data, W cpyfn, W bytes, W align,
                 bool loops) {
  made m = {
      .head = {.body = (void (*)(void *))body, .code = code, .loops = loops},
      .data = (void *)data,
      .copy = (void (*)(void *, void *))cpyfn,
      .bytes = bytes};
  m.head.offset = (uint32_t)((sizeof(head) + align - 1) / align * align);
  return m;
}

static W larger(W align) { return align > LEAST_ALIGN ? align : LEAST_ALIGN; }

typedef W task_call(W, W, W, W, W, W, W, W, W, W);
W GOMP_task(W f, W data, W cpyfn, W bytes, W align, W now, W flags, W depend,
            W priority, W detach);
EXPORT W GOMP_task(W f, W data, W cpyfn, W bytes, W align, W now, W flags,
                   W depend, W priority, W detach) {
  static task_call *behind;
  const void *code = __builtin_return_address(0);
  task_call *call = __atomic_load_n(&behind, __ATOMIC_RELAXED);
  if (!call) {
    call = (task_call *)(W)ek_gomp_next("GOMP_task", (const void *)GOMP_task,
                                        code);
    __atomic_store_n(&behind, call, __ATOMIC_RELAXED);
  }
  if (!ek_teams_timing() || (unsigned)flags & DETACH)
    return call(f, data, cpyfn, bytes, align, now, flags, depend, priority,
                detach);
  W to = larger(align);
  made m = make(code, f, data, cpyfn, bytes, to, false);
  W result = call((W)run, (W)&m, (W)copy, m.head.offset + bytes, to, now, flags,
                  depend, priority, detach);
  ek_ompt_made_task(code);
  return result;
}

typedef W loop_call(W, W, W, W, W, W, W, W, W, W, W);
#define EK_TASKLOOP(name)                                                      \
  W name(W f, W data, W cpyfn, W bytes, W align, W flags, W tasks, W priority, \
         W start, W end, W step);                                              \
  EXPORT W name(W f, W data, W cpyfn, W bytes, W align, W flags, W tasks,      \
                W priority, W start, W end, W step) {                          \
    static loop_call *behind;                                                  \
    const void *code = __builtin_return_address(0);                            \
    loop_call *call = __atomic_load_n(&behind, __ATOMIC_RELAXED);              \
    if (!call) {                                                               \
      call = (loop_call *)(W)ek_gomp_next(#name, (const void *)name, code);    \
      __atomic_store_n(&behind, call, __ATOMIC_RELAXED);                       \
    }                                                                          \
    if (!ek_teams_timing())                                                    \
      return call(f, data, cpyfn, bytes, align, flags, tasks, priority, start, \
                  end, step);                                                  \
    W to = larger(align);                                                      \
    made m = make(code, f, data, cpyfn, bytes, to, true);                      \
    if ((unsigned)flags & REDUCTION)                                           \
      m.head.reduction = ((const uint64_t *)data)[2];                          \
    W result = call((W)run, (W) & m, (W)copy, m.head.offset + bytes, to,       \
                    flags, tasks, priority, start, end, step);                 \
    ek_ompt_made_task(code);                                                   \
    return result;                                                             \
  }
EK_TASKLOOP(GOMP_taskloop)
EK_TASKLOOP(GOMP_taskloop_ull)
