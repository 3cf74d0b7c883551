// Loops that double or halve their counter, and halves of what loops go over.
// INPUTS 37 31 | 61 43
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(n) calloc((n), sizeof(double))

// KERNEL doubled: exact
//   a serial random element 8 reads ceillog(n, 2) writes ceillog(n, 2) exact why geometric-step
KERNEL doubled_loop(double *a, long n) {
  for (long s = 1; s < n; s *= 2)
    a[s] += 1;
}
KERNEL doubled(long n) {
  double *a = NEW(n);
  doubled_loop(a, n);
  free(a);
}

// KERNEL not_below_one: exact
//   a serial random element 8 reads ceillog(n + 1, 2) writes ceillog(n + 1, 2) exact why geometric-step
KERNEL not_below_one_loop(double *a, int n) {
  for (int s = 1; s <= n; s <<= 1)
    a[s] += 1;
}
KERNEL not_below_one(long n) {
  double *a = NEW(n + 64);
  not_below_one_loop(a, n - 50);
  free(a);
}

// KERNEL halved: exact
//   a serial random element 8 reads ceillog(n + 1, 2) writes ceillog(n + 1, 2) exact why geometric-step
KERNEL halved_loop(double *a, long n) {
  for (long s = n; s > 0; s >>= 1)
    a[s] += 1;
}
KERNEL halved(long n) {
  double *a = NEW(n + 1);
  halved_loop(a, n);
  free(a);
}

// KERNEL halved_with_sign: exact
//   a serial random element 8 reads ceillog(max(-n, n) + 1, 2) writes ceillog(max(-n, n) + 1, 2) exact why geometric-step
KERNEL halved_with_sign_loop(double *a, int n) {
  for (int s = n; s; s /= 2)
    a[s] += 1;
}
KERNEL halved_with_sign(long n) {
  double *a = NEW(n + 128);
  halved_with_sign_loop(a + 64, n - 50);
  free(a);
}

// KERNEL thirds: exact
//   a serial random element 8 reads max(1, ceillog(floordiv(n, 4) + 1, 3)) writes max(1, ceillog(floordiv(n, 4) + 1, 3)) exact why geometric-step
KERNEL thirds_loop(double *a, long n) {
  long s = n;
  do {
    a[s] += 1;
    s /= 3;
  } while (s > 3);
}
KERNEL thirds(long n) {
  double *a = NEW(n + 1);
  thirds_loop(a, n);
  free(a);
}

// KERNEL may_wrap: exact
//   a serial random element 8 reads trip+2 writes trip+2 exact why geometric-step
KERNEL may_wrap_loop(double *a, unsigned n) {
  for (unsigned s = 1; s < n; s *= 3)
    a[s % 16] += 1;
}
KERNEL may_wrap(long n) {
  double *a = NEW(29);
  may_wrap_loop(a, n * 70000000);
  free(a);
}

// KERNEL reduction: exact
//   a serial stream(8) element 8 reads 2*sum(i < ceillog(floordiv(n, 2) + 1, 2): max(1, floordiv(n, 2*pow(2, i)))) writes sum(i < ceillog(floordiv(n, 2) + 1, 2): max(1, floordiv(n, 2*pow(2, i)))) exact
KERNEL reduction_loop(double *a, long n) {
  for (long s = n / 2; s > 0; s >>= 1)
    for (long i = 0; i < s; i++)
      a[i] += a[i + s];
}
KERNEL reduction(long n) {
  double *a = NEW(n);
  reduction_loop(a, n);
  free(a);
}

