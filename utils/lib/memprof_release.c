/* memprof_release.c - release at exit what a program never frees
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked into programs that MemProf instruments, because large blocks that are
 * still live at the end are not counted. As the first object of the link, it
 * runs after the program's own exit functions. MemProf then writes its counts,
 * and no library may use its blocks afterwards. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LARGE = 1 << 16, SLOTS = 1 << 16 };
static void *volatile live[SLOTS];

int __sanitizer_install_malloc_and_free_hooks(
    void (*on_malloc)(const volatile void *, size_t),
    void (*on_free)(const volatile void *));

int __memprof_profile_dump(void);

static size_t slot_of(const volatile void *p) {
  return ((size_t)p >> 12) * 0x9E3779B97F4A7C15u >> 48;
}

/* Replaces `get` by `put` in the few large blocks. If another thread
 * interferes, the block is lost and not counted, as without this file. */
static void swap(const volatile void *from, const volatile void *get,
                 void *put) {
  for (size_t i = 0, s = slot_of(from); i < 64; ++i) {
    void *expected = (void *)get;
    if (__atomic_compare_exchange_n(&live[(s + i) % SLOTS], &expected, put, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
  }
}

static void on_malloc(const volatile void *p, size_t n) {
  if (p && n >= LARGE)
    swap(p, 0, (void *)p);
}

static void on_free(const volatile void *p) {
  if (p)
    swap(p, p, 0);
}

static void release(int status, void *unused) {
  (void)unused;
  fflush(0);
  for (size_t i = 0; i < SLOTS; ++i)
    if (live[i])
      free(live[i]);
  __memprof_profile_dump();
  _exit(status);
}

__attribute__((constructor)) static void start(void) {
  if (__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free))
    on_exit(release, 0);
}
