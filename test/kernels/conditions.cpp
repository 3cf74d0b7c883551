// Conditions on sizes, fields and rounds; growth in fields; parts of lines.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#include <vector>
#include <string>
#include <cstring>
#include <stdexcept>

#define KERNEL __attribute__((noinline)) static void

// KERNEL interior: exact
//   a serial stream(8) element 8 reads max(0, m - 2)*max(0, n - 2) writes max(0, m - 2)*max(0, n - 2) conditional 2*max(0, m - 2)*max(0, n - 2) exact
KERNEL interior(int n, int m) {
  double *a = (double *)calloc((long)n * m, 8);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i >= 1 && i < n - 1 && j >= 1 && j < m - 1)
        a[i * m + j] += 1;
  free(a);
}

// KERNEL upper_only: exact
//   a serial stream(8) element 8 reads floordiv((n - 1)*n, 2) writes floordiv((n - 1)*n, 2) conditional 2*floordiv((n - 1)*n, 2) exact
KERNEL upper_only(long n) {
  double *a = (double *)calloc(n * n, 8);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (j > i)
        a[i * n + j] += 1;
  free(a);
}

// KERNEL split_in_two: exact
//   a,b serial stream(8) element 8 reads n writes n exact why chosen-object
KERNEL split_in_two(long n) {
  double *a = (double *)calloc(n, 8), *b = (double *)calloc(n, 8);
  for (long i = 0; i < n; i++)
    if (i < n / 2)
      a[i] += 1;
    else
      b[i] += 1;
  free(a);
  free(b);
}

// KERNEL mode_flag: exact
//   a serial stream(8) element 8 reads (-min(1, max(-c.mode + 2, c.mode - 2)) + 1)*n + max(0, n - max(0, c.skip)) writes (-min(1, max(-c.mode + 2, c.mode - 2)) + 1)*n + max(0, n - max(0, c.skip)) conditional 2*(-min(1, max(-c.mode + 2, c.mode - 2)) + 1)*n + 2*max(0, n - max(0, c.skip)) exact
struct Config { int mode; long skip; };
__attribute__((noinline)) static void mode_flag_run(const Config &c, double *a, long n) {
  for (long i = 0; i < n; i++) {
    if (c.mode == 2)
      a[i] += 1;
    if (i >= c.skip)
      a[i] *= 2;
  }
}
KERNEL mode_flag(long n, long m) {
  Config c{(int)(m % 3), m / 2};
  double *a = (double *)calloc(n, 8);
  mode_flag_run(c, a, n);
  free(a);
}

// KERNEL or_condition: exact
//   a serial stream(8) element 8 reads max(0, min(5, k + 1, n)) + n - max(0, min(k + 1, n)) writes max(0, min(5, k + 1, n)) + n - max(0, min(k + 1, n)) conditional 2*max(0, min(5, k + 1, n)) + 2*n - 2*max(0, min(k + 1, n)) exact
KERNEL or_condition(long n, long k) {
  double *a = (double *)calloc(n, 8);
  for (long i = 0; i < n; i++)
    if (i < 5 || i > k)
      a[i] += 1;
  free(a);
}

// KERNEL except_one: exact
//   a serial stream(8) element 8 reads max(0, min(k, n)) + max(0, n - max(0, k + 1)) writes max(0, min(k, n)) + max(0, n - max(0, k + 1)) conditional 2*max(0, min(k, n)) + 2*max(0, n - max(0, k + 1)) exact
KERNEL except_one(long n, long k) {
  double *a = (double *)calloc(n, 8);
  for (long i = 0; i < n; i++)
    if (i != k)
      a[i] += 1;
  free(a);
}

// KERNEL first_round: exact
//   a serial stream(8) element 8 reads 4*n writes 5*n conditional 4*n exact
//   a serial invariant element 8 reads 4*n writes 0 conditional 4*n exact
KERNEL first_round(long n, long m) {
  double *a = (double *)calloc(n, 8);
  for (long t = 0; t < m; t++)
    for (long i = 0; i < n; i++)
      if (t == 0)
        a[i] = i;
      else
        a[i] += a[0];
  free(a);
}

