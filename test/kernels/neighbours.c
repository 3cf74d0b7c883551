// Stencils that are no plain list of neighbours in one loop: inner loops over
// distances, tables of them, rows behind pointers, getters.
// INPUTS 61 47 | 83 53
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void

// KERNEL window: exact
//   b serial stream(8) element 8 reads max(0, n - 8) writes 9*max(0, n - 8) exact
//   a serial stencil(8) points 9 element 8 reads 9*max(0, n - 8) writes 0 dimensions 1 exact
KERNEL window_loop(const double *a, double *b, long n) {
  for (long i = 4; i < n - 4; i++)
    for (int k = -4; k <= 4; k++)
      b[i] += a[i + k];
}
KERNEL window(long n) {
  double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  window_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL window2d: exact
//   b serial stream(8) element 8 reads max(0, m - 8)*max(0, n - 8) writes 81*max(0, m - 8)*max(0, n - 8) exact
//   a serial stencil(8) points 81 element 8 reads 81*max(0, m - 8)*max(0, n - 8) writes 0 dimensions 2 exact
KERNEL window2d_loop(const double *a, double *b, long n, long m) {
  for (long i = 4; i < n - 4; i++)
    for (long j = 4; j < m - 4; j++)
      for (int k = -4; k <= 4; k++)
        for (int l = -4; l <= 4; l++)
          b[i * m + j] += a[(i + k) * m + j + l];
}
KERNEL window2d(long n, long m) {
  double *a = calloc(n * m, sizeof *a), *b = calloc(n * m, sizeof *b);
  window2d_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL blocks_no_window: exact
//   b serial stream(8) element 8 reads n writes 12*n exact
//   a serial stream(8) element 8 reads 12*n writes 0 exact
KERNEL blocks_no_window_loop(const double *a, double *b, long n) {
  for (long i = 0; i < n; i++)
    for (int k = 0; k < 12; k++)
      b[i] += a[12 * i + k];
}
KERNEL blocks_no_window(long n) {
  double *a = calloc(12 * n, sizeof *a), *b = calloc(n, sizeof *b);
  blocks_no_window_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL offset_table: exact
//   b serial stream(8) element 8 reads max(0, m - 2)*max(0, n - 2) writes 8*max(0, m - 2)*max(0, n - 2) exact
//   a serial stencil(8) points 8 element 8 reads 8*max(0, m - 2)*max(0, n - 2) writes 0 dimensions 2 exact
KERNEL offset_table_loop(const double *a, double *b, int n, int m) {
  static const int dx[] = {-1, -1, -1, 0, 0, 1, 1, 1};
  static const int dy[] = {-1, 0, 1, -1, 1, -1, 0, 1};
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int d = 0; d < 8; d++)
        b[i * m + j] += a[(i + dx[d]) * m + j + dy[d]];
}
KERNEL offset_table(long n, long m) {
  double *a = calloc(n * m, sizeof *a), *b = calloc(n * m, sizeof *b);
  offset_table_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL local_table: exact
//   b serial stream(8) element 8 reads max(0, m - 2)*max(0, n - 2) writes 9*max(0, m - 2)*max(0, n - 2) exact
//   a serial stencil(8) points 9 element 8 reads 9*max(0, m - 2)*max(0, n - 2) writes 0 dimensions 2 exact
KERNEL local_table_loop(const double *a, double *b, long n, long m) {
  long by[9] = {-m - 1, -m, -m + 1, -1, 0, 1, m - 1, m, m + 1};
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      for (int d = 0; d < 9; d++)
        b[i * m + j] += a[i * m + j + by[d]];
}
KERNEL local_table(long n, long m) {
  double *a = calloc(n * m, sizeof *a), *b = calloc(n * m, sizeof *b);
  local_table_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL row_stencil: exact
//   b[i] serial stream(8) element 8 reads 0 writes max(0, m - 2)*max(0, n - 2) exact
//   a[i] serial stencil(8) points 5 element 8 reads 5*max(0, m - 2)*max(0, n - 2) writes 0 dimensions 2 exact
//   a serial stream(8) element 8 reads n writes n exact
//   b serial stream(8) element 8 reads max(0, row_stencil_loop:n - 2)*min(1, max(0, m - 2)) + row_stencil:n writes row_stencil:n exact
//   a serial stencil(8) points 3 element 8 reads 3*max(0, n - 2)*min(1, max(0, m - 2)) writes 0 dimensions 1 exact
KERNEL row_stencil_loop(double **a, double **b, long n, long m) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] -
                4 * a[i][j];
}
KERNEL row_stencil(long n, long m) {
  double **a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = calloc(m, sizeof **a);
  double **b = malloc(n * sizeof *b);
  for (long i = 0; i < n; i++)
    b[i] = calloc(m, sizeof **b);
  row_stencil_loop(a, b, n, m);
  for (long i = 0; i < n; i++)
    free(a[i]);
  free(a);
  for (long i = 0; i < n; i++)
    free(b[i]);
  free(b);
}

// KERNEL plane_stencil: exact
//   b[i][j] serial stream(8) element 8 reads 0 writes 49*max(0, m - 2) exact
//   a[i][j] serial stencil(8) points 6 element 8 reads 294*max(0, m - 2) writes 0 dimensions 3 exact
//   a serial stream(8) element 8 reads 9 writes 9 exact
//   b serial stream(8) element 8 reads 49*min(1, max(0, m - 2)) + 9 writes 9 exact
//   a[i] serial stream(8) element 8 reads 81 writes 81 exact
//   b[i] serial stream(8) element 8 reads 49*min(1, max(0, m - 2)) + 81 writes 81 exact
//   a serial stencil(8) points 3 element 8 reads 147*min(1, max(0, m - 2)) writes 0 reuse 7 dimensions 1 exact
//   a[i] serial stencil(8) points 5 element 8 reads 245*min(1, max(0, m - 2)) writes 0 dimensions 2 exact
KERNEL plane_stencil_loop(double ***a, double ***b, long n, long m) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      for (long k = 1; k < m - 1; k++)
        b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] +
                     a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1];
}
KERNEL plane_stencil(long n, long m) {
  double ***a = malloc(n * sizeof *a), ***b = malloc(n * sizeof *b);
  for (long i = 0; i < n; i++) {
    a[i] = malloc(n * sizeof **a);
    b[i] = malloc(n * sizeof **b);
    for (long j = 0; j < n; j++) {
      a[i][j] = calloc(m, sizeof ***a);
      b[i][j] = calloc(m, sizeof ***b);
    }
  }
  plane_stencil_loop(a, b, n, m);
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      free(a[i][j]);
      free(b[i][j]);
    }
    free(a[i]);
    free(b[i]);
  }
  free(a);
  free(b);
}

