// Loops that compilers turn into memset and memcpy, in parts of a team.
// INPUTS 3701 31 | 6133 43
#include <alloca.h>
#include <stdlib.h>
#include <string.h>
#define KERNEL __attribute__((noinline)) static void

// KERNEL zero_share: exact
//   a parallel stream(64) element 64 reads 0 writes min(8*share(n), ceildiv(8*first(n) + 8*share(n), 64) - floordiv(8*first(n), 64)) exact
KERNEL zero_share(long n) {
  double *a = malloc(n * 8);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = 0;
  free(a);
}

static void copy(double *restrict to, const double *restrict from, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    to[i] = from[i];
}
// KERNEL copy_share: exact
//   b parallel stream(8) element 8 reads 0 writes share(n) exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL copy_share(long n) {
  double *a = calloc(n, 8), *b = malloc(n * 8);
  copy(b, a, n);
  free(a);
  free(b);
}

// KERNEL zero_part: exact
//   a parallel stream(4) element 4 reads 0 writes share(n - m - 3) exact
KERNEL zero_part(int n, int m) {
  float *a = malloc(n * 4L + 64);
#pragma omp parallel for
  for (int i = m; i < n - 3; i++)
    a[i + 5] = 0;
  free(a);
}

// KERNEL zero_rows: exact
//   a parallel stream(64) element 64 reads 0 writes share(i < m: min(8*n, ceildiv(8*i*n + 8*n, 64) - floordiv(8*i*n, 64))) exact
KERNEL zero_rows(long n, long m) {
  double *a = malloc(n * m * 8);
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      a[i * n + j] = 0;
  free(a);
}

// KERNEL zero_steps: exact
//   a parallel stream(64) element 64 reads 0 writes m*min(8*share(n), ceildiv(8*first(n) + 8*share(n), 64) - floordiv(8*first(n), 64)) exact
//   a parallel stream(8) element 8 reads m*share(n) writes m*share(n) exact
KERNEL zero_steps(long n, long m) {
  double *a = malloc(n * 8);
#pragma omp parallel
  for (long t = 0; t < m; t++) {
#pragma omp for
    for (long i = 0; i < n; i++)
      a[i] = 0;
#pragma omp for
    for (long i = 0; i < n; i++)
      a[i] += t;
  }
  free(a);
}

// KERNEL zero_chunks: exact
//   a parallel stream(64) element 64 reads 0 writes lines+5 conditional lines+5 exact
KERNEL zero_chunks(long n) {
  double *a = malloc(n * 8);
#pragma omp parallel for schedule(static, 16)
  for (long i = 0; i < n; i++)
    a[i] = 0;
  free(a);
}

// KERNEL zero_dynamic: exact
//   a parallel stream(64) element 64 reads 0 writes lines+5 conditional lines+5 exact
KERNEL zero_dynamic(long n) {
  double *a = malloc(n * 8);
#pragma omp parallel for schedule(dynamic, 16)
  for (long i = 0; i < n; i++)
    a[i] = 0;
  free(a);
}

struct pair {
  double re, im;
};

// Copies of 16 bytes, one after the other or a row apart: one line each.
// KERNEL turn_pairs: exact
//   b parallel stream(64) element 64 reads 0 writes n*share(m) exact
//   a parallel strided(16*m) element 64 reads n*share(m) writes 0 exact
KERNEL turn_pairs(long n, long m) {
  struct pair *a = calloc(n * m, sizeof *a), *b = calloc(n * m, sizeof *b);
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      b[i * n + j] = a[j * m + i];
  free(b);
  free(a);
}

// Four pairs of each row of a plane, a line, and the rows below.
// KERNEL lines_of_planes: exact
//   x parallel strided(512) element 64 reads 8*m*share(n) writes 0 exact
KERNEL lines_of_planes(long n, long m, double *sum) {
  typedef struct pair plane[64][32];
  plane *x = calloc(n, sizeof *x);
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long k = 0; k < n; k++)
    for (long i = 0; i <= 28; i += 4) {
      struct pair y[64][4];
      for (long j = 0; j < m; j++)
        for (long l = 0; l < 4; l++)
          y[j][l] = x[k][j][i + l];
      for (long j = 1; j < m; j++)
        y[j][k & 3].re += y[j - 1][i & 3].im;
      s += y[m - 1][0].re;
    }
  *sum = s;
  free(x);
}

// Tables one behind the other: each begins where its number says, in a line.
// KERNEL copied_behind: exact
//   from serial stream(4) element 4 reads 0 writes n exact
//   from serial stream(64) element 64 reads 2*ceildiv(4*n, 64) writes 0 exact
//   to serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) + min(4*n, ceildiv(4*m + 4*n, 64) - floordiv(4*m, 64)) + min(4*n, ceildiv(4*n + 8*m + 12, 64) - floordiv(8*m + 12, 64)) exact
//   to serial invariant element 4 reads 1 writes 0 exact
KERNEL copied_behind(long n, long m, double *sum) {
  int *from = malloc(n * 4), *to = malloc(m * 16);
  for (long i = 0; i < n; i++)
    from[i] = i * i;
  memcpy(to, from, 4 * n);
  memcpy(to + m, from, 4 * n);
  memset(to + 2 * m + 3, 1, 4 * n);
  *sum += to[m + 1];
  free(to);
  free(from);
}

// KERNEL made_on_stack: exact
//   a serial stream(64) element 64 reads sum(i < 29: ceildiv(8*i + 8, 64)) writes 0 exact
//   t serial stream(64) element 64 reads 0 writes lines+5 exact
//   t serial random element 8 reads 29 writes 0 exact why computed-index
KERNEL made_on_stack(long n, double *sum) {
  double *a = calloc(n, sizeof *a);
  for (long i = 1; i < 30; i++) {
    double *t = alloca(i * sizeof *t);
    memcpy(t, a, i * sizeof *t);
    *sum += t[i / 2];
  }
  free(a);
}

// Small blocks lie side by side, and begin here and there in lines.
// KERNEL small_blocks: exact
//   a serial stream(64) element 64 reads 0 writes lines+4 exact
//   a serial strided element 1 reads m writes 0 exact why fresh-object
KERNEL small_blocks(long n, long m, double *sum) {
  for (long i = 0; i < m; i++) {
    char *a = malloc(112);
    memset(a, (int)i, 112);
    *sum += a[n & 63];
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double sum;
  zero_share(n);
  copy_share(n);
  zero_part(n, m);
  zero_rows(n, m);
  zero_steps(n, m);
  zero_chunks(n);
  zero_dynamic(n);
  turn_pairs(n, m);
  copied_behind(m < n ? m : n, m, &sum);
  lines_of_planes(n, m < 64 ? m : 64, &sum);
  made_on_stack(n, &sum);
  small_blocks(n, m, &sum);
  return 0;
}
