// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --acquire -- -fopenmp -std=c99
// Each place where a clause names less than its task accesses; none where it
// names enough.
#include <string.h>

static double weights[64];
void outside(double *to, const double *from);

static void add(double *to, const double *from, long n) {
  for (long i = 0; i < n; i++)
    to[i] += from[i];
}

static void clear(double *to, long from, long n) {
  memset(to + from, 0, n * sizeof *to);
}

void enough(double *a, double *b, long n, long m) {
#pragma omp task depend(in : a[0 : n]) depend(inout : b[0 : n])
  add(b, a, n);
#pragma omp task depend(out : b[m : n])
  clear(b, m, n);
#pragma omp task depend(in : a[0 : 2 * n + 1]) depend(out : b[0 : n * m])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      b[i * m + j] = a[2 * i] + a[2 * i + 2];
#pragma omp task depend(in : a[0 : n]) depend(out : b[0 : n - 1])
  for (long i = 1; i < n; i++)
    b[i - 1] = a[i];
#pragma omp task depend(in : a[0 : n]) depend(out : b[0 : n])
  for (long i = 0; i < n; i++)
    if (i < n - 1)
      b[i] = a[i + 1];
#pragma omp task depend(in : a[0 : n]) depend(out : b[0 : n])
  outside(b, a);
#pragma omp task depend(in : a[0 : n]) depend(out : b[0 : n])
  {
    const double *x = a;
    double *y = b + n;
    for (long i = 0; i + 3 < n; i += 4)
      *--y = x[i] + x[i + 3];
  }
#pragma omp taskwait
}

void less(double *a, double *b, double *c, long n) {
#pragma omp task depend(in : a[0 : n / 2]) depend(inout : b[0 : n])
  add(b, a, n);
  // CHECK-REPORT: evenkeel: warning: acquire-less.c:47:30: the clause names 'a[0 : n / 2]', and the task reads 'a[0 : n]' (line 48) (short-section)
#pragma omp task depend(in : a[0 : n], b[0 : n])
  add(b, a, n);
  // CHECK-REPORT-NEXT: evenkeel: warning: acquire-less.c:50:40: the clause says that 'b[0 : n]' is only read, and the task writes it (line 51) (written-input)
#pragma omp task depend(inout : b[0 : n])
  add(b, c, n);
  // CHECK-REPORT-NEXT: evenkeel: warning: acquire-less.c:54:10: the task reads 'c', which no clause names; it is acquired as a whole (unnamed-data)
#pragma omp task depend(inout : b[0 : n])
  for (long i = 0; i < 64; i++)
    b[i] *= weights[i];
  // CHECK-REPORT-NEXT: evenkeel: warning: acquire-less.c:58:13: the task reads 'weights', which no clause names; it is acquired as a whole (unnamed-data)
#pragma omp task depend(inout : b[1 : n])
  clear(b, 0, n);
  // CHECK-REPORT-NEXT: evenkeel: warning: acquire-less.c:60:33: the clause names 'b[1 : n]', and the task writes 'b[0 : n]' (line 61) (short-section)
#pragma omp task depend(inout : b[0])
  outside(b, c);
  // CHECK-REPORT-NEXT: evenkeel: warning: acquire-less.c:64:14: the task may read 'c', which no clause names; it is acquired as a whole (unnamed-data)
#pragma omp taskwait
}
// CHECK-REPORT: 13 tasks acquire {{[0-9]+}} ranges of data
// CHECK-REPORT-NEXT: 6 places where a task accesses more than its clauses name: 2 short-section, 3 unnamed-data, 1 written-input
