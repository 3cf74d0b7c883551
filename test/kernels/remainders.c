// Conditions and bounds that ask for the remainder of an iteration.
// INPUTS 37 31 | 61 43
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(n) malloc((n) * sizeof(double))

// KERNEL every_third: exact
//   a serial stream(8) element 8 reads floordiv(n - 1, 3) + 1 writes floordiv(n - 1, 3) + 1 conditional 2*floordiv(n - 1, 3) + 2 exact
KERNEL every_third_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    if (i % 3 == 0)
      a[i] += 1;
}
KERNEL every_third(long n) {
  double *a = NEW(n);
  every_third_loop(a, n);
  free(a);
}

// KERNEL all_but_third: exact
//   a serial stream(8) element 8 reads 0 writes n - floordiv(n - 1, 3) - 1 conditional n - floordiv(n - 1, 3) - 1 exact
KERNEL all_but_third_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    if (i % 3)
      a[i] = 1;
}
KERNEL all_but_third(long n) {
  double *a = NEW(n);
  all_but_third_loop(a, n);
  free(a);
}

// KERNEL every_mth: exact
//   a serial stream(8) element 8 reads 0 writes floordiv(n - 1, 7) + 1 conditional floordiv(n - 1, 7) + 1 exact
KERNEL every_mth_loop(double *a, long n, long m) {
  for (long i = 0; i < n; i++)
    if (i % m == 0)
      a[i] = 1;
}
KERNEL every_mth(long n) {
  double *a = NEW(n);
  every_mth_loop(a, n, 7);
  free(a);
}

// KERNEL both_signs: exact
//   a serial stream(8) element 8 reads 0 writes taken+2 conditional taken+2 exact
KERNEL both_signs_loop(double *a, int n) {
  for (int i = -n; i < n; i++)
    if (i % 4 == 1)
      a[n + i] = 1;
    else if (i % 4 == -3)
      a[n + i] = 2;
}
KERNEL both_signs(long n) {
  double *a = NEW(2 * n + 1);
  both_signs_loop(a, n);
  free(a);
}

// KERNEL masked: exact
//   a serial stream(8) element 8 reads 0 writes floordiv(n - 6, 8) + 1 conditional floordiv(n - 6, 8) + 1 exact
KERNEL masked_loop(double *a, int n) {
  for (int i = 0; i < n; i++)
    if ((i & 7) == 5)
      a[i] = 1;
}
KERNEL masked(long n) {
  double *a = NEW(n);
  masked_loop(a, n);
  free(a);
}

// KERNEL checkerboard: exact
//   a serial stream(8) element 8 reads sum(i < max(0, n - 2): floordiv(i + max(-1, n - 3), 2) - floordiv(i - 1, 2)) writes sum(i < max(0, n - 2): floordiv(i + max(-1, n - 3), 2) - floordiv(i - 1, 2)) conditional 2*sum(i < max(0, n - 2): floordiv(i + max(-1, n - 3), 2) - floordiv(i - 1, 2)) exact
KERNEL checkerboard_loop(double *a, long n) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      if ((i + j) % 2 == 0)
        a[i * n + j] += 1;
}
KERNEL checkerboard(long n) {
  double *a = NEW(n * n);
  checkerboard_loop(a, n);
  free(a);
}

// KERNEL rows_of_fourth: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < n: (floordiv(i - 3, 4) - floordiv(i, 4) + 1)*max(1, i)) conditional sum(i < n: (floordiv(i - 3, 4) - floordiv(i, 4) + 1)*max(1, i)) exact
KERNEL rows_of_fourth_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    if (i % 4 == 3)
      for (long j = 0; j < i; j++)
        a[i * n + j] = 1;
}
KERNEL rows_of_fourth(long n) {
  double *a = NEW(n * n);
  rows_of_fourth_loop(a, n);
  free(a);
}

// KERNEL team_third: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n: floordiv(i, 3) - floordiv(i - 1, 3)) conditional share(i < n: floordiv(i, 3) - floordiv(i - 1, 3)) exact
KERNEL team_third(long n) {
  double *a = NEW(n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    if (i % 3 == 0)
      a[i] = 1;
  free(a);
}

// KERNEL team_mth: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n, 2: floordiv(i, max(-m, 1, m)) - floordiv(i - 1, max(-m, 1, m))) conditional share(i < n, 2: floordiv(i, max(-m, 1, m)) - floordiv(i - 1, max(-m, 1, m))) exact
KERNEL team_mth(long n, long m) {
  double *a = NEW(n);
#pragma omp parallel for schedule(static, 2)
  for (long i = 0; i < n; i++)
    if (i % m == 0)
      a[i] = 1;
  free(a);
}

// KERNEL team_red: exact
//   a parallel strided(16) element 8 reads 0 writes share(i < n - 2: floordiv(i + 1, 2) + floordiv(n - i, 2) - 1) exact
KERNEL team_red(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    for (long j = 1 + i % 2; j < n - 1; j += 2)
      a[i * n + j] = 1;
  free(a);
}

// KERNEL team_chunks: exact
//   a parallel strided(24) element 8 reads 0 writes share(i < n, 3: floordiv(i, 3) + floordiv(n - i - 1, 3) + 1) exact
KERNEL team_chunks(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static, 3)
  for (long i = 0; i < n; i++)
    for (long j = i % 3; j < n; j += 3)
      a[i * n + j] = 1;
  free(a);
}

// KERNEL team_checkerboard: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(sum(i < n: floordiv(i - 1, 2) + n - floordiv(i + n - 1, 2))) conditional evenly(sum(i < n: floordiv(i - 1, 2) + n - floordiv(i + n - 1, 2))) bound why dynamic-schedule
KERNEL team_checkerboard(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(dynamic)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if ((i + j) % 2)
        a[i * n + j] = 1;
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  every_third(n);
  all_but_third(n);
  every_mth(n);
  both_signs(m);
  masked(n);
  checkerboard(n);
  rows_of_fourth(n);
  team_third(n);
  team_mth(n, m);
  team_red(n);
  team_chunks(n);
  team_checkerboard(n);
  return 0;
}
