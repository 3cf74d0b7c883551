/* team.c - a program as users write it: two threads, each with data of its own
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * team ROUNDS WORK0 WORK1 WAIT_NS [PAGES]: in each round thread t gathers
 * WORKt thousand times from its table. Emulated by software: the guest's nodes
 * are equally fast, so that a thread waits WAIT_NS for each page of its table
 * that lies on node 1, and a third of that for others, times its work: by the
 * runtime's clock alone where that one tells work (WORK_CLOCK). At the
 * end the nodes of all pages are written to PAGES, the mean of what the slower
 * thread had to wait in early and late rounds is printed, and the sums, which
 * say that no data was lost.
 */
#define _GNU_SOURCE
#ifdef WORK_CLOCK
#include "work_clock.h"
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, COUNT = 1 << 18, EARLY = 10 };

/* Node of each whole page of \p p; returns their number. */
static size_t nodes_of(const void *p, size_t bytes, int *nodes) {
  uintptr_t at = ((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  size_t count = ((uintptr_t)p + bytes - at) / PAGE;
  void *pages[512];
  for (size_t from = 0; from < count; from += 512) {
    size_t some = count - from < 512 ? count - from : 512;
    for (size_t i = 0; i < some; ++i)
      pages[i] = (void *)(at + (from + i) * PAGE);
    if (syscall(SYS_move_pages, 0, some, pages, NULL, nodes + from, 0) != 0)
      return 0;
  }
  return count;
}

static void show(FILE *f, const char *name, const void *p, size_t bytes) {
  static int nodes[2 * COUNT * 8 / PAGE];
  size_t count = nodes_of(p, bytes, nodes);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && nodes[end] == nodes[i]; ++end)
      ;
    fprintf(f, "%s %zu %zu %d\n", name, i, end, nodes[i]);
  }
}

/* Waits as long as that takes; returns it. */
static long long wait_for_slow(const void *p, size_t bytes, long work,
                               long ns) {
  int nodes[COUNT * 8 / PAGE];
  if (!ns)
    return 0;
  size_t count = nodes_of(p, bytes, nodes), slow = 0;
  for (size_t i = 0; i < count; ++i)
    slow += nodes[i] == 1;
  long long all = (long long)(3 * slow + (count - slow)) * work * ns / 3;
#ifdef WORK_CLOCK
  clock_work((uint64_t)all);
#else
  struct timespec t = {(time_t)(all / 1000000000), (long)(all % 1000000000)};
  nanosleep(&t, NULL);
#endif
  return all;
}

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  int rounds = atoi(argv[1]);
  long work[2] = {atol(argv[2]), atol(argv[3])}, wait_ns = atol(argv[4]);
  uint64_t *left = malloc(COUNT * sizeof *left);
  uint64_t *right = malloc(COUNT * sizeof *right);
  uint64_t *spare = malloc(2 * COUNT * sizeof *spare);
  uint64_t sums[2][8] = {{0}};
  double early = 0, late = 0; /* ns */
  for (long i = 0; i < COUNT; ++i) {
    left[i] = (uint64_t)i * 3;
    right[i] = (uint64_t)i * 5;
    spare[i] = spare[COUNT + i] = (uint64_t)i;
  }
  for (int round = 0; round < rounds; ++round) {
    long long took[2] = {0, 0};
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int t = 0; t < 2; ++t) {
      const uint64_t *own = t ? right : left;
      uint64_t at = (uint64_t)round, sum = 0;
      for (long i = 0; i < work[t] * 1000; ++i) {
        at = at * 6364136223846793005u + 1442695040888963407u;
        sum += own[at >> 46];
      }
      sums[t][0] += sum;
      took[t] = wait_for_slow(own, COUNT * sizeof *own, work[t], wait_ns);
    }
    double longest = (double)(took[0] > took[1] ? took[0] : took[1]);
    early += round < EARLY ? longest : 0;
    late += round >= rounds - EARLY ? longest : 0;
  }
  uint64_t rest = 0;
  for (long i = 0; i < 2 * COUNT; ++i)
    rest += spare[i];
  for (long i = 0; i < COUNT; ++i)
    rest += left[i] + right[i];
  printf("early %ld us\nlate %ld us\nsums %llu %llu %llu\n",
         (long)(early * 1e-3 / EARLY), (long)(late * 1e-3 / EARLY),
         (unsigned long long)sums[0][0], (unsigned long long)sums[1][0],
         (unsigned long long)rest);
  if (argc > 5) {
    FILE *f = fopen(argv[5], "w");
    if (!f)
      return 3;
    show(f, "left", left, COUNT * sizeof *left);
    show(f, "right", right, COUNT * sizeof *right);
    show(f, "spare", spare, 2 * COUNT * sizeof *spare);
    if (fclose(f) != 0)
      return 3;
  }
  free(left);
  free(right);
  free(spare);
  return 0;
}
