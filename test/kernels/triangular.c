// Loops whose bounds depend on the rounds of the loops around them.
// INPUTS 37 31 | 61 43
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(n) malloc((n) * sizeof(double))

// KERNEL falling_rows: exact
//   a serial stream(8) element 8 reads floordiv((n - 1)*n, 2) + n writes floordiv((n - 1)*n, 2) + n exact
KERNEL falling_rows_loop(double *a, long n) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = i; j < n; j++)
      a[i * n + j] += 1;
}
KERNEL falling_rows(long n) {
  double *a = NEW(n * n);
  falling_rows_loop(a, n);
  free(a);
}

// KERNEL far_above: exact
//   a serial stream(8) element 8 reads sum(i < n: max(0, n - i - 4)) writes sum(i < n: max(0, n - i - 4)) exact
KERNEL far_above_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = i + 4; j < n; j++)
      a[i * n + j] += 1;
}
KERNEL far_above(long n) {
  double *a = NEW(n * n);
  far_above_loop(a, n);
  free(a);
}

// KERNEL every_other: exact
//   a serial strided(16) element 8 reads sum(i < floordiv(n - 1, 3) + 1: floordiv(3*i - 1, 2) + 1) writes sum(i < floordiv(n - 1, 3) + 1: floordiv(3*i - 1, 2) + 1) exact
KERNEL every_other_loop(double *a, long n) {
  for (long i = 0; i < n; i += 3)
    for (long j = 0; j < i; j += 2)
      a[j] += i;
}
KERNEL every_other(long n) {
  double *a = NEW(n);
  every_other_loop(a, n);
  free(a);
}

// KERNEL trapezoid: exact
//   a serial stream(8) element 8 reads (n - 1)*n + m*n writes (n - 1)*n + m*n exact
KERNEL trapezoid_loop(double *a, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m + 2 * i; j++)
      a[j] += i;
}
KERNEL trapezoid(long n, long m) {
  double *a = NEW(m + 2 * n);
  trapezoid_loop(a, n, m);
  free(a);
}

// KERNEL band: exact
//   a serial stream(8) element 8 reads sum(i < n: min(i + 6, n) - max(5, i) + 5) writes sum(i < n: min(i + 6, n) - max(5, i) + 5) exact
KERNEL band_loop(double *a, long n, long w) {
  for (long i = 0; i < n; i++) {
    long from = i - w < 0 ? 0 : i - w;
    long to = i + w + 1 > n ? n : i + w + 1;
    for (long j = from; j < to; j++)
      a[i * n + j] += 1;
  }
}
KERNEL band(long n) {
  double *a = NEW(n * n);
  band_loop(a, n, 5);
  free(a);
}

// KERNEL elimination: exact
//   a serial stream(8) element 8 reads sum(i < n: (n - i - 1)*(n - i - 1)) writes sum(i < n: (n - i - 1)*(n - i - 1)) exact
KERNEL elimination_loop(double *a, long n) {
  for (long k = 0; k < n; k++)
    for (long i = k + 1; i < n; i++)
      for (long j = k + 1; j < n; j++)
        a[i * n + j] -= k;
}
KERNEL elimination(long n) {
  double *a = NEW(n * n);
  elimination_loop(a, n);
  free(a);
}

// KERNEL cholesky: exact
//   a serial stream(8) element 8 reads 2*sum(i < n: (n - i)*i) writes 0 exact
//   a serial strided(8*n) element 8 reads floordiv(-(n - 1)*n, 2) + n*n writes floordiv(-(n - 1)*n, 2) + n*n exact
KERNEL cholesky_loop(double *a, long n) {
  for (long j = 0; j < n; j++) {
    for (long i = j; i < n; i++) {
      double s = 0;
      for (long k = 0; k < j; k++)
        s += a[i * n + k] * a[j * n + k];
      a[i * n + j] -= s;
    }
  }
}
KERNEL cholesky(long n) {
  double *a = NEW(n * n);
  cholesky_loop(a, n);
  free(a);
}

// KERNEL pairs: exact
//   x serial stream(8) element 8 reads 2*floordiv((n - 1)*n, 2) writes 0 exact
//   f serial stream(8) element 8 reads 2*floordiv((n - 1)*n, 2) writes 2*floordiv((n - 1)*n, 2) exact
KERNEL pairs_loop(const double *x, double *f, long n) {
  for (long i = 0; i < n; i++)
    for (long j = i + 1; j < n; j++) {
      double d = x[i] - x[j];
      f[i] += d;
      f[j] -= d;
    }
}
KERNEL pairs(long n) {
  double *x = calloc(n, sizeof *x);
  double *f = calloc(n, sizeof *f);
  pairs_loop(x, f, n);
  free(x);
  free(f);
}

// KERNEL remainder_rows: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < n: i - 4*floordiv(i, 4)) exact
KERNEL remainder_rows_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i % 4; j++)
      a[i * 4 + j] = j;
}
KERNEL remainder_rows(long n) {
  double *a = NEW(4 * n);
  remainder_rows_loop(a, n);
  free(a);
}

