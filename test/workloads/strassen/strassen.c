/*===- strassen.c - Strassen's product, recursion by tasks ----------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Strassen 1969 on row-major doubles. Each of the seven products of a level is
 * one OpenMP task that forms its two sums and recurses; the level above waits
 * for its seven and adds them up. From LEAF columns down the plain method takes
 * over, in blocks. Matrices are padded by zeros to a size that halves evenly.
 * `--verify` compares with the plain product, element by element.
 *
 *   strassen N LEAF [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "strassen"
#include "../common/support.h"
#include <math.h>

enum { BLOCK = 48 };

static double *square(int64_t n) {
  return need(malloc((size_t)(n * n) * sizeof(double)));
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* c = a b, in blocks of columns and depth that stay in the caches. */
static void plain(int64_t n, const double *a, int64_t lda, const double *b,
                  int64_t ldb, double *c, int64_t ldc) {
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      c[i * ldc + j] = 0;
  for (int64_t k0 = 0; k0 < n; k0 += BLOCK)
    for (int64_t j0 = 0; j0 < n; j0 += BLOCK) {
      int64_t k1 = least(k0 + BLOCK, n), j1 = least(j0 + BLOCK, n);
      for (int64_t i = 0; i < n; i++)
        for (int64_t k = k0; k < k1; k++) {
          double x = a[i * lda + k];
          for (int64_t j = j0; j < j1; j++)
            c[i * ldc + j] += x * b[k * ldb + j];
        }
    }
}

/* to = x + sign * y */
static void combine(int64_t n, const double *x, const double *y, int64_t ld,
                    double sign, double *to) {
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      to[i * n + j] = x[i * ld + j] + sign * y[i * ld + j];
}

static void strassen(int64_t n, int64_t leaf, const double *a, int64_t lda,
                     const double *b, int64_t ldb, double *c, int64_t ldc);

/* One of the seven: product = (a1 + as * a2) (b1 + bs * b2), where as = 0 or
 * bs = 0 stand for no second matrix. */
static void term(int64_t n, int64_t leaf, const double *a1, const double *a2,
                 int64_t lda, double as, const double *b1, const double *b2,
                 int64_t ldb, double bs, double *product) {
  double *left = NULL, *right = NULL;
  if (as != 0) {
    left = square(n);
    combine(n, a1, a2, lda, as, left);
  }
  if (bs != 0) {
    right = square(n);
    combine(n, b1, b2, ldb, bs, right);
  }
  strassen(n, leaf, left ? left : a1, left ? n : lda, right ? right : b1,
           right ? n : ldb, product, n);
  free(right);
  free(left);
}

static void strassen(int64_t n, int64_t leaf, const double *a, int64_t lda,
                     const double *b, int64_t ldb, double *c, int64_t ldc) {
  if (n <= leaf || n % 2) {
    plain(n, a, lda, b, ldb, c, ldc);
    return;
  }
  int64_t h = n / 2, area = h * h;
  const double *a11 = a, *a12 = a + h, *a21 = a + h * lda, *a22 = a21 + h;
  const double *b11 = b, *b12 = b + h, *b21 = b + h * ldb, *b22 = b21 + h;
  double *m = need(malloc((size_t)(7 * area) * sizeof(double)));
#pragma omp task
  term(h, leaf, a11, a22, lda, 1, b11, b22, ldb, 1, m);
#pragma omp task
  term(h, leaf, a21, a22, lda, 1, b11, b11, ldb, 0, m + area);
#pragma omp task
  term(h, leaf, a11, a11, lda, 0, b12, b22, ldb, -1, m + 2 * area);
#pragma omp task
  term(h, leaf, a22, a22, lda, 0, b21, b11, ldb, -1, m + 3 * area);
#pragma omp task
  term(h, leaf, a11, a12, lda, 1, b22, b22, ldb, 0, m + 4 * area);
#pragma omp task
  term(h, leaf, a21, a11, lda, -1, b11, b12, ldb, 1, m + 5 * area);
#pragma omp task
  term(h, leaf, a12, a22, lda, -1, b21, b22, ldb, 1, m + 6 * area);
#pragma omp taskwait
  double *c11 = c, *c12 = c + h, *c21 = c + h * ldc, *c22 = c21 + h;
  for (int64_t i = 0; i < h; i++)
    for (int64_t j = 0; j < h; j++) {
      const double *p = m + i * h + j;
      int64_t at = i * ldc + j;
      c11[at] = p[0] + p[3 * area] - p[4 * area] + p[6 * area];
      c12[at] = p[2 * area] + p[4 * area];
      c21[at] = p[area] + p[3 * area];
      c22[at] = p[0] - p[area] + p[2 * area] + p[5 * area];
    }
  free(m);
}

static void fill(double *x, int64_t n, int64_t padded, int64_t seed) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < padded; i++)
    for (int64_t j = 0; j < padded; j++)
      x[i * padded + j] =
          i < n && j < n
              ? (double)((i * 31 + j * 17 + seed) % 1009) / 1009 - 0.5
              : 0;
}

/* Largest difference from the plain product. */
static double difference(int64_t n, int64_t ld, const double *a,
                         const double *b, const double *c) {
  double *expected = square(ld), worst = 0;
  plain(ld, a, ld, b, ld, expected, ld);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      worst = fmax(worst, fabs(expected[i * ld + j] - c[i * ld + j]));
  free(expected);
  return worst;
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage = "N LEAF [--out FILE] [--verify]";
  int64_t n = number(argc == 3 ? argv[1] : "", 1, 100000, usage);
  int64_t leaf = number(argv[2], 8, 100000, usage);
  int64_t parts = 1;
  while ((n + parts - 1) / parts > leaf)
    parts *= 2;
  int64_t ld = (n + parts - 1) / parts * parts;
  double *a = square(ld), *b = square(ld), *c = square(ld);
  fill(a, n, ld, 1);
  fill(b, n, ld, 2);
#pragma omp parallel
#pragma omp single
  strassen(ld, leaf, a, ld, b, ld, c, ld);

  double trace = 0;
  for (int64_t i = 0; i < n; i++)
    trace += c[i * ld + i];
  printf("%lld x %lld in %lld parts: trace %.17g\n", (long long)n, (long long)n,
         (long long)parts, trace);
  int status = 0;
  if (o.verify)
    status = judge("largest difference from the plain product",
                   difference(n, ld, a, b, c), 1e-11);
  if (o.out)
    write_out(o.out, c, (size_t)(ld * ld) * sizeof(double));
  free(c);
  free(b);
  free(a);
  return status;
}
