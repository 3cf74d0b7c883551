/*===- measure.c - latency and bandwidth of this computer's memory ---------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how to measure each NUMA node separately, from the processors that
 * this process may use: a pointer chase for idle latency; reads, writes and a
 * triad (McCalpin's STREAM) with 1, 2, 4, .. threads for bandwidth; a chase
 * beside readers slowed down by more and more work, for latency under load; and
 * move_pages for the cost of moving a page. The best of several rounds counts,
 * because interference only makes figures worse.
 * Makes: one line per figure, "name node values", on stdout.
 * Not here: the meaning and plausibility of figures.
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, PAGE = 4096, ROUNDS = 3 };

static size_t buffer_bytes = 256u << 20;
static double round_seconds = 0.1;
static cpu_set_t allowed;

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double now(void) { return read_clock(CLOCK_MONOTONIC); }

/* Touched memory of one node (-1: any node), or NULL. */
static void *node_memory(int node, size_t bytes, int huge) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  if (node >= 0) {
    unsigned long mask[16] = {0};
    mask[(unsigned)node / 64] |= 1ul << (node % 64);
    /* 2 = MPOL_BIND; a kernel without NUMA has one node to take it from. */
    if (syscall(SYS_mbind, p, bytes, 2, mask, 1024ul, 0) != 0 &&
        !(node == 0 && (errno == ENOSYS || errno == EPERM))) {
      munmap(p, bytes);
      return NULL;
    }
  }
  if (huge)
    (void)madvise(p, bytes, MADV_HUGEPAGE); /* fewer TLB misses, if it may */
  memset(p, 1, bytes);
  return p;
}

