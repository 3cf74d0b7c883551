// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp -std=c99 -Wdeclaration-after-statement
// Executions of regions are bracketed where nothing leaves them early.
#define CHECK_LINE(n) typedef char line##n[__LINE__ == n ? 1 : -1]
void work(int);

int fib(int n) {
  int x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y)
  { int z = fib(n - 2); y = z; }
#pragma omp taskwait
  return x + y;
  // CHECK-FIXES: #pragma omp task shared(x)
  // CHECK-FIXES-NEXT: { ek_region_begin([[X:0x[0-9a-f]+]]ULL);
  // CHECK-FIXES-NEXT: #line 11 "regions.c"
  // CHECK-FIXES-NEXT: x = fib(n - 1);
  // CHECK-FIXES-NEXT: ek_region_end([[X]]ULL); }
  // CHECK-FIXES-NEXT: #line 12 "regions.c"
  // CHECK-FIXES-NEXT: #pragma omp task shared(y)
  // CHECK-FIXES-NEXT: { ek_region_begin([[Y:0x[0-9a-f]+]]ULL);
  // CHECK-FIXES-NEXT: #line 13 "regions.c"
  // CHECK-FIXES-NEXT: { int z = fib(n - 2); y = z; } ek_region_end([[Y]]ULL); }
}

void f(int n, double *a) {
#pragma omp parallel
#pragma omp single
  fib(n);
  work(0);
  // CHECK-FIXES: #pragma omp parallel
  // CHECK-FIXES-NEXT: { ek_region_begin([[S:0x[0-9a-f]+]]ULL);
  // CHECK-FIXES-NEXT: #line 30 "regions.c"
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: #line 30 "regions.c"
  // CHECK-FIXES-NEXT: #pragma omp single
  // CHECK-FIXES-NEXT: fib(n);
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); } ek_region_end([[S]]ULL); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); work(0);
#pragma omp parallel
  for (int i = 0; i < n; i++)
    work(i);
  work(1);
  // CHECK-FIXES: { ek_region_begin([[L:0x[0-9a-f]+]]ULL);
  // CHECK-FIXES: work(i);
  // CHECK-FIXES-NEXT: ek_region_end([[L]]ULL); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); work(1);

  // Left by cancellation, perhaps ended by another thread, combined.
#pragma omp parallel
  {
#pragma omp cancel parallel
  }
#pragma omp task untied
  work(2);
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
}
CHECK_LINE(60);

void never_a_team(int n, double *a) {
  // No region, no sync point: the caller's thread goes on.
#pragma omp parallel for if (0)
  for (int i = 0; i < n; i++)
    a[i] = i;
  work(3);
#pragma omp parallel if (parallel : 1 > 2)
  work(4);
  work(5);
  // CHECK-FIXES: #pragma omp parallel for if (0)
  // CHECK-FIXES-NEXT: for (int i = 0; i < n; i++)
  // CHECK-FIXES-NEXT: a[i] = i;
  // CHECK-FIXES-NEXT: work(3);
  // CHECK-FIXES-NEXT: #pragma omp parallel if (parallel : 1 > 2)
  // CHECK-FIXES-NEXT: work(4);
  // CHECK-FIXES-NEXT: work(5);
}
// CHECK-INVENTORY: region regions.c:50:1 f {{[0-9a-f]+}} parallel # no-task-time
// CHECK-INVENTORY: region regions.c:54:1 f {{[0-9a-f]+}} task # no-task-time
// CHECK-INVENTORY: region regions.c:56:1 f {{[0-9a-f]+}} parallel # no-task-time
// CHECK-REPORT: 7 regions: 4 timed, 3 left to the run time (3 no-task-time)
