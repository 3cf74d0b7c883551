/*===- heap.c - the small-block allocator of arenas ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See heap.h. jemalloc's arenas would tell us of each page that they use, but a
 * running process cannot load it: its thread-local storage is too large for
 * what the loader has left, and a library loaded at start would cost every
 * program (utils/bench-small-blocks).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "arenas/heap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST = 209 }; /* mimalloc 2.0.9, the first with heaps in arenas */

static struct {
  bool (*manage)(void *, size_t, bool, bool, bool, int, bool, int *);
  void *(*heap_new)(int);
  void *(*alloc)(void *, size_t);
  void *(*alloc_aligned)(void *, size_t, size_t);
  void (*free)(void *);
  size_t (*usable_size)(const void *);
} mi;

/* The calling thread's heaps by region. */
static _Thread_local void **mine __attribute__((tls_model("initial-exec")));
static void *no_heaps[EK_MOST_REGIONS]; /* of a thread that has ended */
static pthread_key_t key;

/* Keys' destructors run in the order of the keys: ours is older than that of
 * mimalloc, which then ends the heaps. */
static void ended(void *heaps) {
  mine = no_heaps;
  free(heaps);
}

static bool find(void *library, const char *name, void *out) {
  void *p = dlsym(library, name);
  memcpy(out, &p, sizeof p);
  return p != NULL;
}

const char *ek_heap_load(void) {
  if (pthread_key_create(&key, ended) != 0)
    return "the process has too many thread-specific keys";
  /* Never RTLD_GLOBAL: the library also exports malloc and free. */
  void *l = dlopen("libmimalloc.so.2", RTLD_NOW | RTLD_LOCAL);
  int (*version)(void);
  if (!l)
    return "libmimalloc.so.2 is missing";
  if (!find(l, "mi_version", &version) || version() < OLDEST ||
      !find(l, "mi_manage_os_memory_ex", &mi.manage) ||
      !find(l, "mi_heap_new_in_arena", &mi.heap_new) ||
      !find(l, "mi_heap_malloc", &mi.alloc) ||
      !find(l, "mi_heap_malloc_aligned", &mi.alloc_aligned) ||
      !find(l, "mi_free", &mi.free) ||
      !find(l, "mi_usable_size", &mi.usable_size))
    return "libmimalloc.so.2 is older than 2.0.9";
  return NULL;
}

bool ek_heap_region(void *base, size_t bytes, int *id) {
  return mi.manage(base, bytes, /*committed=*/true, /*large=*/false,
                   /*zero=*/true, /*node=*/-1, /*exclusive=*/true, id);
}

__attribute__((noinline, cold)) static void *new_heap(unsigned at, int id) {
  if (mine == no_heaps)
    return NULL;
  if (!mine) {
    void **all = calloc(EK_MOST_REGIONS, sizeof *all);
    if (!all || pthread_setspecific(key, all) != 0) {
      free(all);
      return NULL;
    }
    mine = all;
  }
  return mine[at] = mi.heap_new(id);
}

void *ek_heap_mine(unsigned at, int id) {
  void *heap = mine ? mine[at] : NULL;
  return heap ? heap : new_heap(at, id);
}

void *ek_heap_alloc(void *heap, size_t align, size_t n) {
  if (n < 16)
    n = 16; /* smaller blocks would be aligned to less */
  return align <= 16 ? mi.alloc(heap, n) : mi.alloc_aligned(heap, n, align);
}

void ek_heap_free(void *p) { mi.free(p); }
size_t ek_heap_size(const void *p) { return mi.usable_size(p); }
