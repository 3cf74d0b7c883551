// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --acquire --run=%eklib -- -fopenmp -std=c99
// Tasks acquire what their depend clauses name, evaluated where the clauses are;
// an element that stands for its array becomes the whole object.
#include <stdio.h>
#include <stdlib.h>

enum { Most = 4 };
static double table[Most];
static double grid[Most][1000];

static void fill(double *to, const double *from, long n, double by) {
  for (long i = 0; i < n; i++)
    to[i] = from[i] * by;
}

static void layers(double **in, double *out, long n) {
  for (int l = 0; l < Most; l++) {
    double *x = in[l];
#pragma omp task depend(in : x[0 : n]) depend(inout : out[l * n : n])
    fill(out + l * n, x, n, table[l]);
    // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(x, n * sizeof x[0], EK_READ), EK_RANGE(&out[l * n], n * sizeof out[l * n], EK_READ_WRITE), EK_OBJECT(table, sizeof table, EK_READ)}; ek_announce(0x{{[0-9a-f]+}}ULL, ek_needs_, 3);
    // CHECK-FIXES-NEXT: #line {{.*}}
    // CHECK-FIXES-NEXT: #pragma omp task depend(in : x[0 : n]) depend(inout : out[l * n : n]) firstprivate(ek_needs_)
    // CHECK-FIXES-NEXT: {{.*}}{ ek_acquire_all(0x{{[0-9a-f]+}}ULL, ek_needs_, 3); { ek_region_begin(0x{{[0-9a-f]+}}ULL);
    // CHECK-FIXES-NEXT: #line {{.*}}
    // CHECK-FIXES-NEXT: fill(out + l * n, x, n, table[l]);
    // CHECK-FIXES: {{.*}}ek_region_end(0x{{[0-9a-f]+}}ULL); } ek_release_all(0x{{[0-9a-f]+}}ULL, ek_needs_, 3); } }{{.*}}
  }
#pragma omp taskwait
}

static double sum(double *a, long n) {
  double total = 0;
  double *t = &total;
  if (n > 0)
#pragma omp task depend(in : a[0]) depend(mutexinoutset : t[0]) if (n > 1)
  {
    for (long i = 0; i < n; i++)
      t[0] += a[i];
  }
  // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(a, n * sizeof a[0], EK_READ), EK_RANGE(t, sizeof t[0], EK_READ_WRITE)}; ek_announce(0x{{[0-9a-f]+}}ULL, ek_needs_, 2);
  // CHECK-FIXES: #pragma omp task depend(in : a[0]) depend(mutexinoutset : t[0]) if (n > 1) firstprivate(ek_needs_)
  // CHECK-FIXES-NEXT: {{.*}}{ ek_acquire_all({{.*}}, ek_needs_, 2); { ek_region_begin({{.*}});
#pragma omp taskwait
  return total;
}

// Clauses of rows, of columns in rows, and of whole arrays.
static void rows(long from, long n, int *mark) {
#pragma omp task default(none) firstprivate(from, n) shared(grid) depend(out : grid[from : 2][0 : n], grid[3])
  for (long i = 0; i < n; i++)
    grid[from][i] = grid[from + 1][i] = grid[3][i] = i;
#pragma omp task depend(inout : grid) depend(out : *mark)
  { *mark = grid[1][2] > 1; }
#pragma omp taskwait
  // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(&grid[from][0], (char *)(&grid[from + 2 - 1][n - 1] + 1) - (char *)&grid[from][0], EK_READ_WRITE), EK_RANGE(&grid[3], sizeof grid[3], EK_READ_WRITE)}; ek_announce(0x{{[0-9a-f]+}}ULL, ek_needs_, 2);
  // CHECK-FIXES: {{.*}}EK_RANGE(&grid, sizeof grid, EK_READ_WRITE), EK_RANGE(&(*mark), sizeof (*mark), EK_READ_WRITE)}; ek_announce(0x{{[0-9a-f]+}}ULL, ek_needs_, 2);
}

// A task that is cancelled releases what it holds. As it may never start, it is
// not announced.
static void found(double *a, long n, int *at) {
#pragma omp taskgroup
  {
    // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(a, n * sizeof a[0], EK_READ)};{{$}}
#pragma omp task depend(in : a[0 : n]) shared(at)
    {
      for (long i = 0; i < n; i++)
        if (a[i] > 5) {
          *at = 1;
#pragma omp cancel taskgroup
        }
    }
  }
  // CHECK-FIXES: {{.*}}{ EK_HOLD(0x{{[0-9a-f]+}}ULL, ek_needs_, 1);
  // CHECK-FIXES: {{.*}} } }{{.*}}
}

// What tasks do that acquire nothing.
static void others(double *a, long n) {
  double own[2] = {0, 0};
#pragma omp task untied depend(in : a[0 : n])
  a[1] += 0 * a[0];
#pragma omp task depend(inout : a[0 : n])
  {
#pragma omp task depend(inout : a[0])
    a[0] += 1;
#pragma omp taskwait
  }
#pragma omp task depend(out : own[0]) shared(own)
  own[0] = a[0];
#pragma omp task shared(own)
  own[1] = 1;
#pragma omp task depend(iterator(int k = 0 : 2), in : a[k])
  a[n - 1] += a[0] * 0;
#pragma omp taskwait
}

int main(void) {
  const long n = 1000;
  double *in[Most], *out = malloc(Most * n * sizeof *out);
  int at = 0, mark = 0;
  for (int l = 0; l < Most; l++) {
    in[l] = malloc(n * sizeof *in[l]);
    table[l] = l + 1;
    for (long i = 0; i < n; i++)
      in[l][i] = i % 7;
  }
#pragma omp parallel
#pragma omp single
  {
    layers(in, out, n);
    rows(0, n, &mark);
    found(out, n, &at);
    others(out, n);
  }
  printf("%g %d %d %g\n", sum(out, Most * n), at, mark, grid[1][999]);
  for (int l = 0; l < Most; l++)
    free(in[l]);
  free(out);
  return 0;
}
// CHECK-REPORT: evenkeel: warning: acquire.c:{{[0-9]+}}:{{[0-9]+}}: the task reads 'table', which no clause names; it is acquired as a whole (unnamed-data)
// CHECK-REPORT: {{.*}} tasks acquire {{.*}} ranges of data, {{.*}} do not
