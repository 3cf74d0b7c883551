// Conditions that cut bands, triangles and borders out of what loops go over.
// INPUTS 37 31 | 61 43
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(n) malloc((n) * sizeof(double))

// KERNEL above_diagonal: exact
//   a serial stream(8) element 8 reads 0 writes floordiv((n - 1)*n, 2) conditional floordiv((n - 1)*n, 2) exact
KERNEL above_diagonal_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (j > i)
        a[i * n + j] = 1;
}
KERNEL above_diagonal(long n) {
  double *a = NEW(n * n);
  above_diagonal_loop(a, n);
  free(a);
}

// KERNEL off_diagonal: exact
//   a serial stream(8) element 8 reads 0 writes (n - 1)*n conditional (n - 1)*n exact
KERNEL off_diagonal_loop(double *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j)
        continue;
      a[i * n + j] = 1;
    }
}
KERNEL off_diagonal(long n) {
  double *a = NEW(n * n);
  off_diagonal_loop(a, n);
  free(a);
}

// KERNEL asked_band: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < n: max(0, n - max(0, i - 5)) - max(0, n - i - 6)) conditional sum(i < n: max(0, n - max(0, i - 5)) - max(0, n - i - 6)) exact
KERNEL asked_band_loop(double *a, long n, long w) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (j >= i - w && j <= i + w)
        a[i * n + j] = 1;
}
KERNEL asked_band(long n) {
  double *a = NEW(n * n);
  asked_band_loop(a, n, 5);
  free(a);
}

// KERNEL clipped_stencil: exact
//   a serial stream(8) element 8 reads sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) writes sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) conditional 2*sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) exact
KERNEL clipped_stencil_loop(double *a, long n, long w) {
  for (long i = 0; i < n; i++)
    for (long j = i - w; j <= i + w; j++)
      if (j >= 0 && j < n)
        a[j] += 1;
}
KERNEL clipped_stencil(long n) {
  double *a = NEW(n);
  clipped_stencil_loop(a, n, 3);
  free(a);
}

// KERNEL no_band: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < n: max(0, min(i + w + 1, n) - max(0, i - w))) conditional sum(i < n: max(0, min(i + w + 1, n) - max(0, i - w))) exact
KERNEL no_band_loop(double *a, long n, long w) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (j >= i - w && j <= i + w)
        a[i * n + j] = 1;
}
KERNEL no_band(long n, long m) {
  double *a = NEW(n * n);
  no_band_loop(a, n, m - 40);
  free(a);
}

// KERNEL border: exact
//   a serial stream(8) element 8 reads max(0, n - 2)*max(0, n - 2) writes n*n conditional max(0, n - 2)*max(0, n - 2) exact
KERNEL border_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
        a[i * n + j] = 0;
      else
        a[i * n + j] += 1;
}
KERNEL border(long n) {
  double *a = NEW(n * n);
  border_loop(a, n);
  free(a);
}

// KERNEL slanted: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < n: max(0, min(ceildiv(2*i, 3), n) - floordiv(i, 2) - 1)) conditional sum(i < n: max(0, min(ceildiv(2*i, 3), n) - floordiv(i, 2) - 1)) exact
KERNEL slanted_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (2 * j > i && 3 * j < 2 * i)
        a[i * n + j] = 1;
}
KERNEL slanted(long n) {
  double *a = NEW(n * n);
  slanted_loop(a, n);
  free(a);
}

// KERNEL between: exact
//   a serial stream(8) element 8 reads sum(i < n: floordiv((n - i - 1)*(n - i - 2), 2) + n - i - 1) writes sum(i < n: floordiv((n - i - 1)*(n - i - 2), 2) + n - i - 1) exact
KERNEL between_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (j > i)
        for (long k = i; k < j; k++)
          a[k] += 1;
}
KERNEL between(long n) {
  double *a = NEW(n);
  between_loop(a, n);
  free(a);
}

// KERNEL chosen_start: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < n: max(0, n - (2*i - 3)*min(1, max(0, m - i)) - 3)) exact
KERNEL chosen_start_loop(double *a, long n, long m) {
  for (long i = 0; i < n; i++) {
    long from = i < m ? 2 * i : 3;
    for (long j = from; j < n; j++)
      a[i * n + j] = 1;
  }
}
KERNEL chosen_start(long n, long m) {
  double *a = NEW(n * n);
  chosen_start_loop(a, n, m);
  free(a);
}

// KERNEL team_above: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n: n - i - 1) conditional share(i < n: n - i - 1) exact
KERNEL team_above(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for
  for (int i = 0; i < (int)n; i++)
    for (int j = 0; j < (int)n; j++)
      if (j > i)
        a[i * n + j] = 1;
  free(a);
}

// KERNEL team_band: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n, 3: max(0, min(i + w + 1, n) - max(0, i - w))) conditional share(i < n, 3: max(0, min(i + w + 1, n) - max(0, i - w))) exact
KERNEL team_band(long n, long w) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static, 3)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (labs(i - j) <= w)
        a[i * n + j] = 1;
  free(a);
}

// KERNEL team_border: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n: (-min(1, max(0, i - n + 1)) - min(1, max(0, n - i - 1)))*max(0, n - 2)*min(1, i) + n) conditional share(i < n: (-min(1, max(0, i - n + 1)) - min(1, max(0, n - i - 1)))*max(0, n - 2)*min(1, i) + n) exact
KERNEL team_border(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
        a[i * n + j] = 0;
  free(a);
}

// KERNEL team_diagonals: exact
//   a parallel strided(8*m - 8) element 8 reads 0 writes share(i < m + n - 1: max(0, m + min(i + 1, n) - (m - i - 1)*min(1, max(0, m - i)) - i - 1)) exact
KERNEL team_diagonals(long n, long m) {
  double *a = NEW(n * m);
#pragma omp parallel for
  for (long d = 0; d < n + m - 1; d++)
    for (long i = d - m + 1 > 0 ? d - m + 1 : 0; i < (d + 1 < n ? d + 1 : n);
         i++)
      a[i * m + d - i] = 1;
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  above_diagonal(n);
  off_diagonal(n);
  asked_band(n);
  clipped_stencil(n);
  no_band(n, m);
  border(n);
  slanted(n);
  between(n);
  chosen_start(n, m);
  team_above(n);
  team_band(n, 7);
  team_border(n);
  team_diagonals(n, m);
  return 0;
}