// KERNEL par_condition: exact
//   a parallel stream(8) element 8 reads share(i < n: min(1, max(0, i - k))) writes share(i < n: min(1, max(0, i - k))) conditional 2*share(i < n: min(1, max(0, i - k))) exact
KERNEL par_condition(long n, long k) {
  double *a = (double *)calloc(n, 8);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    if (i > k)
      a[i] += 1;
  free(a);
}

// KERNEL checked_at: exact
//   v serial stream(8) element 8 reads max(1, n)*min(1, max(-n, n)) writes n exact
KERNEL checked_at(long n, double *out) {
  std::vector<double> v(n, 1.0);
  for (long i = 0; i < n; i++)
    *out += v.at(i);
}

// KERNEL pushed_fields: exact
//   push_back serial random element 8 reads 0 writes taken+5#2 conditional taken+5#2 exact
//   push_back serial stream(64) element 64 reads lines+5#1 writes lines+5 conditional lines+5 + lines+5#1 exact
//   push_back serial stream(8) element 8 reads 0 writes taken+5 conditional taken+5 exact why new-blocks
struct Bag {
  std::vector<double> X;
  __attribute__((noinline)) void fill(long n) {
    for (long i = 0; i < n; i++)
      X.push_back(i);
  }
};
KERNEL pushed_fields(long n) {
  Bag b;
  b.fill(n);
}

// KERNEL pushed_if: exact
//   a serial stream(4) element 4 reads n writes 0 exact
//   push_back serial random element 4 reads 0 writes taken+6#2 conditional taken+6#2 exact why computed-index
//   push_back serial stream(64) element 64 reads lines+6#1 writes lines+6 conditional lines+6 + lines+6#1 exact
//   push_back serial stream(4) element 4 reads 0 writes taken+6 conditional taken+6 exact why new-blocks
//   push_back serial stream(4) element 4 reads trip+7 writes 0 exact
KERNEL pushed_if(long n, double *out) {
  std::vector<int> keep;
  int *a = (int *)calloc(n, 4);
  for (long i = 0; i < n; i++)
    if (a[i] == 0)
      keep.push_back(i);
  for (int k : keep)
    *out += k;
  free(a);
}

// KERNEL resized: exact
//   v serial invariant element 8 reads 0 writes min(1, max(-m, m)) + taken+3#1 conditional taken+3#1 exact
//   v serial stream(64) element 64 reads lines+3#2 writes max(0, min(8*m + 8*n - 8*elements+3.5#1 - 8, ceildiv(8*m + 8*n - 8*elements+3.5#1, 64)))*taken+3#1 + max(0, min(8*m - 8, ceildiv(8*m, 64))) conditional lines+3#2 + max(0, min(8*m + 8*n - 8*elements+3.5#1 - 8, ceildiv(8*m + 8*n - 8*elements+3.5#1, 64)))*taken+3#1 exact
//   resize serial invariant element 8 reads 0 writes taken+3#2 conditional taken+3#2 exact
//   resize serial stream(64) element 64 reads 0 writes lines+3 + lines+3#1 conditional lines+3#1 exact
//   resize,v serial stream(8) element 8 reads 0 writes elements+4.5*taken+4#2 + max(0, n - elements+4.5)*taken+4#1 + n*taken+4#3 conditional elements+4.5*taken+4#2 + max(0, n - elements+4.5)*taken+4#1 + n*taken+4#3 exact
//   assign serial stream(8) element 8 reads 0 writes n*taken+4 conditional n*taken+4 exact
KERNEL resized(long n, long m) {
  std::vector<double> v(m);
  v.resize(n + m);
  v.assign(n, 2.0);
}

