/*===- wrapper.c - calls of wrappers that other units define ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a function whose body only calls another unit's is an allocation
 * wrapper if that other is (format/ek_wrapper.h). All symbols are bound by the
 * time of the first call, so each is decided once, by a search through those
 * that it depends on.
 * Signal handlers may call functions, too, and children of fork: neither waits
 * for a search that never goes on.
 * Leaves out: what an open call means (context.c).
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

static uint64_t searcher; /* process and thread that search; 0: none */
static uint32_t searches;

/* False: this thread is searching already, and a signal has interrupted it. */
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
    /* A parent's thread is not here to end its search. */
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

/* Whether one of those that \p w depends on holds; puts those that are open
 * behind \p last, the end of the list of the search. */
static bool look_behind(ek_wrapper *w, ek_wrapper **last) {
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
    if (look_behind(at, &last)) {
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
    ek_context_push(id, ~0u, EK_CALL, frame, NULL);
}
