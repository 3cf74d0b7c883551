// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of a few kinds of phases, by name:
//   steady    the same iterations all along
//   grows     an array that is as large as the iteration's number
//   adapts    each iteration has more work than the one before
//   nested    inner iterations in outer ones, each of which begins otherwise
//   once      no phase comes twice
//   barriers  iterations inside of one parallel region
//   changes   after 40 iterations, others with another array
//   turns     after 40 iterations, another region with another array
//   ends      exit() in iteration 20
//   endless   a region that nothing but a signal ends
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 1 << 16 };
static long round_now;

static double sweep(double *a, const double *b, long n, double f) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n; i++) {
    a[i] = a[i] * 0.5 + b[n - 1 - i] * f;
    sum += a[i];
  }
  return sum;
}

static double relax(double *a, long n, double f) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 1; i < n; i++)
    sum += a[i] * f;
  return sum;
}

static void begin(double *a, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    a[i] = (double)(i % 17);
}

static double inside(double *a, const double *b, long rounds) {
  double all = 0;
#pragma omp parallel
  for (long r = 0; r < rounds; r++) {
#pragma omp for schedule(static)
    for (long i = 0; i < N; i++)
      a[i] = a[i] * 0.5 + b[N - 1 - i] * 0.25;
#pragma omp for schedule(static)
    for (long i = 0; i < N; i++)
      a[i] += b[i];
#pragma omp master
    round_now = r + 1;
  }
  for (long i = 0; i < N; i++)
    all += a[i];
  return all;
}

static void forever(const double *a) {
#pragma omp parallel
  {
    volatile double sum = 0;
    for (long i = 0;; i = (i + 8) % N)
      sum += a[i];
  }
}

static void told(int signal) {
  (void)signal;
  printf("interrupted\n");
  fflush(stdout);
  _exit(130);
}

static void hears(int signal) { (void)signal; }

int main(int argc, char **argv) {
  const char *kind = argc > 1 ? argv[1] : "steady";
  const long rounds = argc > 2 ? atol(argv[2]) : 60;
  if (argc > 3)
    signal(SIGINT, strcmp(argv[3], "deaf") ? told : hears);
  double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), all = 0;
  begin(a, N);
  begin(b, N);
  printf("begins\n");
  fflush(stdout);
  if (!strcmp(kind, "endless"))
    forever(a);
  if (!strcmp(kind, "barriers"))
    all = inside(a, b, rounds);
  for (long r = 0; r < rounds && strcmp(kind, "barriers"); r++) {
    round_now = r + 1;
    if (!strcmp(kind, "once")) {
      all += r ? 0 : sweep(a, b, N, 0.5) + relax(b, N, 0.5);
    } else if (!strcmp(kind, "grows")) {
      double *c = malloc((size_t)(r + 1) * 8192 * sizeof *c);
      begin(c, (r + 1) * 8192);
      all += sweep(a, b, N, 0.5) + relax(c, (r + 1) * 8192, 0.5);
      free(c);
    } else if (!strcmp(kind, "adapts")) {
      all += sweep(a, b, N * (r + 10) / (rounds + 10), 0.5);
    } else if (!strcmp(kind, "nested")) {
      if (r % 8 == 0)
        begin(a, N);
      all += sweep(a, b, N, 0.5);
      all += relax(b, N, 0.5);
    } else if (!strcmp(kind, "turns") && r >= 40) {
      static double *other;
      if (!other)
        other = calloc(N, sizeof *other);
      all += inside(other, b, 2);
    } else if (!strcmp(kind, "changes") && r >= 40) {
      static double *late;
      if (!late) {
        late = malloc(4 * N * sizeof *late);
        begin(late, 4 * N);
      }
      all += relax(late, 4 * N, 0.5);
    } else {
      if (!strcmp(kind, "ends") && r == 20)
        exit(0);
      all += sweep(a, b, N, 0.5);
      all += relax(b, N, 0.5);
    }
  }
  printf("%ld rounds: %.6f\n", round_now, all);
  free(a);
  free(b);
}
