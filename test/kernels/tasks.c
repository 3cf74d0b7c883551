// OpenMP tasks: recursion, waits, groups, untied and final ones, taskloops.
// INPUTS 13 67 | 15 89
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void

// KERNEL fib_tasks: exact
//   memo task invariant element 8 reads taken+5 + 1 writes taken+5 + 1 conditional 2*taken+5 exact
//   memo parallel invariant element 8 reads taken+18 + taken+5 writes taken+18 + taken+5 conditional 2*taken+18 + 2*taken+5 exact
//   memo task invariant element 8 reads taken+5 + 1 writes taken+5 + 1 conditional 2*taken+5 exact
static long fib_tasks_rec(long *memo, long n) {
  memo[n] += 1;
  if (n < 2)
    return n;
  long x, y;
#pragma omp task shared(x)
  x = fib_tasks_rec(memo, n - 1);
#pragma omp task shared(y)
  y = fib_tasks_rec(memo, n - 2);
#pragma omp taskwait
  memo[0] += 1;
  return x + y;
}
KERNEL fib_tasks(long n) {
  long *memo = calloc(n + 30, sizeof *memo);
#pragma omp parallel
#pragma omp single
  fib_tasks_rec(memo, n);
  free(memo);
}

// KERNEL untied_tasks: exact
//   a task stream(8) element 8 reads m*taken+11 + m*taken+8 writes m*taken+11 + m*taken+8 conditional 2*m*taken+11 + 2*m*taken+8 exact
KERNEL untied_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long b = 0; b < n; b++) {
#pragma omp task untied firstprivate(b)
    {
      for (long i = 0; i < m; i++)
        a[b * m + i] += 1;
#pragma omp taskyield
      for (long i = 0; i < m; i++)
        a[b * m + i] *= 2;
    }
  }
  free(a);
}

// KERNEL waiting_tasks: exact
//   a task stream(8) element 8 reads m writes m exact
//   a task stream(8) element 8 reads m writes m exact
KERNEL waiting_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long b = 0; b < n; b++) {
#pragma omp task firstprivate(b)
    {
#pragma omp task firstprivate(b)
      for (long i = 0; i < m; i++)
        a[b * m + i] += 1;
#pragma omp taskwait
      for (long i = 0; i < m; i++)
        a[b * m + i] *= 2;
    }
  }
  free(a);
}

// KERNEL untied_waiting: exact
//   a task stream(8) element 8 reads m writes m exact
//   a task stream(8) element 8 reads m*taken+12 writes m*taken+12 conditional 2*m*taken+12 exact
KERNEL untied_waiting(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long b = 0; b < n; b++) {
#pragma omp task untied firstprivate(b)
    {
#pragma omp task firstprivate(b)
      for (long i = 0; i < m; i++)
        a[b * m + i] += 1;
#pragma omp taskwait
      for (long i = 0; i < m; i++)
        a[b * m + i] *= 2;
    }
  }
  free(a);
}

// KERNEL mergesort_tasks: exact
//   t parallel stream(8) element 8 reads trip+11 writes trip+9 conditional trip+11 + trip+9 exact
//   t task stream(8) element 8 reads trip+11 writes trip+9 conditional trip+11 + trip+9 exact
//   t task stream(8) element 8 reads trip+11 writes trip+9 conditional trip+11 + trip+9 exact
//   a parallel stream(8) element 8 reads trip+9 writes trip+11 conditional trip+11 + trip+9 exact
//   a task stream(8) element 8 reads trip+9 writes trip+11 conditional trip+11 + trip+9 exact
//   a task stream(8) element 8 reads trip+9 writes trip+11 conditional trip+11 + trip+9 exact
static void mergesort_tasks_sort(double *a, double *t, long n) {
  if (n < 8)
    return;
#pragma omp task
  mergesort_tasks_sort(a, t, n / 2);
#pragma omp task
  mergesort_tasks_sort(a + n / 2, t + n / 2, n - n / 2);
#pragma omp taskwait
  for (long i = 0; i < n; i++)
    t[i] = a[i];
  for (long i = 0; i < n; i++)
    a[i] = t[i] + 1;
}
KERNEL mergesort_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  double *t = calloc(n * m, sizeof *t);
#pragma omp parallel
#pragma omp single
  mergesort_tasks_sort(a, t, n * m);
  free(a);
  free(t);
}

// KERNEL group_tasks: exact
//   a task stream(8) element 8 reads m writes m exact
KERNEL group_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < 3; s++) {
#pragma omp taskgroup
    for (long b = 0; b < n; b++) {
#pragma omp task
      for (long i = 0; i < m; i++)
        a[b * m + i] += 1;
    }
  }
  free(a);
}

// KERNEL if_tasks: exact
//   a task stream(8) element 8 reads m writes m exact
//   a parallel stream(8) element 8 reads trip+7 writes trip+7 conditional 2*trip+7 exact
KERNEL if_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long b = 0; b < n; b++) {
#pragma omp task if(b > 4)
    for (long i = 0; i < m; i++)
      a[b * m + i] += 1;
  }
  free(a);
}

// KERNEL final_tasks: exact
//   a task invariant element 8 reads 1 writes 1 exact
//   a parallel invariant element 8 reads taken+15 writes taken+15 conditional 2*taken+15 exact
//   a task invariant element 8 reads 1 writes 1 exact
static void final_tasks_rec(double *a, long n, long d) {
  a[d] += 1;
  if (d >= 8)
    return;
#pragma omp task final(d > 4) mergeable
  final_tasks_rec(a, n, d + 1);
#pragma omp task final(d > 4) mergeable
  final_tasks_rec(a, n, d + 1);
#pragma omp taskwait
}
KERNEL final_tasks(long n) {
  double *a = calloc(n + 30, sizeof *a);
#pragma omp parallel
#pragma omp single
  final_tasks_rec(a, n, 0);
  free(a);
}