// KERNEL negative_bounds: exact
//   a serial stream(8) element 8 reads 2*n + max(0, n - m + 3) + 1 writes 2*n + max(0, n - m + 3) + 1 exact
KERNEL negative_bounds(long n, long m) {
  double *a = (double *)calloc(2 * n + 1, 8), *mid = a + n;
  for (long i = -n; i <= n; i++)
    mid[i] += 1;
  for (long i = m - n; i < 3; i++)
    mid[i] += 1;
  free(a);
}

// KERNEL unsigned_below: exact
//   a serial stream(8) element 8 reads max(0, min(m + 10, n) - max(0, m)) writes max(0, min(m + 10, n) - max(0, m)) conditional 2*max(0, min(m + 10, n) - max(0, m)) exact
KERNEL unsigned_below(unsigned n, unsigned m) {
  double *a = (double *)calloc(n, 8);
  for (unsigned i = 0; i < n; i++)
    if (i - m < 10u)
      a[i] += 1;
  free(a);
}

// KERNEL halo: exact
//   b serial stream(8) element 8 reads sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) writes sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) conditional 2*sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) exact
//   a serial stencil(8) points 7 element 8 reads sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) writes 0 conditional sum(i < n: max(0, min(7, n - i + 3) - max(-i + 3, 0))) dimensions 1 exact
KERNEL halo(long n, long w) {
  double *a = (double *)calloc(n + 2 * w, 8), *b = (double *)calloc(n, 8);
  for (long i = 0; i < n; i++)
    for (long k = -3; k <= 3; k++) {
      long j = i + k;
      if (j >= 0 && j < n)
        b[i] += a[j + w];
    }
  free(a);
  free(b);
}

// KERNEL copied_tail: exact
//   b serial stream(64) element 64 reads 0 writes min(8*n, ceildiv(8*n + 24, 64)) exact
//   a serial stream(64) element 64 reads min(8*n, ceildiv(8*n + 8, 64)) writes min(3*m, ceildiv(3*m + 40, 64)) exact
//   b serial stream(1) element 1 reads n writes 0 exact
//   a serial stream(1) element 1 reads n writes 0 exact
KERNEL copied_tail(long n, long m, double *out) {
  char *a = (char *)calloc(n * 64, 1), *b = (char *)calloc(n * 64, 1);
  memcpy(b + 24, a + 8, 8 * n);
  memset(a + 40, 1, 3 * m);
  for (long i = 0; i < n; i++)
    *out += b[i] + a[i];
  free(a);
  free(b);
}

// KERNEL below_zero: exact
//   a serial stream(8) element 8 reads max(0, n - max(0, shift + 1)) + min(1, max(-flag, flag))*n + min(1, max(0, shift))*n writes max(0, n - max(0, shift + 1)) + min(1, max(-flag, flag))*n + min(1, max(0, shift))*n conditional 2*max(0, n - max(0, shift + 1)) + 2*min(1, max(-flag, flag))*n + 2*min(1, max(0, shift))*n exact
__attribute__((noinline)) static void below_zero_run(double *a, long n,
                                                     long flag, long shift) {
  for (long i = 0; i < n; i++) {
    if (flag)
      a[i] += 1;
    if (shift > 0)
      a[i] *= 2;
    if (i > shift)
      a[i] -= 3;
  }
}
KERNEL below_zero(long n) {
  double *a = (double *)calloc(n, 8);
  below_zero_run(a, n, 3 - n, 5 - n);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  interior(n, m);
  upper_only(n);
  split_in_two(n);
  mode_flag(n, m);
  or_condition(n, m);
  except_one(n, m);
  first_round(n, 5);
  par_condition(n, m);
  checked_at(n, &out);
  pushed_fields(n);
  pushed_if(n, &out);
  resized(n, m);
  negative_bounds(n, m);
  unsigned_below(n, m);
  halo(n, m);
  copied_tail(n, m, &out);
  below_zero(n);
  return out < 0;
}
