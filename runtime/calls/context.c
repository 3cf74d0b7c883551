/*===- context.c - the stack of open expressions ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an entry holds the address of the frame that pushed it. C++ pops in
 * destructors. If longjmp skips a pop, the entry's frame is deeper (at a lower
 * address) than the frame that pushes next, and the entry is dropped; or, after
 * inlining, it is the same frame, and the entry is dropped when that call is
 * pushed again. Until then, a call of a function that the chain already
 * contains adds nothing (ek_context.h).
 * Pops name their entry. So code that switches stacks while an expression is
 * open can confuse ids, but cannot corrupt the stack.
 * Each thread's stack is allocated at its first push; a thread that never
 * pushes costs one pointer of thread-local storage.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/context.h"
#include "core/libc.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "format/ek_context.h"

#include <pthread.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

enum { DEPTH = EK_CONTEXT_DEPTH };

typedef struct entry {
  uint64_t id;
  uintptr_t frame;   /* 0: the compiler does not provide it */
  const void *owner; /* NULL: popped by id and frame */
  uint32_t fast;
  uint32_t kind;
} entry;

typedef struct stack {
  unsigned depth;
  entry open[DEPTH];
} stack;

static _Thread_local stack *mine __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key;

static void thread_ends(void *s) {
  mine = NULL;
  free(s);
}

static void first_push(void) {
  have_key = pthread_key_create(&key, thread_ends) == 0;
  if (!ek_new_is_ours())
    ek_count(EK_WHY_new_replaced, 1);
}

__attribute__((noinline, cold)) static stack *new_stack(void) {
  pthread_once(&once, first_push);
  mine = calloc(1, sizeof *mine);
  if (mine && have_key)
    pthread_setspecific(key, mine);
  return mine;
}

/* Drops entries of frames below \p frame, which have returned. */
static void drop_ended(stack *s, uintptr_t frame) {
  while (s->depth && s->open[s->depth - 1].frame &&
         s->open[s->depth - 1].frame < frame)
    --s->depth;
}

static bool is_named(const entry *e, uint64_t id, uintptr_t frame,
                     const void *owner) {
  return owner ? e->owner == owner : e->id == id && e->frame == frame;
}

/* Removes the innermost entry with that name. */
static void remove_entry(stack *s, uint64_t id, uintptr_t frame,
                         const void *owner) {
  for (unsigned i = s->depth; i-- > 0;)
    if (is_named(&s->open[i], id, frame, owner)) {
      for (--s->depth; i < s->depth; ++i)
        s->open[i] = s->open[i + 1];
      return;
    }
}

EXPORT void ek_context_push(uint64_t id, unsigned fast, unsigned kind,
                            const void *frame, const void *owner) {
  stack *s = mine;
  if (__builtin_expect(!s, 0) && !(s = new_stack())) {
    ek_count(EK_WHY_context_lost, 1);
    return;
  }
  if (frame) {
    drop_ended(s, (uintptr_t)frame);
    if (!owner)
      remove_entry(s, id, (uintptr_t)frame, NULL);
  }
  if (__builtin_expect(s->depth == DEPTH, 0)) {
    ek_count(EK_WHY_context_lost, 1);
    return;
  }
  s->open[s->depth++] = (entry){id, (uintptr_t)frame, owner, fast, kind};
}

EXPORT void ek_context_pop(uint64_t id, const void *frame, const void *owner) {
  if (mine)
    remove_entry(mine, id, (uintptr_t)frame, owner);
}

/* The context of \p site: the calls directly around it, among the lowest
 * \p depth entries. */
static uint64_t hash_calls(const stack *s, unsigned depth, uint64_t site) {
  ek_chain chain;
  ek_chain_start(&chain, site);
  while (depth-- > 0 && s->open[depth].kind == EK_OF_CALL)
    ek_chain_add(&chain, s->open[depth].id);
  if (ek_chain_is_cut(&chain))
    ek_count(EK_WHY_context_cut, 1);
  return ek_chain_id(&chain);
}

static stack *live_stack(void) {
  stack *s = mine;
  if (s)
    drop_ended(s, (uintptr_t)__builtin_frame_address(0));
  return s && s->depth ? s : NULL;
}

bool ek_context_site(ek_asked *out) {
  stack *s = live_stack();
  if (!s)
    return false;
  unsigned depth = s->depth; /* wrapper calls are not sites */
  while (depth && s->open[depth - 1].kind == EK_OF_CALL)
    --depth;
  if (!depth)
    return false;
  const entry *e = &s->open[depth - 1];
  out->site = e->id;
  out->fast = e->fast;
  out->context = hash_calls(s, depth - 1, e->id);
  return true;
}

uint64_t ek_context_of(uint64_t site) {
  stack *s = live_stack();
  return s ? hash_calls(s, s->depth, site) : 0;
}
