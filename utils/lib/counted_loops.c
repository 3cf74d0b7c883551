// counted_loops.c - loops whose number of iterations data decides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// counted_loops LOOP MEAN TIMES: runs the region of this name so many times;
// its inner loop has some MEAN iterations. What it accesses fits in L1. Prints
// the CPU time in seconds, for utils/bench-totals.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 512, MOST = 16384, AGAIN = 16 };
static int first[ROWS + 1];
static int column[MOST];
static double x[1024], a[MOST];
double y[ROWS]; // so that nothing is in vain
static int ia[MOST];
static char *text[ROWS];
static struct node {
  struct node *next;
  double v;
} nodes[1024], *heads[ROWS];
static unsigned table[1024], keys[ROWS];

__attribute__((noinline)) static void gather(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      double s = 0;
      for (int k = first[i]; k < first[i + 1]; k++)
        s += x[column[k]];
      y[i] = s;
    }
}
__attribute__((noinline)) static void spmv(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      double s = 0;
      for (int k = first[i]; k < first[i + 1]; k++)
        s += a[k] * x[column[k]];
      y[i] = s;
    }
}
__attribute__((noinline)) static void scatter(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++)
      for (int k = first[i]; k < first[i + 1]; k++)
        x[column[k]] += a[k];
}
__attribute__((noinline)) static void isum(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      int s = 0;
      for (int k = first[i]; k < first[i + 1]; k++)
        s += ia[k];
      y[i] = s;
    }
}
__attribute__((noinline)) static void length(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      int k = 0;
      while (text[i][k] != 0)
        k++;
      y[i] = k;
    }
}
__attribute__((noinline)) static void chase(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      double s = 0;
      for (struct node *p = heads[i]; p; p = p->next)
        s += p->v;
      y[i] = s;
    }
}
__attribute__((noinline)) static void probe(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      unsigned h = keys[i] * 2654435761u >> 22;
      while (table[h] != keys[i])
        h = (h + 1) & 1023;
      y[i] = h;
    }
}
__attribute__((noinline)) static void find(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      double s = 0;
      for (int k = first[i]; k < MOST; k++) {
        if (ia[k] == 0)
          break;
        s += x[ia[k]];
      }
      y[i] = s;
    }
}
__attribute__((noinline)) static void search(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      int lo = 0, hi = ROWS;
      while (lo < hi) {
        int m = (lo + hi) / 2;
        if (first[m] < column[i] * 8)
          lo = m + 1;
        else
          hi = m;
      }
      y[i] = lo;
    }
}
__attribute__((noinline)) static void newton(void) {
#pragma omp parallel
  for (int again = 0; again < AGAIN; again++)
#pragma omp for schedule(static) nowait
    for (int i = 0; i < ROWS; i++) {
      double v = x[i] + 1, r = v;
      while (r * r - v > 1e-9 * v)
        r = 0.5 * (r + v / r);
      y[i] = r;
    }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static const struct {
  const char *name;
  void (*run)(void);
} loops[] = {{"gather", gather}, {"spmv", spmv},     {"scatter", scatter},
             {"sum", isum},      {"length", length}, {"list", chase},
             {"probe", probe},   {"find", find},     {"bisect", search},
             {"newton", newton}};

static void make(int mean) {
  unsigned r = 1;
  for (int i = 0; i < ROWS; i++) {
    r = r * 1664525 + 1013904223;
    const int length = mean / 2 + (r >> 16) % (mean + 1);
    first[i + 1] = first[i] + length;
    text[i] = malloc(2 * mean + 2);
    memset(text[i], 'a', 2 * mean + 1);
    text[i][length] = 0;
  }
  for (int k = 0; k < MOST; k++) {
    r = r * 1664525 + 1013904223;
    column[k] = r >> 22;
    a[k] = 1;
    ia[k] = (r >> 10) % mean ? (r >> 22) | 1 : 0;
  }
  for (int k = 0; k < 1024; k++) {
    x[k] = k;
    nodes[k].v = k;
    nodes[k].next =
        k % (2 * mean) == 2 * mean - 1 || k == 1023 ? NULL : &nodes[k + 1];
  }
  for (int i = 0; i < ROWS; i++) {
    heads[i] = &nodes[i * 421 % 1024];
    keys[i] = (i + 1) * 7919u;
    unsigned h = keys[i] * 2654435761u >> 22;
    while (table[h])
      h = (h + 1) & 1023;
    table[h] = keys[i];
  }
}

int main(int argc, char **argv) {
  const int mean = argc == 4 ? atoi(argv[2]) : 0,
            times = argc == 4 ? atoi(argv[3]) : 0;
  if (mean < 1 || mean > MOST / ROWS / 2)
    return 2;
  make(mean);
  for (unsigned n = 0; n < sizeof loops / sizeof *loops; n++)
    if (!strcmp(argv[1], loops[n].name)) {
      loops[n].run(); // starts the threads
      const double from = now();
      for (int k = 0; k < times; k++)
        loops[n].run();
      printf("%.9f\n", now() - from);
      return 0;
    }
  return 2;
}
