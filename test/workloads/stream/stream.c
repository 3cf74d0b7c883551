/*===- stream.c - sustained bandwidth of four vector loops ----------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The four loops of STREAM (McCalpin 1995): copy, scale, add, triad, TIMES
 * times over. Every element of an array goes through the same numbers, so that
 * `--verify` knows the end without the arrays. With -DSTREAM_STATIC
 * the arrays are static and hold STREAM_STATIC_MAX elements, of which N are
 * used; otherwise they come from the heap.
 *
 *   stream N TIMES [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "stream"
#include "../common/support.h"
#include <math.h>

#ifdef STREAM_STATIC
#ifndef STREAM_STATIC_MAX
#define STREAM_STATIC_MAX 16000000
#endif
static double a[STREAM_STATIC_MAX], b[STREAM_STATIC_MAX], c[STREAM_STATIC_MAX];
#endif

/* Largest relative difference of x's elements from what they should be. */
static double worst(const double *x, int64_t n, double expected) {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int64_t i = 0; i < n; i++)
    most = fmax(most, fabs(x[i] - expected) / fabs(expected));
  return most;
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage = "N TIMES [--out FILE] [--verify]";
  int64_t n = number(argc == 3 ? argv[1] : "", 1, INT64_C(1) << 36, usage);
  int64_t times = number(argv[2], 1, INT64_C(1) << 36, usage);
#ifdef STREAM_STATIC
  if (n > STREAM_STATIC_MAX)
    die("more elements than the static arrays have", argv[1]);
#else
  size_t bytes = (size_t)n * sizeof(double);
  double *a = need(malloc(bytes)), *b = need(malloc(bytes));
  double *c = need(malloc(bytes));
#endif
  const double scalar = 3.0 / 7;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = 2;
    c[i] = 0;
  }
  double in_a = 1, in_b = 2, in_c = 0;
  for (int64_t t = 0; t < times; t++) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
      c[i] = a[i];
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
      b[i] = scalar * c[i];
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
      c[i] = a[i] + b[i];
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
      a[i] = b[i] + scalar * c[i];
    in_c = in_a;
    in_b = scalar * in_c;
    in_c = in_a + in_b;
    in_a = in_b + scalar * in_c;
  }
  printf("%lld elements, %lld times: a = %.17g\n", (long long)n,
         (long long)times, a[n / 2]);
  int status = 0;
  if (o.verify)
    status = judge(
        "relative difference from the known end",
        fmax(worst(a, n, in_a), fmax(worst(b, n, in_b), worst(c, n, in_c))),
        1e-13);
  if (o.out)
    write_out(o.out, a, (size_t)n * sizeof(double));
#ifndef STREAM_STATIC
  free(c);
  free(b);
  free(a);
#endif
  return status;
}