// KERNEL loop_grain: exact
//   a task stream(8) element 8 reads m*share(n) writes m*share(n) exact
KERNEL loop_grain(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += i;
  free(a);
}

// KERNEL loop_plain: exact
//   a task stream(8) element 8 reads share(m*n) writes share(m*n) exact
KERNEL loop_plain(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (long i = 0; i < n * m; i++)
    a[i] += i;
  free(a);
}

// KERNEL loop_collapse: exact
//   a task stream(8) element 8 reads share(m*n) writes share(m*n) exact
KERNEL loop_collapse(int n, int m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) num_tasks(n)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += i;
  free(a);
}

// KERNEL loop_inlined: exact
//   a task stream(8) element 8 reads share(m*n) writes share(m*n) exact
// A function that others may call, too, if any did.
void loop_inlined_cells(double *a, int n, int m) {
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += i;
}
KERNEL loop_inlined(int n, int m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  loop_inlined_cells(a, n, m);
  free(a);
}

// KERNEL loop_step: exact
//   a task strided(40) element 8 reads share(floordiv(m*n + 1, 5)) writes share(floordiv(m*n + 1, 5)) exact
KERNEL loop_step(int n, int m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 3; i < n * m; i += 5)
    a[i] += i;
  free(a);
}

// KERNEL loop_rows: exact
//   a task stream(8) element 8 reads share(i < n: i) writes share(i < n: i) exact
KERNEL loop_rows(int n) {
  double *a = calloc(n * n, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * n + j] += i;
  free(a);
}

// KERNEL loop_reduce: exact
//   a task stream(8) element 8 reads share(m*n) writes 0 exact
KERNEL loop_reduce(int n, int m, double *out) {
  double *a = calloc(n * m, sizeof *a);
  double s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s)
  for (int i = 0; i < n * m; i++)
    s += a[i];
  *out += s;
  free(a);
}

// KERNEL loop_simd: later LoopVectorizePass
//   a task stream(4) element 4 reads share(m*n) writes share(m*n) exact
KERNEL loop_simd(int n, int m) {
  float *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop simd
  for (int i = 0; i < n * m; i++)
    a[i] += 1;
  free(a);
}

// KERNEL loop_varies: exact
//   a task stream(8) element 8 reads max(1, value+6.1#1 - value+6.1 + 1)*taken+8 writes max(1, value+6.1#1 - value+6.1 + 1)*taken+8 conditional 2*max(1, value+6.1#1 - value+6.1 + 1)*taken+8 exact why assumes-positive-step
KERNEL loop_varies(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long part = 1; part <= n; part++)
#pragma omp taskloop num_tasks(4)
    for (long i = 0; i < part; i++)
      a[i] += 1;
  free(a);
}

// KERNEL loop_again: exact
//   a task stream(8) element 8 reads max(1, value+6.1#1 - value+6.1 + 1)*taken+8 writes max(1, value+6.1#1 - value+6.1 + 1)*taken+8 conditional 2*max(1, value+6.1#1 - value+6.1 + 1)*taken+8 exact why assumes-positive-step
KERNEL loop_again(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long round = 0; round < m; round++)
#pragma omp taskloop num_tasks(4)
    for (long i = 0; i < n; i++)
      a[i] += 1;
  free(a);
}

// KERNEL loop_of_each: exact
//   a task stream(8) element 8 reads max(1, value+4.1#1 - value+4.1 + 1)*taken+6 writes 0 conditional max(1, value+4.1#1 - value+4.1 + 1)*taken+6 exact why assumes-positive-step
KERNEL loop_of_each(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp taskloop num_tasks(4)
  for (long i = 0; i < n; i++)
    __atomic_load_n((long *)a + i, __ATOMIC_RELAXED);
  free(a);
}

// KERNEL loop_called: exact
//   a task stream(8) element 8 reads max(1, value+2.1#1 - value+2.1 + 1)*taken+2 writes max(1, value+2.1#1 - value+2.1 + 1)*taken+2 conditional 2*max(1, value+2.1#1 - value+2.1 + 1)*taken+2 exact why assumes-positive-step
__attribute__((noinline)) static void loop_called_cells(double *a, long n) {
#pragma omp taskloop num_tasks(4)
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL loop_called(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  {
    loop_called_cells(a, n);
    loop_called_cells(a, n);
  }
  free(a);
}

// KERNEL loop_of_none: exact
//   a task stream(8) element 8 reads share(n - min(1, max(0, m - n))*n) writes share(n - min(1, max(0, m - n))*n) exact
KERNEL loop_of_none(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(4)
  for (unsigned i = 0; i < (unsigned)(m > n ? 0 : n); i++)
    a[i] += 1;
  a[0] += 1;
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  fib_tasks(n);
  untied_tasks(n, m);
  waiting_tasks(n, m);
  untied_waiting(n, m);
  mergesort_tasks(n, m);
  group_tasks(n, m);
  if_tasks(n, m);
  final_tasks(n);
  loop_grain(n, m);
  loop_plain(n, m);
  loop_collapse(n, m);
  loop_inlined(n, m);
  loop_step(n, m);
  loop_rows(n);
  loop_reduce(n, m, &out);
  loop_simd(n, m);
  loop_varies(n);
  loop_again(n, m);
  loop_of_each(n, m);
  loop_called(n, m);
  loop_of_none(n, m);
  return out < 0;
}
