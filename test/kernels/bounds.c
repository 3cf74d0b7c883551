// Places that may be other than they look, loops that may end early, regions
// that run on several inputs.
// INPUTS 101 67 | 131 89
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(type, n) malloc((n) * sizeof(type))

// KERNEL two_regions: exact
//   a,b parallel stream(8) element 8 reads share(n) writes share(n) exact
__attribute__((noinline)) static void two_regions_body(double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL two_regions(long n, long m) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(m, sizeof *b);
  two_regions_body(a, n);
  two_regions_body(b, m);
  two_regions_body(a, n / 2);
  free(a);
  free(b);
}

// KERNEL single_copyprivate: exact
//   a parallel stream(8) element 8 reads share(k) writes share(k) exact
KERNEL single_copyprivate(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
  {
    long k;
#pragma omp single copyprivate(k)
    k = n / 2;
#pragma omp for
    for (long i = 0; i < k; i++)
      a[i] += 1;
  }
  free(a);
}

// KERNEL ordered_depend: exact
//   a parallel stream(8) element 8 reads 2*m*share(n - 1, 1) writes m*share(n - 1, 1) exact
KERNEL ordered_depend(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel for ordered(1)
  for (long i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    for (long j = 0; j < m; j++)
      a[i * m + j] += a[(i - 1) * m + j];
#pragma omp ordered depend(source)
  }
  free(a);
}

// KERNEL cancel_loop: bound early-exit
//   a parallel stream(8) element 8 reads share(n) + taken+4 writes taken+8 conditional taken+4 + taken+8 bound why early-exit
KERNEL cancel_loop(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    if (a[i] > 3) {
#pragma omp cancel for
    }
    a[i] += 1;
  }
  free(a);
}

// KERNEL array_section_reduction: exact
//   h parallel stream(8) element 8 reads m*min(1, max(-m, m))*taken+4 + m*min(1, max(-m, m))*taken+4#1 writes m*min(1, max(-m, m))*taken+4 + m*min(1, max(-m, m))*taken+4#1 atomics m*min(1, max(-m, m))*taken+4#1 conditional 2*m*min(1, max(-m, m))*taken+4 + 2*m*min(1, max(-m, m))*taken+4#1 exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL array_section_reduction(long n, long m) {
  double *a = calloc(n, sizeof *a);
  double *h = calloc(m, sizeof *h);
#pragma omp parallel for reduction(+ : h[ : m])
  for (long i = 0; i < n; i++)
    h[i % m] += a[i];
  free(a);
  free(h);
}

// KERNEL wave_tasks: exact
//   a task stream(8) element 8 reads 2*m writes m exact
KERNEL wave_tasks(long m) {
  double *a = calloc(9 * 9 * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long i = 1; i < 9; i++)
    for (long j = 1; j < 9; j++) {
#pragma omp task depend(in : a[((i - 1) * 9 + j) * m], a[(i * 9 + j - 1) * m]) \
    depend(out : a[(i * 9 + j) * m])
      for (long k = 0; k < m; k++)
        a[(i * 9 + j) * m + k] =
            a[((i - 1) * 9 + j) * m + k] + a[(i * 9 + j - 1) * m + k];
    }
  free(a);
}

// KERNEL stack_or_heap: bound may-be-elsewhere
//   a serial stream(8) element 8 reads trip+2 writes trip+2 bound why may-be-elsewhere
KERNEL stack_or_heap_add(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL stack_or_heap(long n, double *out) {
  double small[16] = {0};
  double *a = calloc(n, sizeof *a);
  stack_or_heap_add(small, 16);
  stack_or_heap_add(a, n);
  *out += small[3];
  free(a);
}

// KERNEL chosen_buffer: bound may-be-elsewhere
//   big serial stream(8) element 8 reads 0 writes n bound why may-be-elsewhere
//   big serial invariant element 8 reads 1 writes 0 bound why may-be-elsewhere
KERNEL chosen_buffer_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = i;
}
KERNEL chosen_buffer(long n, double *out) {
  double local[128];
  double *big = calloc(n, sizeof *big);
  double *use = n < 110 ? local : big;
  chosen_buffer_loop(use, n < 110 ? n : n);
  *out += use[n / 2];
  free(big);
}

// KERNEL wavefront: exact
//   a serial strided(8*m - 8) element 8 reads sum(i < max(0, m + n - 1): max(0, min(i, n - 1) - max(-1, i - m))) writes sum(i < max(0, m + n - 1): max(0, min(i, n - 1) - max(-1, i - m))) exact
KERNEL wavefront_loop(double *a, long n, long m) {
  for (long d = 0; d < n + m - 1; d++) {
    long lo = d - m + 1 > 0 ? d - m + 1 : 0, hi = d < n - 1 ? d : n - 1;
    for (long i = lo; i <= hi; i++)
      a[i * m + d - i] += 1;
  }
}
KERNEL wavefront(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  wavefront_loop(a, n, m);
  free(a);
}

// KERNEL banded: exact
//   a serial stream(8) element 8 reads sum(i < n: min(i + 4, n - 1) - max(4, i) + 5) writes 0 exact
//   x serial stream(8) element 8 reads sum(i < n: min(i + 4, n - 1) - max(4, i) + 5) writes 0 exact
//   y serial stream(8) element 8 reads 0 writes n exact
KERNEL banded_loop(const double *a, const double *x, double *y, long n,
                   long w) {
  for (long i = 0; i < n; i++) {
    long lo = i - w > 0 ? i - w : 0, hi = i + w < n - 1 ? i + w : n - 1;
    double s = 0;
    for (long j = lo; j <= hi; j++)
      s += a[i * (2 * w + 1) + j - i + w] * x[j];
    y[i] = s;
  }
}
KERNEL banded(long n) {
  double *a = calloc(n * 9, sizeof *a);
  double *x = calloc(n, sizeof *x);
  double *y = calloc(n, sizeof *y);
  banded_loop(a, x, y, n, 4);
  free(a);
  free(x);
  free(y);
}

// KERNEL early_exit: exact
//   a serial stream(8) element 8 reads trip+3 writes n exact
__attribute__((noinline)) static long early_exit_find(const double *a, long n,
                                                      double x) {
  for (long i = 0; i < n; i++)
    if (a[i] == x)
      return i;
  return -1;
}
KERNEL early_exit(long n, double *out) {
  double *a = NEW(double, n);
  for (long i = 0; i < n; i++)
    a[i] = i;
  *out += early_exit_find(a, n, n / 2);
  *out += early_exit_find(a, n, -5);
  free(a);
}

// KERNEL two_rounds: exact
//   a serial stream(8) element 8 reads 2 writes 2 exact
KERNEL two_rounds_loop(double *a, long n) {
  for (long i = n; i <= n + 1; i++)
    a[i] += 1;
}
KERNEL two_rounds(long n) {
  double *a = NEW(double, n + 3);
  two_rounds_loop(a, n);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  two_regions(n, m);
  single_copyprivate(n);
  ordered_depend(n, m);
  cancel_loop(n);
  array_section_reduction(n, m);
  wave_tasks(m);
  stack_or_heap(n, &out);
  chosen_buffer(n, &out);
  wavefront(n, m);
  banded(n);
  early_exit(n, &out);
  two_rounds(n);
  return out < 0;
}
