// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -fopenmp -std=gnu99 -Wdeclaration-after-statement
// Before a parallel region, the values that its threads find in integer
// variables, if the region does not change them and reading them is safe.
#include <stdio.h>
#include <stdlib.h>
#define CHECK_LINE(n) typedef char line##n[__LINE__ == n ? 1 : -1]

struct grid { int rows, columns; double *cells; unsigned flag : 1; };
static long all;
static volatile int seen;

static double plain(double *a, int n, unsigned char step) {
  double sum = 0;
  int i, last = 0;
#pragma omp parallel for private(i) reduction(+ : sum) lastprivate(last)
  for (i = 0; i < n; i += step) {
    sum += a[i] + all + seen;
    last = i;
  }
  // CHECK-FIXES: int i, last = 0;
  // CHECK-FIXES-NEXT: EK_VALUES([[P:0x[0-9a-f]+]]ULL, EK_VALUE(0x{{[0-9a-f]+}}ULL, n), EK_VALUE(0x{{[0-9a-f]+}}ULL, step), EK_VALUE(0x{{[0-9a-f]+}}ULL, all));
  // CHECK-FIXES-NEXT: #line 15 "region-values.c"
  // CHECK-FIXES-NEXT: #pragma omp parallel for private(i) reduction(+ : sum) lastprivate(last)
  return sum + last;
}
CHECK_LINE(26);

// A member behind a pointer only if every thread reads it: columns might lie
// behind a null pointer. A bit-field has no address, so no debugger's name.
static int first(const struct grid *g) { return g->rows > 0; }
static void members(struct grid *g, struct grid here, int deep) {
#pragma omp parallel firstprivate(deep)
  {
    int own = here.rows * first(&here);
#pragma omp for
    for (int i = 0; i < g->rows; i++)
      if (deep > 0)
        g->cells[i] = own + g->columns + here.flag;
  }
  // CHECK-FIXES-LABEL: static void members{{.*}}
  // CHECK-FIXES-NEXT: EK_VALUES(0x{{[0-9a-f]+}}ULL, EK_VALUE(0x{{[0-9a-f]+}}ULL, here.rows), EK_VALUE(0x{{[0-9a-f]+}}ULL, g->rows), EK_VALUE(0x{{[0-9a-f]+}}ULL, deep));
}
// Variables that the region changes, or whose address it takes; one that only
// its condition reads; none at all.
static int changed(int n, int *out) {
  int found = 0, size, limit = n;
#pragma omp parallel shared(found, size)
  {
#pragma omp single
    size = limit;
#pragma omp critical
    found++;
    *(&limit) = limit;
  }
#pragma omp parallel if (n > 1)
  *out = found + size;
  // CHECK-FIXES-LABEL: static int changed{{.*}}
  // CHECK-FIXES-NEXT: int found = 0, size, limit = n;
  // CHECK-FIXES-NEXT: #pragma omp parallel shared(found, size)
  // CHECK-FIXES: EK_VALUES(0x{{[0-9a-f]+}}ULL, EK_VALUE(0x{{[0-9a-f]+}}ULL, found), EK_VALUE(0x{{[0-9a-f]+}}ULL, size));
  // CHECK-FIXES-NEXT: #line [[#]] "region-values.c"
  // CHECK-FIXES-NEXT: #pragma omp parallel if (n > 1)
  return found > 0;
}

// As the only statement of an if, and inside another region.
static void wrapped(double *a, int n) {
  if (n > 2)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma omp parallel
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
  // CHECK-FIXES-LABEL: static void wrapped{{.*}}
  // CHECK-FIXES-NEXT: if (n > 2) {
  // CHECK-FIXES-NEXT: EK_VALUES(0x{{[0-9a-f]+}}ULL, EK_VALUE(0x{{[0-9a-f]+}}ULL, n));
  // CHECK-FIXES-NEXT: #line [[#]] "region-values.c"
  // CHECK-FIXES-NEXT: #pragma omp parallel for
}

// CHECK-REPORT: 10 values handed over before 5 regions

int main(void) {
  double a[8] = {1, 2, 3}, cells[2];
  struct grid g = {2, 1, cells, 1};
  int out = 0;
  all = 3;
  printf("%g\n", plain(a, 8, 2));
  members(&g, g, 1);
  printf("%d", changed(4, &out));
  printf(" %d\n", out > 0);
  wrapped(a, 8);
  return 0;
}
