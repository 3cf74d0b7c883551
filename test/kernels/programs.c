// Small programs of many kinds: factorisations, scans, networks, buffers.
// INPUTS 101 67 | 131 89
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#define KERNEL __attribute__((noinline)) static void
#define NEW(n) calloc(n, sizeof(double))

// KERNEL blocked_lu: exact
//   a serial strided(8*n + 8) element 8 reads sum(i < floordiv(n - 1, 8) + 1: (n - 8*i - 1)*max(0, min(8, n - 8*i - 1)) + floordiv(-(max(0, min(8, n - 8*i - 1)) - 1)*max(0, min(8, n - 8*i - 1)), 2)) writes n exact
//   a serial strided(8*n) element 8 reads sum(i < floordiv(n - 1, 8) + 1: (n - 8*i - 1)*max(0, min(8, n - 8*i - 1)) + floordiv(-(max(0, min(8, n - 8*i - 1)) - 1)*max(0, min(8, n - 8*i - 1)), 2)) writes 0 exact
//   a serial stream(8) element 8 reads 2*sum(i < floordiv(n - 1, 8) + 1: sum(j < max(0, min(8, n - 8*i - 1)): (n - 8*i - j - 1)*(n - 8*i - j - 1))) writes sum(i < floordiv(n - 1, 8) + 1: sum(j < max(0, min(8, n - 8*i - 1)): (n - 8*i - j - 1)*(n - 8*i - j - 1))) exact
KERNEL blocked_lu(long n) {
  const long b = 8;
  double *a = NEW(n * n);
  for (long k = 0; k < n; k++)
    a[k * n + k] = 2;
  for (long kk = 0; kk < n; kk += b)
    for (long k = kk; k < n && k < kk + b; k++)
      for (long i = k + 1; i < n; i++) {
        double f = a[i * n + k] / a[k * n + k];
        for (long j = k + 1; j < n; j++)
          a[i * n + j] -= f * a[k * n + j];
      }
  free(a);
}

// KERNEL wavefront: exact
//   a parallel strided(8*m - 8) element 8 reads 2*share(hi - lo + 1) writes share(hi - lo + 1) exact
KERNEL wavefront(long n, long m) {
  double *a = NEW(n * m);
  for (long d = 2; d <= n + m - 2; d++) {
    long lo = d - (m - 1) > 1 ? d - (m - 1) : 1, hi = d - 1 < n - 1 ? d - 1 : n - 1;
#pragma omp parallel for
    for (long i = lo; i <= hi; i++)
      a[i * m + d - i] = a[(i - 1) * m + d - i] + a[i * m + d - i - 1];
  }
  free(a);
}

// KERNEL private_histogram: exact
//   key parallel stream(1) element 1 reads share(n) writes 0 exact
//   mine parallel random element 8 reads share(n) writes share(n) index key exact
//   all parallel stream(8) element 8 reads 256 writes 256 exact
//   mine parallel stream(8) element 8 reads 256 writes 0 exact
KERNEL private_histogram(long n) {
  unsigned char *key = calloc(n, 1);
  long *all = calloc(256, sizeof *all);
#pragma omp parallel
  {
    long *mine = calloc(256, sizeof *mine);
#pragma omp for
    for (long i = 0; i < n; i++)
      mine[key[i]]++;
#pragma omp critical
    for (int k = 0; k < 256; k++)
      all[k] += mine[k];
    free(mine);
  }
  free(key);
  free(all);
}