// KERNEL cleared_rows: exact
//   a serial stream(64) element 64 reads 0 writes sum(i < n: max(0, min(8*n - 8*i, ceildiv(8*i*n + 8*n - 8*i, 64) - floordiv(8*i*n, 64)))) blocks strided(8*n) exact
KERNEL cleared_rows_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    memset(a + i * n, 0, (n - i) * sizeof *a);
}
KERNEL cleared_rows(long n) {
  double *a = NEW(n * n);
  cleared_rows_loop(a, n);
  free(a);
}

// KERNEL tiles_of_three: exact
//   a serial strided(8*n) element 8 reads 0 writes n*sum(i < floordiv(m - 1, 16) + 1: max(1, min(16, m - 16*i))) exact
//   b serial stream(8) element 8 reads n*sum(i < floordiv(m - 1, 16) + 1: max(1, min(16, m - 16*i))) writes 0 exact
KERNEL tiles_of_three_loop(double *a, const double *b, long n, long m) {
  for (long jj = 0; jj < m; jj += 16)
    for (long i = 0; i < n; i++)
      for (long j = jj; j < (jj + 16 < m ? jj + 16 : m); j++)
        a[j * n + i] = b[i * m + j];
}
KERNEL tiles_of_three(long n, long m) {
  double *a = NEW(n * m);
  double *b = NEW(n * m);
  tiles_of_three_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL symbolic_tiles: exact
//   a serial stream(8) element 8 reads sum(i < floordiv(n - 1, b) + 1: max(0, min(b, n - b*i))) writes sum(i < floordiv(n - 1, b) + 1: max(0, min(b, n - b*i))) exact
KERNEL symbolic_tiles_loop(double *a, long n, long b) {
  for (long ii = 0; ii < n; ii += b)
    for (long i = ii; i < ii + b && i < n; i++)
      a[i] += 1;
}
KERNEL symbolic_tiles(long n, long m) {
  double *a = NEW(n * m);
  symbolic_tiles_loop(a, n * m, m);
  free(a);
}

// KERNEL simplex4: exact
//   a serial stream(8) element 8 reads sum(i < n: sum(j < n - i: (n - i - j)*(n - i - j) + floordiv(-(n - i - j - 1)*(n - i - j), 2))) writes sum(i < n: sum(j < n - i: (n - i - j)*(n - i - j) + floordiv(-(n - i - j - 1)*(n - i - j), 2))) exact
KERNEL simplex4_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = i; j < n; j++)
      for (long k = j; k < n; k++)
        for (long l = k; l < n; l++)
          a[l] += i;
}
KERNEL simplex4(long n) {
  double *a = NEW(n);
  simplex4_loop(a, n);
  free(a);
}

// KERNEL team_triangle: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n: n - i - 1) exact
KERNEL team_triangle(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    for (long j = i + 1; j < n; j++)
      a[i * n + j] = i + j;
  free(a);
}

// KERNEL team_falling: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < floordiv(n - 1, 2): max(0, n - 2*i - 5)) exact
KERNEL team_falling(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for
  for (long i = n; i > 2; i -= 2)
    for (long j = 0; j < i - 5; j++)
      a[i * n - n + j] = i + j;
  free(a);
}

// KERNEL team_chunked: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n, 3: i) exact
KERNEL team_chunked(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static, 3)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      a[i * n + j] = i + j;
  free(a);
}

// KERNEL team_cyclic: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n, 1: i + w - max(i, w) + 1) exact
KERNEL team_cyclic(long n, long w) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static, 1)
  for (long i = 0; i < n; i++)
    for (long j = i > w ? i - w : 0; j <= i; j++)
      a[i * n + j] = i + j;
  free(a);
}

// KERNEL team_dynamic: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(floordiv((n - 1)*n, 2) + n) bound why dynamic-schedule
KERNEL team_dynamic(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(dynamic, 2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      a[i * n + j] = i + j;
  free(a);
}

// KERNEL team_inner: exact
//   a parallel strided(8*n) element 8 reads 0 writes sum(i < n: share(n - i - 1)) exact
KERNEL team_inner(long n) {
  double *a = NEW(n * n);
#pragma omp parallel
  for (long k = 0; k < n; k++) {
#pragma omp for
    for (long i = k + 1; i < n; i++)
      a[i * n + k] = i;
  }
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  falling_rows(n);
  far_above(n);
  every_other(n);
  trapezoid(n, m);
  band(n);
  elimination(n);
  cholesky(n);
  pairs(n);
  remainder_rows(n);
  cleared_rows(n);
  tiles_of_three(n, m);
  symbolic_tiles(n, m);
  simplex4(n);
  team_triangle(n);
  team_falling(n);
  team_chunked(n);
  team_cyclic(n, 7);
  team_dynamic(n);
  team_inner(n);
  return 0;
}
