// Dense arrays: flat, several dimensions, orders of loops, stencils.
// INPUTS 37 31 | 61 43
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(n) malloc((n) * sizeof(double))

// KERNEL sum1d: exact
//   a serial stream(8) element 8 reads n writes 0 exact
//   a serial invariant element 8 reads 0 writes 1 exact
KERNEL sum1d_loop(double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  a[0] = s;
}
KERNEL sum1d(long n) {
  double *a = NEW(n);
  sum1d_loop(a, n);
  free(a);
}

// KERNEL flat2d: exact
//   a serial stream(8) element 8 reads m*n writes m*n exact
//   b serial stream(8) element 8 reads m*n writes 0 exact
KERNEL flat2d_loop(double *a, const double *b, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += b[i * m + j];
}
KERNEL flat2d(long n, long m) {
  double *a = NEW(n * m);
  double *b = NEW(n * m);
  flat2d_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL column_major: exact
//   a serial strided(8*m) element 8 reads m*n writes m*n exact
KERNEL column_major_loop(double *a, long n, long m) {
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      a[i * m + j] *= 2;
}
KERNEL column_major(long n, long m) {
  double *a = NEW(n * m);
  column_major_loop(a, n, m);
  free(a);
}

// KERNEL vla2d: exact
//   a serial stream(8) element 8 reads m*n writes m*n exact
KERNEL vla2d_loop(long n, long m, double (*a)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i][j] += 1;
}
KERNEL vla2d(long n, long m) {
  double *a = NEW(n * m);
  vla2d_loop(n, m, (double (*)[m])a);
  free(a);
}

// KERNEL vla3d: exact
//   a serial stream(8) element 8 reads m*n*n writes m*n*n exact
KERNEL vla3d_loop(long n, long m, double (*a)[n][m]) {
  for (long k = 0; k < n; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        a[k][i][j] += 1;
}
KERNEL vla3d(long n, long m) {
  double *a = NEW(n * n * m);
  vla3d_loop(n, m, (double (*)[n][m])a);
  free(a);
}

// KERNEL fixed2d: exact
//   a serial stream(8) element 8 reads 16*n writes 16*n exact
KERNEL fixed2d_loop(double (*a)[16], long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 16; j++)
      a[i][j] = a[i][j] * 3 + 1;
}
KERNEL fixed2d(long n) {
  double *a = NEW(n * 16);
  fixed2d_loop((double (*)[16])a, n);
  free(a);
}

// KERNEL reversed: exact
//   a serial stream(-8) element 8 reads n writes n exact
KERNEL reversed_loop(double *a, long n) {
  for (long i = n - 1; i >= 0; i--)
    a[i] *= 3;
}
KERNEL reversed(long n) {
  double *a = NEW(n);
  reversed_loop(a, n);
  free(a);
}

// KERNEL step_three: exact
//   a serial strided(24) element 8 reads floordiv(n - 1, 3) + 1 writes floordiv(n - 1, 3) + 1 exact
KERNEL step_three_loop(double *a, long n) {
  for (long i = 0; i < n; i += 3)
    a[i] += 1;
}
KERNEL step_three(long n) {
  double *a = NEW(n);
  step_three_loop(a, n);
  free(a);
}

// KERNEL symbolic_step: exact
//   a serial strided(8*k) element 8 reads floordiv(n - 1, k) + 1 writes floordiv(n - 1, k) + 1 exact
KERNEL symbolic_step_loop(double *a, long n, long k) {
  for (long i = 0; i < n; i += k)
    a[i] += 1;
}
KERNEL symbolic_step(long n, long m) {
  double *a = NEW(n * m);
  symbolic_step_loop(a, n * m, m);
  free(a);
}

// KERNEL unsigned_index: exact
//   a serial stream(4) element 4 reads n writes n exact
KERNEL unsigned_index_loop(float *a, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL unsigned_index(long n) {
  float *a = malloc(n * sizeof(float));
  unsigned_index_loop(a, n);
  free(a);
}

// KERNEL lower_triangle: exact
//   a serial stream(8) element 8 reads floordiv((n - 1)*n, 2) + n writes floordiv((n - 1)*n, 2) + n exact
KERNEL lower_triangle_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      a[i * n + j] += 1;
}
KERNEL lower_triangle(long n) {
  double *a = NEW(n * n);
  lower_triangle_loop(a, n);
  free(a);
}

