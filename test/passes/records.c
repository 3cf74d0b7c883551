// Pointers in fields are kept apart: of a record with very many, and of the
// elements of an array of records, also where a loop goes over them and where
// they are copied.
// RUN: rm -rf %t && mkdir %t && cp %s %t/main.c && cd %t
// RUN: %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -c main.c -o main.o
// RUN: %evenkeel analyze main.o --print --verify | FileCheck %s
#include <stdlib.h>

#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define FIELDS(N) double *a##N, *b##N, *c##N, *d##N;
struct wide {
  EACH(FIELDS)
  double *last;
};

struct cell {
  double *value;
  int *index;
  long n;
};

struct cell *cells;

__attribute__((noinline)) void fill(struct wide *w, long n) {
#define MAKE(N)                                                                \
  w->a##N = malloc(8 * n);                                                     \
  w->b##N = malloc(8 * n);                                                     \
  w->c##N = malloc(8 * n);                                                     \
  w->d##N = malloc(8 * n);
  EACH(MAKE)
  w->last = malloc(16 * n);
}

__attribute__((noinline)) void make(long n, long m) {
  cells = malloc(n * sizeof *cells);
  for (long i = 0; i < n; i++) {
    struct cell c;
    c.value = malloc(8 * m);
    c.index = malloc(4 * m);
    c.n = m;
    cells[i] = c;
  }
}

int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  struct wide *w = malloc(sizeof *w);
  fill(w, n);
  make(n, m);
  double sum = 0;
  // CHECK: region parallel at main.c:[[@LINE+1]]:1
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += w->last[i] + w->a0[i];
  // CHECK-DAG: {{^}} main.c:30:3 stream 8 B share(main:n) 0 exact
  // CHECK-DAG: {{^}} main.c:31:13 stream 8 B share(main:n) 0 exact
  // CHECK: region parallel at main.c:[[@LINE+1]]:1
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++)
    for (long k = 0; k < cells[i].n; k++)
      sum += cells[i].value[k] * cells[i].index[k];
  // CHECK-DAG: {{^}} main.c:38:15 stream 8 B
  // CHECK-DAG: {{^}} main.c:39:15 stream 4 B
  // CHECK: region parallel at main.c:[[@LINE+1]]:1
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    struct cell c = cells[i];
    for (long k = 0; k < c.n; k++)
      c.value[k] += 1;
  }
  // CHECK-DAG: {{^}} main.c:38:15 stream 8 B
  return sum > 0;
}
// CHECK: verified:
// INPUTS 24 5 | 38 11