// KERNEL scan: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < ceillog(n, 2): max(1, n - pow(2, i))) exact
//   b serial stream(8) element 8 reads sum(i < ceillog(n, 2): max(1, n - pow(2, i))) writes 0 exact
KERNEL scan_loop(double *a, const double *b, long n) {
  for (long s = 1; s < n; s *= 2)
    for (long i = s; i < n; i++)
      a[i] = b[i - s];
}
KERNEL scan(long n) {
  double *a = NEW(n);
  double *b = NEW(n);
  scan_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL butterflies: exact
//   a serial stream(8) element 8 reads 0 writes sum(i < ceillog(n, 2): max(1, ceildiv(n, 2*pow(2, i)))*pow(2, i)) exact why assumes-positive-step
KERNEL butterflies_loop(double *a, long n) {
  for (long s = 1; s < n; s <<= 1)
    for (long k = 0; k < n; k += 2 * s)
      for (long j = 0; j < s; j++)
        a[k + j + s] = 1;
}
KERNEL butterflies(long n) {
  double *a = NEW(4 * n);
  butterflies_loop(a, n);
  free(a);
}

// KERNEL levels: exact
//   a serial stream(8) element 8 reads sum(i < 6: floordiv(n, pow(2, i))) writes sum(i < 6: floordiv(n, pow(2, i))) exact
KERNEL levels_loop(double *a, long n, long m) {
  for (long l = 0; l < m; l++)
    for (long i = 0; i < n >> l; i++)
      a[i] += l;
}
KERNEL levels(long n) {
  double *a = NEW(n);
  levels_loop(a, n, 6);
  free(a);
}

// KERNEL digits: exact
//   a serial random element 8 reads sum(i < max(0, n - 1): max(1, ceillog(i + 2, 2))) writes sum(i < max(0, n - 1): max(1, ceillog(i + 2, 2))) exact why geometric-step
KERNEL digits_loop(double *a, long n) {
  for (long i = 1; i < n; i++)
    for (long s = i; s > 0; s /= 2)
      a[s] += 1;
}
KERNEL digits(long n) {
  double *a = NEW(n);
  digits_loop(a, n);
  free(a);
}

// KERNEL long_steps_down: exact
//   a serial strided(-40) element 8 reads floordiv(n - 1, 5) + 1 writes floordiv(n - 1, 5) + 1 exact
KERNEL long_steps_down_loop(double *a, long n, long m) {
  for (long i = n - 1; i >= 0; i -= m)
    a[i] += 1;
}
KERNEL long_steps_down(long n, long m) {
  double *a = NEW(n);
  long_steps_down_loop(a, n, m);
  free(a);
}

// KERNEL at_least_once: exact
//   a serial strided(-24) element 8 reads floordiv(-min(6, n) + 8, 3) + 1 writes floordiv(-min(6, n) + 8, 3) + 1 exact
KERNEL at_least_once_loop(double *a, long n) {
  int i = 9;
  do {
    a[i] += 1;
    i -= 3;
  } while (i > n);
}
KERNEL at_least_once(long n) {
  double *a = NEW(29);
  at_least_once_loop(a, n);
  free(a);
}

// KERNEL front_half: exact
//   a serial stream(8) element 8 reads 0 writes min(1, max(0, n - 1))*sum(i < floordiv(n, 2): max(0, n - 2*i)) conditional min(1, max(0, n - 1))*sum(i < floordiv(n, 2): max(0, n - 2*i)) exact
KERNEL front_half_loop(double *a, long n) {
  for (long i = 0; i < n / 2; i++)
    for (long j = i; j < n - i; j++)
      a[i * n + j] = 1;
}
KERNEL front_half(long n) {
  double *a = NEW(n * n);
  front_half_loop(a, n);
  free(a);
}

// KERNEL team_levels: exact
//   a parallel strided element 8 reads min(1, max(0, n))*sum(i < ceillog(n, 2): share(floordiv(2*pow(2, i) + n - 1, 2*pow(2, i)))) writes min(1, max(0, n))*sum(i < ceillog(n, 2): share(floordiv(2*pow(2, i) + n - 1, 2*pow(2, i)))) conditional 2*min(1, max(0, n))*sum(i < ceillog(n, 2): share(floordiv(2*pow(2, i) + n - 1, 2*pow(2, i)))) exact why varying-step
KERNEL team_levels(long n) {
  double *a = NEW(n);
#pragma omp parallel
  for (long s = 1; s < n; s *= 2) {
#pragma omp for
    for (long i = 0; i < n; i += 2 * s)
      a[i] += 1;
  }
  free(a);
}

// KERNEL team_digits: exact
//   a parallel random element 8 reads share(i < n - 1, 2: ceillog(i + 1, 2)) writes share(i < n - 1, 2: ceillog(i + 1, 2)) exact why geometric-step
KERNEL team_digits(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static, 2)
  for (long i = 1; i < n; i++)
    for (long s = 1; s < i; s *= 2)
      a[i * n + s] += 1;
  free(a);
}

// KERNEL team_front_half: exact
//   a parallel stream(8) element 8 reads 0 writes min(1, max(0, n - 1))*share(i < floordiv(n, 2), 3: max(0, n - 2*i)) conditional min(1, max(0, n - 1))*share(i < floordiv(n, 2), 3: max(0, n - 2*i)) exact
KERNEL team_front_half(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static, 3)
  for (long i = 0; i < n / 2; i++)
    for (long j = i; j < n - i; j++)
      a[i * n + j] = 1;
  free(a);
}

// KERNEL team_half_rows: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n: floordiv(n, 2) - floordiv(i, 2)) exact
KERNEL team_half_rows(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for
  for (int i = 0; i < (int)n; i++)
    for (int j = i / 2; j < (int)n / 2; j++)
      a[i * n + j] = 1;
  free(a);
}

// KERNEL team_columns: exact
//   a parallel strided(24*n) element 8 reads 0 writes share(i < floordiv(n + 1, 2), 3: (floordiv(max(2*i + 3, n) - 2*i - min(1, max(0, n - 2*i - 3)), 3) + min(1, max(0, n - 2*i - 3)))*min(1, max(0, n - 2*i))) exact
KERNEL team_columns(long n) {
  double *a = NEW(n * n);
#pragma omp parallel for schedule(static, 3)
  for (long j = 0; j < n; j += 2)
    for (long i = j; i < n; i += 3)
      a[i * n + j] = 1;
  free(a);
}

// KERNEL variable_rows: exact
//   [m] parallel stream(8) element 8 reads 0 writes min(1, max(0, m + 1))*share(i < n: max(1, floordiv(i, max(-m, 1, m))*max(-m, 1, m) + m - i)) exact
KERNEL variable_rows(long n, long m) {
  double(*v)[m] = malloc(sizeof(double[n][m]));
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = i % m; j < m; j++)
      v[i][j] = 1;
  free(v);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  doubled(n);
  not_below_one(n);
  halved(n);
  halved_with_sign(n);
  thirds(n);
  may_wrap(n);
  reduction(n);
  scan(n);
  butterflies(n);
  levels(n);
  digits(n);
  long_steps_down(n, 5);
  at_least_once(m - 30);
  front_half(n);
  team_levels(n);
  team_digits(n);
  team_front_half(n);
  team_half_rows(n);
  team_columns(n);
  variable_rows(n, m);
  return 0;
}
