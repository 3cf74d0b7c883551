/*===- libc.c - finding the allocator underneath ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: RTLD_NEXT, and the sanitizers' names for the functions they interpose
 * (there, the next `free` would be libc's, which does not know their blocks).
 * Makes: ek_libc, and the proof that the process frees through us. An object
 * whose free() goes elsewhere would crash the program, so this is tested rather
 * than assumed.
 * Not here: libraries with a libc of their own, whose frees cannot be seen.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/libc.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

static void first_free(void *p);
static void *first_realloc(void *p, size_t n);
static size_t first_usable_size(void *p);

ek_libc_t ek_libc = {first_free, first_realloc, first_usable_size};
ek_libc_t ek_behind_us = {first_free, first_realloc, first_usable_size};

/* The loader binds these together with all other symbols, so that the first
 * calls, which the loader itself may make, need no look-up. The __libc_ names
 * are glibc's fixed entries next to the replaceable ones. */
#define EARLY __attribute__((weak, visibility("default")))
void __interceptor_free(void *p) EARLY;
void *__interceptor_realloc(void *p, size_t n) EARLY;
size_t __interceptor_malloc_usable_size(void *p) EARLY;
void *__libc_malloc(size_t n) EARLY;
void __libc_free(void *p) EARLY;
void *__libc_realloc(void *p, size_t n) EARLY;

/* Whether the process's malloc, which we do not replace, is glibc's. */
static bool malloc_is_glibc(void) {
  void *(*volatile f)(size_t) = malloc; /* or the comparison is folded */
  return __libc_malloc && f == __libc_malloc && __libc_free && __libc_realloc;
}

/* Whether \p f lies in this library. */
static bool in_us(const void *f) {
  Dl_info us, other;
  return f && dladdr((const void *)(uintptr_t)&ek_libc_resolve, &us) &&
         dladdr(f, &other) && us.dli_fbase == other.dli_fbase;
}

/* Returns NULL if the next function is our own. A plain program can load us
 * through one of its libraries; then the C library precedes us in the search
 * order, nothing follows us, and the process uses the C library's function. */
static void *next_symbol(uintptr_t sanitizer, const char *name) {
  if (sanitizer) /* may be linked into the same executable as we are */
    return (void *)sanitizer;
  void *f = dlsym(RTLD_NEXT, name);
  if (!f)
    f = dlsym(RTLD_DEFAULT, name);
  return in_us(f) ? NULL : f;
}

/* These run before our constructor. They must not call dlsym: the caller may be
 * inside dlsym, or be the loader holding its lock. Under an allocator that is
 * not known yet, leaking a few blocks is better than guessing. */
static void first_free(void *p) {
  if (__interceptor_free)
    __interceptor_free(p);
  else if (malloc_is_glibc())
    __libc_free(p);
}

static void *first_realloc(void *p, size_t n) {
  if (__interceptor_realloc)
    return __interceptor_realloc(p, n);
  if (malloc_is_glibc())
    return __libc_realloc(p, n);
  if (!p)
    return malloc(n);
  ek_libc_resolve(); /* only the real realloc knows how much to copy */
  return ek_libc.realloc(p, n);
}

static size_t first_usable_size(void *p) {
  if (!p)
    return 0;
  ek_libc_resolve();
  return ek_libc.usable_size(p);
}

static _Thread_local bool probe_seen __attribute__((tls_model("initial-exec")));
static void (*probe_next)(void *);

static void probe_free(void *p) {
  probe_seen = true;
  probe_next(p);
}

static bool reaches_us(void (*f)(void *)) {
  /* Other threads that free meanwhile pass through probe_free unharmed. */
  probe_next = ek_behind_us.free;
  probe_seen = false;
  __atomic_store_n(&ek_behind_us.free, probe_free, __ATOMIC_SEQ_CST);
  f(NULL);
  __atomic_store_n(&ek_behind_us.free, probe_next, __ATOMIC_SEQ_CST);
  return probe_seen;
}

/* The free() that the program itself calls. A library loaded with RTLD_DEEPBIND
 * that brought us along calls our functions while the program calls others. */
static void (*free_of_program(void))(void *) {
  void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
  void *f = program ? dlsym(program, "free") : NULL;
  if (program)
    dlclose(program);
  return (void (*)(void *))f;
}

bool ek_free_is_ours(void) {
  void (*volatile f)(void *) = free; /* or the call would be optimised away */
  if (!reaches_us(f))
    return false;
  void (*of_program)(void *) = free_of_program();
  return !of_program || of_program == f || reaches_us(of_program);
}

/* Returns the process's function if another allocator precedes us and does not
 * call us: its malloc needs its own free. Nothing is placed in that case. */
static void *process_function(const char *name, void *behind) {
  void *f = dlsym(RTLD_DEFAULT, name);
  return f && !in_us(f) ? f : behind;
}

static void put(ek_libc_t *to, void *f, void *r, void *u) {
  __atomic_store_n(&to->realloc, (void *(*)(void *, size_t))r,
                   __ATOMIC_RELEASE);
  __atomic_store_n(&to->usable_size, (size_t (*)(void *))u, __ATOMIC_RELEASE);
  __atomic_store_n(&to->free, (void (*)(void *))f, __ATOMIC_RELEASE);
}

