/*===- wrapper.c - allocation wrappers in other units -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a function whose body only calls a function of another unit is an
 * allocation wrapper if that function is (format/ek_wrapper.h). All symbols are
 * bound by the first call, so each function is decided once, by a search
 * through the functions that it depends on.
 * Signal handlers and forked children may call functions, too; neither waits
 * for a search that will never continue.
 * Not here: the meaning of an open call (context.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "evenkeel/ek.h"
#include "format/ek_wrapper.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static uint64_t searcher; /* process and thread of the search; 0: none */
static uint32_t searches;

/* Returns false if this thread is searching and a signal interrupted it. */
static bool begin(void) {
  const uint64_t process = (uint64_t)(uint32_t)getpid() << 32;
  const uint64_t me = process | (uint32_t)gettid();
  for (;;) {
    uint64_t other = 0;
    if (__atomic_compare_exchange_n(&searcher, &other, me, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
    if (other == me)
      return false;
    /* After fork, the parent's thread cannot end its search here. */
    if (other >> 32 != process >> 32 &&
        __atomic_compare_exchange_n(&searcher, &other, me, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
    sched_yield();
  }
}

static void end(void) { __atomic_store_n(&searcher, 0, __ATOMIC_RELEASE); }

static uint8_t state_of(const ek_wrapper *w) {
  return __atomic_load_n(&w->state, __ATOMIC_RELAXED);
}

static void settle(ek_wrapper *w, uint8_t state) {
  __atomic_store_n(&w->state, state, __ATOMIC_RELAXED);
}

/* Whether a function that \p w depends on is a wrapper. Appends the undecided
 * ones to the search's list, whose end is \p last. */
static bool look_after(ek_wrapper *w, ek_wrapper **last) {
  for (uint32_t i = 0; i < w->count; ++i) {
    ek_wrapper *of = w->if_any[i];
    const uint8_t state = of ? state_of(of) : EK_WRAPPER_NO;
    if (state == EK_WRAPPER_YES)
      return true;
    if (state == EK_WRAPPER_NO || of->search == searches)
      continue;
    of->search = searches;
    of->next = NULL;
    (*last)->next = of;
    *last = of;
  }
  return false;
}

static void decide(ek_wrapper *w) {
  ek_wrapper *last = w;
  ++searches;
  w->search = searches;
  w->next = NULL;
  for (ek_wrapper *at = w; at; at = at->next)
    if (look_after(at, &last)) {
      settle(w, EK_WRAPPER_YES);
      return;
    }
  for (ek_wrapper *at = w; at; at = at->next)
    settle(at, EK_WRAPPER_NO);
}

EXPORT void ek_context_push_if(void *wrapper, ek_id id, const void *frame) {
  ek_wrapper *w = wrapper;
  if (state_of(w) == EK_WRAPPER_OPEN && begin()) {
    if (state_of(w) == EK_WRAPPER_OPEN)
      decide(w);
    end();
  }
  if (state_of(w) == EK_WRAPPER_YES)
    ek_context_push(id, ~0u, EK_OF_CALL, frame, NULL);
}