// KERNEL row_window: exact
//   b serial stream(8) element 8 reads m*max(0, n - 8) writes 9*m*max(0, n - 8) exact
//   a serial stencil(8) points 9 element 8 reads 9*m*max(0, n - 8) writes 0 reuse m dimensions 1 exact
//   a[i] serial stencil(8) points 9 element 8 reads 9*m*max(0, n - 8) writes 0 dimensions 1 exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL row_window_loop(double **a, double *b, long n, long m) {
  for (long i = 4; i < n - 4; i++)
    for (long j = 0; j < m; j++)
      for (int k = -4; k <= 4; k++)
        b[j] += a[i + k][j];
}
KERNEL row_window(long n, long m) {
  double **a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = calloc(m, sizeof **a);
  double *b = calloc(m, sizeof *b);
  row_window_loop(a, b, n, m);
  for (long i = 0; i < n; i++)
    free(a[i]);
  free(a);
  free(b);
}

// KERNEL getter2d: exact
//   a serial stencil(8) points 5 element 8 reads 5*max(0, m - 2)*max(0, n - 2) writes 0 dimensions 2 exact
//   b serial stream(8) element 8 reads 0 writes max(0, m - 2)*max(0, n - 2) exact
__attribute__((noinline)) static double get_at(const double *a, long m, long i,
                                               long j) {
  return a[i * m + j];
}
KERNEL getter2d_loop(const double *a, double *b, long n, long m) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      b[i * m + j] = get_at(a, m, i - 1, j) + get_at(a, m, i + 1, j) +
                     get_at(a, m, i, j - 1) + get_at(a, m, i, j + 1) -
                     4 * get_at(a, m, i, j);
}
KERNEL getter2d(long n, long m) {
  double *a = calloc(n * m, sizeof *a), *b = calloc(n * m, sizeof *b);
  getter2d_loop(a, b, n, m);
  free(a);
  free(b);
}

// KERNEL packed_diagonal: exact
//   a serial strided element 8 reads n writes n exact why growing-step
KERNEL packed_diagonal_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i * (i + 1) / 2 + i] += 1;
}
KERNEL packed_diagonal(long n) {
  double *a = calloc(n * (n + 1) / 2, sizeof *a);
  packed_diagonal_loop(a, n);
  free(a);
}

// At a border the point itself takes its neighbour's place.
// KERNEL borders: exact
//   b serial stream(4) element 4 reads 0 writes 5*nx*ny exact
//   a serial stream(4) element 4 reads 35*nx*ny writes 0 exact
KERNEL borders_loop(const float *a, float *b, int nx, int ny, int nz) {
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int c = x + y * nx + z * nx * ny;
        int west = x == 0 ? c : c - 1, east = x == nx - 1 ? c : c + 1;
        int north = y == 0 ? c : c - nx, south = y == ny - 1 ? c : c + nx;
        int below = z == 0 ? c : c - nx * ny;
        int above = z == nz - 1 ? c : c + nx * ny;
        b[c] = a[c] + a[west] + a[east] + a[north] + a[south] + a[below] +
               a[above];
      }
}
KERNEL borders(long n, long m) {
  float *a = calloc(n * m * 5, sizeof *a), *b = calloc(n * m * 5, sizeof *b);
  borders_loop(a, b, n, m, 5);
  free(a);
  free(b);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  window(n);
  window2d(n, m);
  blocks_no_window(n);
  offset_table(n, m);
  local_table(n, m);
  row_stencil(n / 2, m);
  plane_stencil(9, m);
  row_window(n / 2, m);
  getter2d(n, m);
  packed_diagonal(n);
  borders(n, m);
  return 0;
}