// KERNEL upper_triangle: exact
//   a serial stream(8) element 8 reads floordiv((n - 1)*n, 2) writes floordiv((n - 1)*n, 2) exact
KERNEL upper_triangle_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = i + 1; j < n; j++)
      a[i * n + j] += 1;
}
KERNEL upper_triangle(long n) {
  double *a = NEW(n * n);
  upper_triangle_loop(a, n);
  free(a);
}

// KERNEL tetrahedron: exact
//   a serial stream(8) element 8 reads sum(i < n: floordiv((i - 1)*i, 2)) writes sum(i < n: floordiv((i - 1)*i, 2)) exact
KERNEL tetrahedron_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      for (long k = 0; k < j; k++)
        a[k] += i + j;
}
KERNEL tetrahedron(long n) {
  double *a = NEW(n);
  tetrahedron_loop(a, n);
  free(a);
}

// KERNEL banded: exact
//   a serial stream(8) element 8 reads sum(i < n: min(3, i) + 1) writes sum(i < n: min(3, i) + 1) exact
KERNEL banded_loop(double *a, long n, long w) {
  for (long i = 0; i < n; i++)
    for (long j = i > w ? i - w : 0; j <= i; j++)
      a[j] += 1;
}
KERNEL banded(long n) {
  double *a = NEW(n);
  banded_loop(a, n, 3);
  free(a);
}

// KERNEL tiled: exact
//   a serial stream(8) element 8 reads sum(i < floordiv(m - 1, 8) + 1: max(0, min(8, m - 8*i)))*sum(i < floordiv(n - 1, 8) + 1: max(0, min(8, n - 8*i))) writes sum(i < floordiv(m - 1, 8) + 1: max(0, min(8, m - 8*i)))*sum(i < floordiv(n - 1, 8) + 1: max(0, min(8, n - 8*i))) exact
KERNEL tiled_loop(double *a, long n, long m) {
  for (long ii = 0; ii < n; ii += 8)
    for (long jj = 0; jj < m; jj += 8)
      for (long i = ii; i < n && i < ii + 8; i++)
        for (long j = jj; j < m && j < jj + 8; j++)
          a[i * m + j] += 1;
}
KERNEL tiled(long n, long m) {
  double *a = NEW(n * m);
  tiled_loop(a, n, m);
  free(a);
}

