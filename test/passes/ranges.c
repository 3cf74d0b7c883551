// One block, cut into arrays at constant and computed distances whose pointers
// are in variables, in the fields of a structure and in captured variables:
// each is a range of the block, with a formula for its position.
// RUN: rm -rf %t && mkdir %t && cp %s %t/main.c && cd %t
// RUN: %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -c main.c -o main.o
// RUN: %evenkeel analyze main.o -o facts.json && %evenkeel analyze main.o --print --verify | FileCheck %s
#include <stdlib.h>

struct arrays {
  double *x, *y;
  int *index;
};

__attribute__((noinline)) void carve(struct arrays *s, char *block, long n,
                                     long m) {
  s->x = (double *)block;
  s->y = s->x + n;
  s->index = (int *)(s->y + n * m);
}

__attribute__((noinline)) double gather(const struct arrays *s, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += s->y[s->index[i]];
  return sum;
}

int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  struct arrays s;
  carve(&s, calloc(8 * n + 8 * n * m + 4 * n, 1), n, m);
  // CHECK: range main.c:17:15 from byte 8*carve:n 8*carve:n*carve:m
  // CHECK: range main.c:18:27 from byte 8*carve:n + 8*carve:n*carve:m unknown
  double *slab = malloc((n + n * m + 5000) * sizeof(double));
  double *a = slab + 5000, *b = a + n;
  // CHECK: range main.c:[[@LINE-1]]:20 from byte 40000 8*main:n
  // CHECK: range main.c:[[@LINE-2]]:35 from byte 8*main:n + 40000 8*main:m*main:n
  double sum = gather(&s, n);
  // CHECK: main.c:31:13 range main.c:17:15 random - gather:n 0 exact
  // CHECK: main.c:31:13 range main.c:18:27 stream 4 B gather:n 0 exact
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++) {
    a[i] = i;
    for (long j = 0; j < m; j++)
      b[i * m + j] += a[i];
    sum += slab[i % 5000] + s.x[i];
  }
  // CHECK: region parallel
  // CHECK-DAG: {{^}} main.c:34:18 range main.c:35:20 stream 8 B {{.*}} share(main:n) exact
  // CHECK-DAG: {{^}} main.c:34:18 range main.c:35:35 stream 8 B main:m*share(main:n) main:m*share(main:n) exact
  // CHECK-DAG: {{^}} main.c:34:18 stream 8 B share(main:n) 0 exact
  // CHECK-DAG: {{^}} main.c:31:13 stream 8 B share(main:n) 0 exact
  return sum > 0;
}
// CHECK: verified:
// INPUTS 24 5 | 38 11
