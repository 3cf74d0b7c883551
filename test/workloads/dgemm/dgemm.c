/*===- dgemm.c - blocked matrix times matrix with packed panels -----------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C = alpha A B + beta C for row-major doubles, in the layers of Goto and van
 * de Geijn 2008: a panel of B is packed once for all threads, blocks of A are
 * packed by the thread that multiplies them, and a kernel works on tiles of
 * 4 x 8 in registers. Row blocks are dealt out by the plain static schedule.
 * `--verify` compares C x with alpha A (B x) + beta C0 x (Freivalds 1977).
 *
 *   dgemm M N K [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "dgemm"
#include "../common/support.h"
#include <math.h>

enum { TILE_M = 4, TILE_N = 8, BLOCK_M = 64, BLOCK_K = 256 };

static double *matrix(int64_t rows, int64_t columns) {
  return need(malloc((size_t)(rows * columns) * sizeof(double)));
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void fill(double *x, int64_t rows, int64_t columns, int64_t seed) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++)
      x[i * columns + j] =
          (double)((i * 31 + j * 17 + seed) % 1009) / 1009 - 0.5;
}

/* Rows [k0, k0 + depth) of B as strips of TILE_N columns, padded by zeros. */
static void pack_b(const double *b, int64_t n, int64_t k0, int64_t depth,
                   double *panel) {
  int64_t strips = (n + TILE_N - 1) / TILE_N;
#pragma omp parallel for schedule(static)
  for (int64_t s = 0; s < strips; s++)
    for (int64_t k = 0; k < depth; k++)
      for (int64_t j = 0; j < TILE_N; j++) {
        int64_t column = s * TILE_N + j;
        panel[(s * depth + k) * TILE_N + j] =
            column < n ? b[(k0 + k) * n + column] : 0;
      }
}

/* Rows [i0, i0 + height) of A as strips of TILE_M rows, padded by zeros. */
static void pack_a(const double *a, int64_t lda, int64_t i0, int64_t height,
                   int64_t k0, int64_t depth, double *block) {
  for (int64_t s = 0; s * TILE_M < height; s++)
    for (int64_t k = 0; k < depth; k++)
      for (int64_t i = 0; i < TILE_M; i++) {
        int64_t row = s * TILE_M + i;
        block[(s * depth + k) * TILE_M + i] =
            row < height ? a[(i0 + row) * lda + k0 + k] : 0;
      }
}

/* One tile of C from one strip of A and one of B. */
static void tile(int64_t depth, const double *a, const double *b, double alpha,
                 double *c, int64_t ldc, int64_t height, int64_t width) {
  double sum[TILE_M][TILE_N] = {{0}};
  for (int64_t k = 0; k < depth; k++)
    for (int i = 0; i < TILE_M; i++)
      for (int j = 0; j < TILE_N; j++)
        sum[i][j] += a[k * TILE_M + i] * b[k * TILE_N + j];
  for (int64_t i = 0; i < height; i++)
    for (int64_t j = 0; j < width; j++)
      c[i * ldc + j] += alpha * sum[i][j];
}

static void multiply(int64_t m, int64_t n, int64_t kk, double alpha,
                     const double *a, const double *b, double beta, double *c) {
  int64_t strips = (n + TILE_N - 1) / TILE_N;
  double *panel = matrix(strips * TILE_N, BLOCK_K);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < m * n; i++)
    c[i] *= beta;
  for (int64_t k0 = 0; k0 < kk; k0 += BLOCK_K) {
    int64_t depth = least(BLOCK_K, kk - k0);
    pack_b(b, n, k0, depth, panel);
#pragma omp parallel
    {
      double *block = matrix(BLOCK_M, BLOCK_K);
#pragma omp for schedule(static)
      for (int64_t i0 = 0; i0 < m; i0 += BLOCK_M) {
        int64_t height = least(BLOCK_M, m - i0);
        pack_a(a, kk, i0, height, k0, depth, block);
        for (int64_t s = 0; s < strips; s++)
          for (int64_t i = 0; i < height; i += TILE_M)
            tile(depth, block + i * depth, panel + s * depth * TILE_N, alpha,
                 c + (i0 + i) * n + s * TILE_N, n, least(TILE_M, height - i),
                 least(TILE_N, n - s * TILE_N));
      }
      free(block);
    }
  }
  free(panel);
}

/* y = scale * M x + y */
static void apply(const double *matrix, int64_t rows, int64_t columns,
                  double scale, const double *x, double *y) {
  for (int64_t i = 0; i < rows; i++) {
    double sum = 0;
    for (int64_t j = 0; j < columns; j++)
      sum += matrix[i * columns + j] * x[j];
    y[i] += scale * sum;
  }
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage = "M N K [--out FILE] [--verify]";
  int64_t m = number(argc == 4 ? argv[1] : "", 1, 100000, usage);
  int64_t n = number(argv[2], 1, 100000, usage);
  int64_t kk = number(argv[3], 1, 100000, usage);
  const double alpha = 1.25, beta = 0.5;
  double *a = matrix(m, kk), *b = matrix(kk, n), *c = matrix(m, n);
  fill(a, m, kk, 1);
  fill(b, kk, n, 2);
  fill(c, m, n, 3);
  double *x = NULL, *expected = NULL, *bx = NULL;
  if (o.verify) {
    x = matrix(n, 1);
    bx = matrix(kk, 1);
    expected = matrix(m, 1);
    for (int64_t j = 0; j < n; j++)
      x[j] = 1 + (double)(j % 13) / 13;
    memset(bx, 0, (size_t)kk * sizeof(double));
    memset(expected, 0, (size_t)m * sizeof(double));
    apply(b, kk, n, 1, x, bx);
    apply(a, m, kk, alpha, bx, expected);
    apply(c, m, n, beta, x, expected);
  }
  multiply(m, n, kk, alpha, a, b, beta, c);

  double trace = 0;
  for (int64_t i = 0; i < least(m, n); i++)
    trace += c[i * n + i];
  printf("%lld x %lld x %lld: trace %.17g\n", (long long)m, (long long)n,
         (long long)kk, trace);
  int status = 0;
  if (o.verify) {
    double worst = 0, size = 0;
    for (int64_t i = 0; i < m; i++)
      size = fmax(size, fabs(expected[i]));
    apply(c, m, n, -1, x, expected);
    for (int64_t i = 0; i < m; i++)
      worst = fmax(worst, fabs(expected[i]) / size);
    status = judge("C x against alpha A (B x) + beta C0 x", worst, 1e-12);
    free(expected);
    free(bx);
    free(x);
  }
  if (o.out)
    write_out(o.out, c, (size_t)(m * n) * sizeof(double));
  free(c);
  free(b);
  free(a);
  return status;
}