// KERNEL prefix_sum: later InstCombinePass,LoopLoadEliminationPass
//   a serial stream(8) element 8 reads sum(i < m: max(0, max(floordiv(i*n + n, max(1, m)), min(0, ceildiv(i*n + n, max(1, m)))) - max(floordiv(i*n, max(1, m)), min(0, ceildiv(i*n, max(1, m)))))) + sum(i < max(0, m - 1): max(0, max(floordiv(2*n + i*n, max(1, m)), min(0, ceildiv(2*n + i*n, max(1, m)))) - max(floordiv(i*n + n, max(1, m)), min(0, ceildiv(i*n + n, max(1, m)))))) writes sum(i < m: max(0, max(floordiv(i*n + n, max(1, m)), min(0, ceildiv(i*n + n, max(1, m)))) - max(floordiv(i*n, max(1, m)), min(0, ceildiv(i*n, max(1, m)))))) + sum(i < max(0, m - 1): max(0, max(floordiv(2*n + i*n, max(1, m)), min(0, ceildiv(2*n + i*n, max(1, m)))) - max(floordiv(i*n + n, max(1, m)), min(0, ceildiv(i*n + n, max(1, m)))))) exact
//   part serial stream(8) element 8 reads 2*max(0, m - 1) + sum(i < max(0, m - 1): min(1, max(0, max(floordiv(2*n + i*n, max(1, m)), min(0, ceildiv(2*n + i*n, max(1, m)))) - max(floordiv(i*n + n, max(1, m)), min(0, ceildiv(i*n + n, max(1, m))))))) writes m + max(0, m - 1) exact
KERNEL prefix_sum(long n, long m) {
  double *a = NEW(n), *part = NEW(m);
  for (long b = 0; b < m; b++) {
    double s = 0;
    for (long i = b * n / m; i < (b + 1) * n / m; i++)
      a[i] = s += a[i];
    part[b] = s;
  }
  for (long b = 1; b < m; b++)
    part[b] += part[b - 1];
  for (long b = 1; b < m; b++)
    for (long i = b * n / m; i < (b + 1) * n / m; i++)
      a[i] += part[b - 1];
  free(a);
  free(part);
}

// KERNEL odd_even_sort: exact
//   a serial stream(4) element 4 reads 0 writes n exact
//   a serial strided(8) element 4 reads 2*sum(i < n: max(0, floordiv(-i, 2) + floordiv(i + n, 2))) writes 2*sum(i < n: max(0, floordiv(-i, 2) + floordiv(i + n, 2))) exact
KERNEL odd_even_sort(long n) {
  int *a = calloc(n, sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = n - i;
  for (long r = 0; r < n; r++)
    for (long i = r % 2; i + 1 < n; i += 2) {
      int x = a[i], y = a[i + 1];
      a[i] = x < y ? x : y;
      a[i + 1] = x < y ? y : x;
    }
  free(a);
}

// KERNEL pointer_rows: exact
//   rows serial stream(8) element 8 reads 60*min(1, max(0, m)) + 31 writes 31 exact
//   rows[i] serial stream(8) element 8 reads 30*m writes 30*m exact
KERNEL pointer_rows(long n, long m) {
  double **rows = malloc(31 * sizeof *rows);
  for (int i = 0; i < 31; i++)
    rows[i] = NEW(m);
  for (int i = 1; i < 31; i++)
    for (long j = 0; j < m; j++)
      rows[i][j] = rows[i - 1][j] + n;
  for (int i = 0; i < 31; i++)
    free(rows[i]);
  free(rows);
}

// KERNEL function_table: exact
//   a serial stream(8) element 8 reads calls+2 + calls+3 writes calls+2 exact
//   a serial invariant element 8 reads calls+3 writes 0 exact
typedef double (*unary)(double *, long);
static double twice(double *p, long i) { return p[i] *= 2; }
static double plus(double *p, long i) { return p[i] + p[0]; }
KERNEL function_table(long n, double *out) {
  static unary const table[] = {twice, plus};
  double *a = NEW(n);
  for (long i = 0; i < n; i++)
    *out += table[i & 1](a, i);
  free(a);
}

// KERNEL runtime_stride: exact
//   a serial strided(8*s) element 8 reads floordiv(n*s - 1, s) + 1 writes floordiv(n*s - 1, s) + 1 exact
KERNEL runtime_stride(long n, long s) {
  double *a = NEW(n * s);
  for (long i = 0; i < n * s; i += s)
    a[i] += 1;
  free(a);
}

// KERNEL first_match: exact
//   a serial invariant element 4 reads 0 writes 1 exact
//   a serial stream(4) element 4 reads trip+4 writes 0 exact
KERNEL first_match(long n, long m, long *out) {
  int *a = calloc(n, sizeof *a);
  a[m] = 7;
  for (long i = 0; i < n; i++)
    if (a[i] == 7) {
      *out = i;
      break;
    }
  free(a);
}

// KERNEL ring_buffer: exact
//   ring serial invariant element 8 reads 0 writes n exact
//   ring serial stream(8) element 8 reads taken+7 writes 0 conditional taken+7 exact why conditional-step
KERNEL ring_buffer(long n, long m, double *out) {
  double *ring = NEW(64);
  unsigned long head = 0, tail = 0;
  for (long i = 0; i < n; i++) {
    ring[head++ % 64] = i;
    if (head - tail == 64 || i % 3 == 0)
      *out += ring[tail++ % 64];
  }
  free(ring);
}

// KERNEL bit_sieve: exact
//   bits serial stream(8) element 8 reads n + trip+3 writes 0 exact
//   bits serial strided element 8 reads trip+5 writes trip+5 conditional 2*trip+5 exact why varying-step
KERNEL bit_sieve(long n, long *out) {
  uint64_t *bits = calloc(n, 8);
  for (long p = 2; p * p < n * 64; p++)
    if (!(bits[p / 64] >> p % 64 & 1))
      for (long q = p * p; q < n * 64; q += p)
        bits[q / 64] |= 1ull << q % 64;
  for (long i = 0; i < n; i++)
    *out += __builtin_popcountll(bits[i]);
  free(bits);
}

// KERNEL copied_string: exact
//   s serial stream(1) element 1 reads trip+7 writes n exact
//   s serial invariant element 1 reads 0 writes 1 exact
//   t serial stream(1) element 1 reads 0 writes taken+9 exact why conditional-step
//   t serial invariant element 1 reads 0 writes 1 exact
KERNEL copied_string(long n) {
  char *s = malloc(n + 1), *t = malloc(n + 1);
  for (long i = 0; i < n; i++)
    s[i] = 'a' + i % 26;
  s[n] = 0;
  char *to = t;
  for (const char *p = s; *p; p++)
    if (*p != 'e')
      *to++ = *p;
  *to = 0;
  free(s);
  free(t);
}

union word {
  double d;
  uint64_t u;
  unsigned char b[8];
};
// KERNEL union_bytes: exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL union_bytes(long n, long *out) {
  union word *a = calloc(n, sizeof *a);
  for (long i = 0; i < n; i++)
    a[i].d = i;
  for (long i = 0; i < n; i++)
    *out += (a[i].u >> 52) + a[i].b[0];
  free(a);
}