void ek_libc_resolve(void) {
  static bool done; /* two threads at the same time find the same */
  if (__atomic_load_n(&done, __ATOMIC_ACQUIRE))
    return;
  void *f = next_symbol((uintptr_t)__interceptor_free, "free");
  void *r = next_symbol((uintptr_t)__interceptor_realloc, "realloc");
  void *u = next_symbol((uintptr_t)__interceptor_malloc_usable_size,
                        "malloc_usable_size");
  if (!f || !r || !u)
    abort(); /* without a C library below us nothing could work */
  put(&ek_behind_us, f, r, u);
  if (!__interceptor_free && !ek_free_is_ours()) {
    f = process_function("free", f);
    r = process_function("realloc", r);
    u = process_function("malloc_usable_size", u);
  }
  put(&ek_libc, f, r, u);
  __atomic_store_n(&done, true, __ATOMIC_RELEASE);
}

/* The function the process uses, or the next one if that is ours. */
static void *behind_us(const char *name) {
  void *f = dlsym(RTLD_DEFAULT, name);
  bool ours = ek_has_plain_new && in_us(f);
  return f && !ours ? f : dlsym(RTLD_NEXT, name);
}

#define FIND(member, name)                                                     \
  (*(void **)&cxx.member = behind_us(name)) /* the cast POSIX gives */

const ek_cxx_t *ek_cxx(void) {
  static ek_cxx_t cxx;
  static int found;
  if (__builtin_expect(!__atomic_load_n(&found, __ATOMIC_ACQUIRE), 0)) {
    /* Mangled with size_t = unsigned long, as on every 64-bit Linux. */
    FIND(new_one, "_Znwm");
    FIND(new_array, "_Znam");
    FIND(new_one_nothrow, "_ZnwmRKSt9nothrow_t");
    FIND(new_array_nothrow, "_ZnamRKSt9nothrow_t");
    FIND(new_one_aligned, "_ZnwmSt11align_val_t");
    FIND(new_array_aligned, "_ZnamSt11align_val_t");
    FIND(new_one_aligned_nothrow, "_ZnwmSt11align_val_tRKSt9nothrow_t");
    FIND(new_array_aligned_nothrow, "_ZnamSt11align_val_tRKSt9nothrow_t");
    FIND(delete_one, "_ZdlPv");
    FIND(delete_array, "_ZdaPv");
    FIND(delete_one_nothrow, "_ZdlPvRKSt9nothrow_t");
    FIND(delete_array_nothrow, "_ZdaPvRKSt9nothrow_t");
    FIND(delete_one_sized, "_ZdlPvm");
    FIND(delete_array_sized, "_ZdaPvm");
    FIND(delete_one_sized_aligned, "_ZdlPvmSt11align_val_t");
    FIND(delete_array_sized_aligned, "_ZdaPvmSt11align_val_t");
    FIND(delete_one_aligned_nothrow, "_ZdlPvSt11align_val_tRKSt9nothrow_t");
    FIND(delete_array_aligned_nothrow, "_ZdaPvSt11align_val_tRKSt9nothrow_t");
    FIND(delete_one_aligned, "_ZdlPvSt11align_val_t");
    FIND(delete_array_aligned, "_ZdaPvSt11align_val_t");
    __atomic_store_n(&found, 1, __ATOMIC_RELEASE);
  }
  return &cxx;
}

static bool is_ours(const char *name) {
  return ek_has_plain_new && in_us(dlsym(RTLD_DEFAULT, name));
}

/* Whether the process's operators of both names are ours; ours accept every
 * pointer. */
static bool are_ours(const char *one, const char *array) {
  return is_ours(one) && is_ours(array);
}

bool ek_new_is_ours(void) { return are_ours("_Znwm", "_Znam"); }

static bool ends_in_free(void) {
  const ek_cxx_t *cxx = ek_cxx();
  return cxx->delete_one && cxx->delete_array && reaches_us(cxx->delete_one) &&
         reaches_us(cxx->delete_array);
}

bool ek_delete_is_free(void) {
  return are_ours("_ZdlPv", "_ZdaPv") || ends_in_free();
}

static void delete_one_aligned(void *p) { ek_cxx()->delete_one_aligned(p, 64); }
static void delete_array_aligned(void *p) {
  ek_cxx()->delete_array_aligned(p, 64);
}

static bool aligned_ends_in_free(void) {
  const ek_cxx_t *cxx = ek_cxx();
  return cxx->delete_one_aligned && cxx->delete_array_aligned &&
         reaches_us(delete_one_aligned) && reaches_us(delete_array_aligned);
}

bool ek_aligned_delete_is_free(void) {
  return are_ours("_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t") ||
         aligned_ends_in_free();
}

bool ek_deletes_just_free, ek_aligned_deletes_just_free;
ek_own_deletes_t ek_own_deletes;

void ek_probe_deletes(void) {
  ek_own_deletes_t own = {.one = is_ours("_ZdlPv"),
                          .one_aligned = is_ours("_ZdlPvSt11align_val_t")};
  own.array = own.one && is_ours("_ZdaPv");
  own.array_aligned = own.one_aligned && is_ours("_ZdaPvSt11align_val_t");
  ek_own_deletes = own; /* no other threads exist yet */
  bool just = are_ours("_ZdlPv", "_ZdaPv") && are_ours("_ZdlPvm", "_ZdaPvm") &&
              ends_in_free();
  bool aligned = just &&
                 are_ours("_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t") &&
                 aligned_ends_in_free();
  __atomic_store_n(&ek_deletes_just_free, just, __ATOMIC_RELAXED);
  __atomic_store_n(&ek_aligned_deletes_just_free, aligned, __ATOMIC_RELAXED);
}