static uint64_t random_state = 88172645463325252u;
static uint64_t random_next(void) { /* xorshift64, Marsaglia 2003 */
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

/* One cycle through all lines in random order (Sattolo 1986). */
static void link_lines(void *memory, size_t bytes) {
  size_t n = bytes / LINE;
  uint32_t *order = malloc(n * sizeof *order);
  if (!order)
    exit(3);
  for (size_t i = 0; i < n; i++)
    order[i] = (uint32_t)i;
  for (size_t i = n - 1; i > 0; i--) {
    size_t j = random_next() % i;
    uint32_t t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  char *m = memory;
  for (size_t i = 0; i < n; i++)
    *(void **)(m + (size_t)order[i] * LINE) =
        m + (size_t)order[(i + 1) % n] * LINE;
  free(order);
}

static void *volatile chase_end;

static double chase_ns(void *start, double seconds) {
  enum { STEP = 4096 };
  void **p = start;
  uint64_t steps = 0;
  /* The thread's own CPU time: the processor may be taken away meanwhile. */
  double end = now() + seconds, t0 = read_clock(CLOCK_THREAD_CPUTIME_ID);
  do {
    for (int i = 0; i < STEP; i++)
      p = *p;
    steps += STEP;
  } while (now() < end);
  chase_end = p;
  return (read_clock(CLOCK_THREAD_CPUTIME_ID) - t0) * 1e9 / (double)steps;
}

enum kind { READ, WRITE, TRIAD };
struct worker {
  pthread_t thread;
  int cpu;
  enum kind kind;
  double *a, *b, *c;
  size_t n;
  unsigned work; /* multiplications per line in addition to the read */
  uint64_t bytes;
};
static atomic_int waiting, go, stop;
static volatile double sink;

static void pin(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  (void)pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

static void *run_worker(void *argument) {
  struct worker *w = argument;
  pin(w->cpu);
  atomic_fetch_add(&waiting, 1);
  while (!atomic_load(&go))
    sched_yield();
  double sum[8] = {0}, extra = 1;
  do {
    /* In pieces, so that a pass over a large buffer does not take too long. */
    for (size_t from = 0; from < w->n && !atomic_load(&stop); from += 32768) {
      size_t to = from + 32768 < w->n ? from + 32768 : w->n;
      if (w->kind == READ)
        for (size_t i = from; i + 8 <= to; i += 8) {
          for (int k = 0; k < 8; k++)
            sum[k] += w->a[i + (size_t)k];
          for (unsigned k = 0; k < w->work; k++)
            extra = extra * 0.999 + sum[0] * 1e-9;
        }
      else if (w->kind == WRITE)
        for (size_t i = from; i < to; i++)
          w->a[i] = (double)to;
      else
        for (size_t i = from; i < to; i++)
          w->a[i] = w->b[i] + 3.0 * w->c[i];
      w->bytes += (to - from) * sizeof(double) * (w->kind == TRIAD ? 3 : 1);
    }
  } while (!atomic_load(&stop));
  sink = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7] +
         extra;
  return NULL;
}

static int nth_cpu(int n) {
  int found = -1;
  for (int c = 0; c < CPU_SETSIZE; c++)
    if (CPU_ISSET(c, &allowed) && ++found == n)
      return c;
  return 0;
}

/* GB/s of threads that share the buffer; sets *latency to that of a chase at
 * the same time. */
static double bandwidth(void *memory, int threads, enum kind kind,
                        unsigned work, void *chain, double *latency) {
  struct worker *w = calloc((size_t)threads, sizeof *w);
  size_t n = buffer_bytes / sizeof(double) / (size_t)threads / 8 * 8;
  if (!w)
    exit(3);
  atomic_store(&waiting, 0);
  atomic_store(&go, 0);
  atomic_store(&stop, 0);
  for (int t = 0; t < threads; t++) {
    double *part = (double *)memory + (size_t)t * n;
    size_t third = n / 3 / 8 * 8;
    w[t] = (struct worker){.cpu = nth_cpu(chain ? t + 1 : t),
                           .kind = kind,
                           .a = part,
                           .b = part + third,
                           .c = part + 2 * third,
                           .n = kind == TRIAD ? third : n,
                           .work = work};
    if (pthread_create(&w[t].thread, NULL, run_worker, &w[t]) != 0)
      exit(3);
  }
  while (atomic_load(&waiting) < threads)
    sched_yield();
  /* All bytes over one interval: rates of threads that did not run at the same
   * time must not be added. */
  double t0 = now();
  atomic_store(&go, 1);
  if (chain)
    *latency = chase_ns(chain, round_seconds);
  else
    usleep((useconds_t)(round_seconds * 1e6));
  atomic_store(&stop, 1);
  double sum = 0;
  for (int t = 0; t < threads; t++) {
    pthread_join(w[t].thread, NULL);
    sum += (double)w[t].bytes;
  }
  double seconds = now() - t0;
  free(w);
  return sum / seconds * 1e-9;
}

/* Microseconds per page that move_pages takes from one node to another. */
static void measure_moves(int from, int to) {
  enum { PAGES = 2048 };
  char *m = node_memory(from, PAGES * PAGE, 0);
  static void *page[PAGES];
  static int node[PAGES], status[PAGES];
  if (!m)
    return;
  (void)madvise(m, PAGES * PAGE, MADV_NOHUGEPAGE);
  for (int i = 0; i < PAGES; i++) {
    page[i] = m + (size_t)i * PAGE;
    node[i] = to;
  }
  double t0 = now();
  /* 2 = MPOL_MF_MOVE */
  long rc =
      syscall(SYS_move_pages, 0, (unsigned long)PAGES, page, node, status, 2);
  double us = (now() - t0) * 1e6 / PAGES;
  int moved = 0;
  for (int i = 0; rc == 0 && i < PAGES; i++)
    moved += status[i] == to;
  if (moved == PAGES)
    printf("move %d %d %.4f\n", from, to, us);
  munmap(m, PAGES * PAGE);
}

static void measure_node(int node) {
  char *m = node_memory(node, buffer_bytes, 1);
  if (!m) {
    printf("unmeasured %d\n", node);
    return;
  }
  int cpus = CPU_COUNT(&allowed);
  pin(nth_cpu(0));
  /* In the first-level cache, to detect a chase that does not work; then in
   * memory. */
  size_t small = 16384;
  double best = 1e9, again = 1e9;
  link_lines(m, small);
  for (int r = 0; r < ROUNDS; r++) {
    double ns = chase_ns(m, round_seconds / 4);
    best = ns < best ? ns : best;
  }
  printf("cached %d %.4f\n", node, best);
  link_lines(m, buffer_bytes);
  best = 1e9;
  for (int r = 0; r < 2 * ROUNDS; r++) {
    double ns = chase_ns(m, round_seconds);
    double *which = r % 2 ? &again : &best;
    *which = ns < *which ? ns : *which;
  }
  printf("latency %d %.4f %.4f\n", node, best, again);

  /* Beside a chase on its own processor: readers with less and less other work.
   */
  char *chain = cpus > 1 ? node_memory(node, buffer_bytes, 1) : NULL;
  if (chain) {
    link_lines(chain, buffer_bytes);
    static const unsigned works[] = {3000, 1000, 400, 200, 100, 50, 20, 5, 0};
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
      double ns = 1e9, gbps = 0;
      for (int r = 0; r < ROUNDS; r++) {
        double one, b = bandwidth(m, cpus - 1, READ, works[k], chain, &one);
        if (one < ns) {
          ns = one;
          gbps = b;
        }
      }
      printf("loaded %d %.4f %.4f\n", node, gbps, ns);
    }
    munmap(chain, buffer_bytes);
  }
  for (int threads = 1;; threads = 2 * threads < cpus ? 2 * threads : cpus) {
    double of[3] = {0};
    for (int kind = READ; kind <= TRIAD; kind++)
      for (int r = 0; r < ROUNDS; r++) {
        double b = bandwidth(m, threads, (enum kind)kind, 0, NULL, NULL);
        of[kind] = b > of[kind] ? b : of[kind];
      }
    printf("bandwidth %d %d %.4f %.4f %.4f\n", node, threads, of[READ],
           of[WRITE], of[TRIAD]);
    if (threads >= cpus)
      break;
  }
  munmap(m, buffer_bytes);
}

int main(int argc, char **argv) {
  /* BYTES SECONDS NODE... */
  if (argc < 4) {
    fprintf(stderr, "usage: evenkeel-measure BYTES SECONDS NODE...\n");
    return 2;
  }
  buffer_bytes = strtoull(argv[1], NULL, 10) / PAGE * PAGE;
  round_seconds = strtod(argv[2], NULL);
  if (buffer_bytes < (1u << 20) || !(round_seconds > 0) ||
      sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    fprintf(stderr, "evenkeel-measure: BYTES must be 1 MiB or more, SECONDS "
                    "above 0\n");
    return 2;
  }
  printf("cpus %d\n", CPU_COUNT(&allowed));
  for (int i = 3; i < argc; i++) {
    measure_node(atoi(argv[i]));
    fflush(stdout);
  }
  for (int i = 3; i < argc; i++)
    for (int k = 3; k < argc; k++)
      if (i != k)
        measure_moves(atoi(argv[i]), atoi(argv[k]));
  return 0;
}
