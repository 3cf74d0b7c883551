// OpenMP loops whose bounds move with the loops around them.
// INPUTS 37 31 | 61 43
#include <stdlib.h>
#define KERNEL __attribute__((noinline)) static void

// KERNEL lu_team: exact
//   a parallel stream(8) element 8 reads sum(i < n: (n - i - 1)*share(n - i - 1)) writes sum(i < n: (n - i - 1)*share(n - i - 1)) exact
KERNEL lu_team(long n) {
  double *a = calloc(n * n, 8);
#pragma omp parallel
  for (long k = 0; k < n; k++) {
#pragma omp for
    for (long i = k + 1; i < n; i++)
      for (long j = k + 1; j < n; j++)
        a[i * n + j] += 1;
  }
  free(a);
}

// KERNEL chunked_inner: exact
//   a parallel strided(8*n) element 8 reads sum(i < n: share(i, 2)) writes sum(i < n: share(i, 2)) exact
KERNEL chunked_inner(long n) {
  double *a = calloc(n * n, 8);
#pragma omp parallel
  for (long k = 0; k < n; k++) {
#pragma omp for schedule(static, 2)
    for (long i = 0; i < k; i++)
      a[i * n + k] += 1;
  }
  free(a);
}

// KERNEL dynamic_inner: total dynamic-schedule
//   a parallel strided(8*n) element 8 reads sum(i < n: evenly(max(0, n - i - 3))) writes sum(i < n: evenly(max(0, n - i - 3))) bound why dynamic-schedule
KERNEL dynamic_inner(long n) {
  double *a = calloc(n * n, 8);
#pragma omp parallel
  for (long k = 0; k < n; k++) {
#pragma omp for schedule(dynamic)
    for (long i = k; i < n - 3; i++)
      a[i * n + k] += 1;
  }
  free(a);
}

// KERNEL dynamic_steps: total dynamic-schedule
//   a parallel stream(8) element 8 reads evenly(n)*m writes evenly(n)*m bound why dynamic-schedule
KERNEL dynamic_steps(long n, long m) {
  double *a = calloc(n, 8);
#pragma omp parallel
  for (long k = 0; k < m; k++) {
#pragma omp for schedule(guided)
    for (long i = 0; i < n; i++)
      a[i] += 1;
  }
  free(a);
}

// KERNEL forked_inner: exact
//   a parallel strided(8*n) element 8 reads share(n - k - 1) writes share(n - k - 1) exact
KERNEL forked_inner(long n) {
  double *a = calloc(n * n, 8);
  for (long k = 0; k < n; k++) {
#pragma omp parallel for
    for (long i = k + 1; i < n; i++)
      a[i * n + k] += 1;
  }
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  lu_team(n);
  chunked_inner(m);
  dynamic_inner(n);
  dynamic_steps(n, m);
  forked_inner(n);
  return 0;
}