// KERNEL stencil1d: exact
//   b serial stream(8) element 8 reads 0 writes max(0, n - 2) exact
//   a serial stencil(8) points 3 element 8 reads 3*max(0, n - 2) writes 0 dimensions 1 exact
KERNEL stencil1d_loop(const double *a, double *b, long n) {
  for (long i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i] + a[i + 1];
}
KERNEL stencil1d(long n) {
  double *a = NEW(n);
  double *b = NEW(n);
  stencil1d_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL stencil2d: exact
//   b serial stream(8) element 8 reads 0 writes max(0, m - 2)*max(0, n - 2) exact
//   a serial stencil(8) points 5 element 8 reads 5*max(0, m - 2)*max(0, n - 2) writes 0 dimensions 2 exact
KERNEL stencil2d_loop(const double *a, double *b, long n, long m) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j] +
                     a[i * m + j - 1] + a[i * m + j + 1];
}
KERNEL stencil2d(long n, long m) {
  double *a = NEW(n * m);
  double *b = NEW(n * m);
  stencil2d_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL stencil_slanted: exact
//   b serial stream(8) element 8 reads 0 writes max(0, m - 1)*max(0, n - 2) exact
//   a serial stencil(8) points 3 element 8 reads 3*max(0, m - 1)*max(0, n - 2) writes 0 dimensions 2 exact
KERNEL stencil_slanted_loop(const double *a, double *b, long n, long m) {
  for (long i = 2; i < n; i++)
    for (long j = 1; j < m; j++)
      b[i * m + j] = a[i * m + j] + a[(i - 1) * m + j] + a[(i - 2) * m + j - 1];
}
KERNEL stencil_slanted(long n, long m) {
  double *a = NEW(n * m);
  double *b = NEW(n * m);
  stencil_slanted_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL stencil3d: exact
//   b serial stream(8) element 8 reads 0 writes max(0, m - 2)*max(0, n - 2)*max(0, n - 2) exact
//   a serial stencil(8) points 6 element 8 reads 6*max(0, m - 2)*max(0, n - 2)*max(0, n - 2) writes 0 dimensions 3 exact
KERNEL stencil3d_loop(long n, long m, double (*a)[n][m], double (*b)[n][m]) {
  for (long k = 1; k < n - 1; k++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        b[k][i][j] = a[k - 1][i][j] + a[k + 1][i][j] + a[k][i - 1][j] +
                     a[k][i + 1][j] + a[k][i][j - 1] + a[k][i][j + 1];
}
KERNEL stencil3d(long n, long m) {
  double *a = NEW(n * n * m);
  double *b = NEW(n * n * m);
  stencil3d_loop(n, m, (double (*)[n][m])a, (double (*)[n][m])b);
  free(a);
  free(b);
}

// KERNEL matmul: exact
//   a serial stream(8) element 8 reads n*n*n writes 0 reuse n exact
//   b serial strided(8*n) element 8 reads n*n*n writes 0 reuse n exact
//   c serial stream(8) element 8 reads 0 writes n*n exact
KERNEL matmul_loop(const double *a, const double *b, double *c, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double s = 0;
      for (long k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
KERNEL matmul(long n) {
  double *a = NEW(n * n);
  double *b = NEW(n * n);
  double *c = NEW(n * n);
  matmul_loop(a, b, c, n);
  free(a);
  free(b);
  free(c);
}

// KERNEL transpose: exact
//   b serial strided(8*n) element 8 reads 0 writes m*n exact
//   a serial stream(8) element 8 reads m*n writes 0 exact
KERNEL transpose_loop(const double *a, double *b, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      b[j * n + i] = a[i * m + j];
}
KERNEL transpose(long n, long m) {
  double *a = NEW(n * m);
  double *b = NEW(n * m);
  transpose_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL zero_and_copy: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   b serial stream(8) element 8 reads 0 writes n exact
//   a serial stream(8) element 8 reads n writes 0 exact
KERNEL zero_and_copy_loop(double *a, double *b, long n) {
  memset(a, 0, n * sizeof *a);
  for (long i = 0; i < n; i++)
    b[i] = a[i];
}
KERNEL zero_and_copy(long n, long m) {
  double *a = NEW(n * m);
  double *b = NEW(n * m);
  zero_and_copy_loop(a, b, n * m);
  free(a);
  free(b);
}

// KERNEL row_pointers: exact
//   rows[i] serial stream(8) element 8 reads 0 writes m*n exact
//   rows serial stream(8) element 8 reads min(1, max(0, m))*row_pointers_loop:n + row_pointers:n writes row_pointers:n exact
KERNEL row_pointers_loop(double **a, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i][j] = 1 + i;
}
KERNEL row_pointers(long n, long m) {
  double **rows = malloc(n * sizeof *rows);
  for (long i = 0; i < n; i++)
    rows[i] = NEW(m);
  row_pointers_loop(rows, n, m);
  for (long i = 0; i < n; i++)
    free(rows[i]);
  free(rows);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  sum1d(n);
  flat2d(n, m);
  column_major(n, m);
  vla2d(n, m);
  vla3d(n, m);
  fixed2d(n);
  reversed(n);
  step_three(n);
  symbolic_step(n, m);
  unsigned_index(n);
  lower_triangle(n);
  upper_triangle(n);
  tetrahedron(n);
  banded(n);
  tiled(n, m);
  stencil1d(n);
  stencil2d(n, m);
  stencil_slanted(n, m);
  stencil3d(n, m);
  matmul(n);
  transpose(n, m);
  zero_and_copy(n, m);
  row_pointers(n, m);
  return 0;
}
