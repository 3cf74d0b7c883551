/*===- libc.c - finding the allocator underneath ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: RTLD_NEXT, and the sanitizers' names for the functions they interpose
 * (there, the next `free` would be libc's, which does not know their blocks).
 * Makes: ek_libc, and proof that frees come through us. Placing an object whose
 * free() goes elsewhere would crash the program, so this is tested, not
 *assumed.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "libc.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static void first_free(void *p);
static void *first_realloc(void *p, size_t n);
static size_t first_usable_size(void *p);

ek_libc_t ek_libc = {first_free, first_realloc, first_usable_size};

static _Thread_local bool resolving __attribute__((tls_model("initial-exec")));

static void *next_symbol(const char *sanitizer_name, const char *name) {
  void *f = dlsym(RTLD_DEFAULT, sanitizer_name);
  return f ? f : dlsym(RTLD_NEXT, name);
}

static void resolve(void) {
  resolving = true;
  void *f = next_symbol("__interceptor_free", "free");
  void *r = next_symbol("__interceptor_realloc", "realloc");
  void *u =
      next_symbol("__interceptor_malloc_usable_size", "malloc_usable_size");
  resolving = false;
  if (!f || !r || !u)
    abort(); /* no C library below us: nothing could work */
  __atomic_store_n(&ek_libc.realloc, (void *(*)(void *, size_t))r,
                   __ATOMIC_RELEASE);
  __atomic_store_n(&ek_libc.usable_size, (size_t (*)(void *))u,
                   __ATOMIC_RELEASE);
  __atomic_store_n(&ek_libc.free, (void (*)(void *))f, __ATOMIC_RELEASE);
}

/* Reached while dlsym itself frees something: rather leak that block than
 * guess whose it is. */
static void first_free(void *p) {
  if (resolving)
    return;
  resolve();
  ek_libc.free(p);
}

static void *first_realloc(void *p, size_t n) {
  if (resolving) {
    if (!p)
      return malloc(n);
    errno = ENOMEM;
    return NULL;
  }
  resolve();
  return ek_libc.realloc(p, n);
}

static size_t first_usable_size(void *p) {
  if (resolving)
    return 0;
  resolve();
  return ek_libc.usable_size(p);
}

static _Thread_local bool probe_seen __attribute__((tls_model("initial-exec")));
static void (*probe_next)(void *);

static void probe_free(void *p) {
  probe_seen = true;
  probe_next(p);
}

static bool reaches_us(void (*f)(void *)) {
  if (ek_libc.free == first_free)
    resolve();
  /* Other threads that free meanwhile pass through probe_free unharmed. */
  probe_next = ek_libc.free;
  probe_seen = false;
  __atomic_store_n(&ek_libc.free, probe_free, __ATOMIC_SEQ_CST);
  f(NULL);
  __atomic_store_n(&ek_libc.free, probe_next, __ATOMIC_SEQ_CST);
  return probe_seen;
}

bool ek_free_is_ours(void) {
  void (*volatile f)(void *) = free; /* or the call would be optimised away */
  return reaches_us(f);
}

const ek_cxx_t *ek_cxx(void) {
  static ek_cxx_t cxx;
  static int found;
  if (!__atomic_load_n(&found, __ATOMIC_ACQUIRE)) {
    /* Mangled with size_t = unsigned long, as on every 64-bit Linux. */
    cxx.new_one = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "_Znwm");
    cxx.new_array = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "_Znam");
    cxx.delete_one = (void (*)(void *))dlsym(RTLD_DEFAULT, "_ZdlPv");
    cxx.delete_array = (void (*)(void *))dlsym(RTLD_DEFAULT, "_ZdaPv");
    __atomic_store_n(&found, 1, __ATOMIC_RELEASE);
  }
  return &cxx;
}

bool ek_delete_is_free(void) {
  const ek_cxx_t *cxx = ek_cxx();
  return cxx->delete_one && cxx->delete_array && reaches_us(cxx->delete_one) &&
         reaches_us(cxx->delete_array);
}