// KERNEL block_tasks: exact
//   a task stream(8) element 8 reads 2*n writes n exact
KERNEL block_tasks(long n) {
  double *a = NEW(n * 16);
#pragma omp parallel
#pragma omp single
  for (long b = 1; b < 16; b++) {
#pragma omp task depend(in : a[(b - 1) * n]) depend(inout : a[b * n])
    for (long i = 0; i < n; i++)
      a[b * n + i] += a[(b - 1) * n + i];
  }
  free(a);
}

// KERNEL triangle_collapse: exact
//   a parallel stream(8) element 8 reads share(i < n*n: min(1, max(0, floordiv(i, max(1, n)) + floordiv(i, max(1, n))*n - i + 1))) writes share(i < n*n: min(1, max(0, floordiv(i, max(1, n)) + floordiv(i, max(1, n))*n - i + 1))) conditional 2*share(i < n*n: min(1, max(0, floordiv(i, max(1, n)) + floordiv(i, max(1, n))*n - i + 1))) exact
KERNEL triangle_collapse(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (j <= i)
        a[i * n + j] += 1;
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]), found = 0;
  double out = 0;
  blocked_lu(n);
  wavefront(n, m);
  private_histogram(n);
  prefix_sum(n, m);
  odd_even_sort(n);
  pointer_rows(n, m);
  function_table(n, &out);
  runtime_stride(n, m);
  first_match(n, m, &found);
  ring_buffer(n, m, &out);
  bit_sieve(n, &found);
  copied_string(n);
  union_bytes(n, &found);
  block_tasks(n);
  triangle_collapse(n);
  return out < 0 && found < 0;
}
