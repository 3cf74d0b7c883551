/*===- small_blocks.c - pairs of malloc and free, by several allocators
 *-----===* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * small_blocks ALLOCATOR THREADS PAIRS LIVE: each thread keeps LIVE blocks of
 * 16 to 512 bytes, and PAIRS times frees one of them and allocates another; one
 * in 16 is freed by another thread. Prints nanoseconds per pair (of the slowest
 * thread), the peak of resident KiB, and the KiB that the live blocks ask for.
 *   libc      malloc and free, whichever the process has
 *   mimalloc  a heap per thread in one arena of memory that we reserved
 *   jemalloc  an arena, with a cache per thread (mallocx)
 *   evenkeel  annotated calls; the runtime is preloaded, the plan is the
 *             environment's
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST_THREADS = 64 };

static const char *by;
static int threads;
static long pairs, live;
static pthread_barrier_t ready;
static double ns[MOST_THREADS];
static size_t asked[MOST_THREADS];
static void *_Atomic passed[MOST_THREADS];

/* --- mimalloc ------------------------------------------------------------- */
static int mi_arena;
static bool (*mi_manage)(void *, size_t, bool, bool, bool, int, bool, int *);
static void *(*mi_heap_in)(int);
static void *(*mi_alloc)(void *, size_t);
static void (*mi_end)(void *);
static _Thread_local void *heap;

static void *mi_new(size_t n) { return mi_alloc(heap, n); }

/* --- jemalloc ------------------------------------------------------------- */
static int (*je_ctl)(const char *, void *, size_t *, void *, size_t);
static void *(*je_alloc)(size_t, int);
static void (*je_end)(void *, int);
static unsigned je_arena;
static _Thread_local int je_flags, je_cache;

static void *je_new(size_t n) { return je_alloc(n, je_flags); }
static void je_delete(void *p) { je_end(p, je_cache); }

/* --- the runtime ---------------------------------------------------------- */
static void *(*ek_alloc)(uint64_t, size_t);

static void *ek_new(size_t n) { return ek_alloc(1, n); }

static void *(*get)(size_t) = malloc;
static void (*end)(void *) = free;

static void missing(const char *what) {
  fprintf(stderr, "small_blocks: %s: not available\n", what);
  exit(2);
}

static void start(void) {
  if (!strcmp(by, "mimalloc")) {
    void *l = dlopen("libmimalloc.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!l)
      missing("libmimalloc.so.2");
    *(void **)&mi_manage = dlsym(l, "mi_manage_os_memory_ex");
    *(void **)&mi_heap_in = dlsym(l, "mi_heap_new_in_arena");
    *(void **)&mi_alloc = dlsym(l, "mi_heap_malloc");
    *(void **)&mi_end = dlsym(l, "mi_free");
    const size_t unit = (size_t)32 << 20, bytes = (size_t)4 << 30;
    char *p = mmap(NULL, bytes + unit, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    p += -(uintptr_t)p & (unit - 1);
    if (!mi_manage || !mi_heap_in ||
        !mi_manage(p, bytes, true, false, true, -1, true, &mi_arena))
      missing("arenas of mimalloc");
    get = mi_new;
    end = mi_end;
  } else if (!strcmp(by, "jemalloc")) {
    *(void **)&je_ctl = dlsym(RTLD_DEFAULT, "mallctl");
    *(void **)&je_alloc = dlsym(RTLD_DEFAULT, "mallocx");
    *(void **)&je_end = dlsym(RTLD_DEFAULT, "dallocx");
    size_t size = sizeof je_arena;
    if (!je_ctl || je_ctl("arenas.create", &je_arena, &size, NULL, 0))
      missing("jemalloc (preload libjemalloc.so.2)");
    get = je_new;
    end = je_delete;
  } else if (!strcmp(by, "evenkeel")) {
    *(void **)&ek_alloc = dlsym(RTLD_DEFAULT, "ek_malloc");
    *(void **)&end = dlsym(RTLD_DEFAULT, "ek_free");
    if (!ek_alloc || !end)
      missing("libevenkeel.so (preload it)");
    get = ek_new;
  } else if (strcmp(by, "libc")) {
    missing(by);
  }
}

static void start_thread(void) {
  if (mi_heap_in)
    heap = mi_heap_in(mi_arena);
  if (je_ctl) {
    unsigned cache;
    size_t size = sizeof cache;
    je_ctl("tcache.create", &cache, &size, NULL, 0);
    je_cache = (int)(cache + 2) << 8;
    je_flags = je_cache | (int)(je_arena + 1) << 20;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t next(uint64_t *x) {
  *x ^= *x << 13;
  *x ^= *x >> 7;
  return *x ^= *x << 17;
}

static void *run(void *data) {
  const int me = (int)(intptr_t)data;
  uint64_t x = 88172645463325252u + (uint64_t)me;
  char **blocks = calloc((size_t)live, sizeof *blocks);
  start_thread();
  for (long i = 0; i < live; ++i) {
    const size_t n = 16 + next(&x) % 497;
    blocks[i] = get(n);
    memset(blocks[i], 1, n);
    asked[me] += n;
  }
  pthread_barrier_wait(&ready);
  const double from = now();
  for (long i = 0; i < pairs; ++i) {
    const uint64_t r = next(&x);
    const long at = (long)(r % (uint64_t)live);
    if (r >> 60) {
      end(blocks[at]);
    } else {
      void *other = atomic_exchange(&passed[(me + 1) % threads], blocks[at]);
      if (other)
        end(other);
    }
    blocks[at] = get(16 + (r >> 32) % 497);
    blocks[at][0] = 1;
  }
  ns[me] = (now() - from) / (double)pairs;
  return NULL;
}

/* KiB; not from getrusage, whose peak may be that of the program before. */
static long peak(void) {
  char line[128];
  long kib = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmHWM: %ld", &kib) == 1)
      break;
  if (f)
    fclose(f);
  return kib;
}

int main(int argc, char **argv) {
  if (argc != 5)
    missing("ALLOCATOR THREADS PAIRS LIVE");
  by = argv[1];
  threads = atoi(argv[2]);
  pairs = atol(argv[3]);
  live = atol(argv[4]);
  if (threads < 1 || threads > MOST_THREADS || pairs < 1 || live < 1)
    missing("these numbers");
  start();
  pthread_barrier_init(&ready, NULL, (unsigned)threads);
  pthread_t t[MOST_THREADS];
  for (intptr_t i = 0; i < threads; ++i)
    pthread_create(&t[i], NULL, run, (void *)i);
  double most = 0;
  size_t bytes = 0;
  for (int i = 0; i < threads; ++i) {
    pthread_join(t[i], NULL);
    most = ns[i] > most ? ns[i] : most;
    bytes += asked[i];
  }
  printf("%.1f %ld %zu\n", most, peak(), bytes / 1024);
}
