// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp -Wno-unknown-pragmas -Wno-unknown-attributes -Wno-attributes -std=c2x
// What people write for Evenkeel: what a call says wins over the plan, excluded
// code stays, names and sizes are in the inventory and the report.
#include <stdlib.h>

double *pinned(size_t n) {
#pragma evenkeel pin(fast)
  double *a = malloc(n * sizeof *a);
  // CHECK-FIXES: double *a = ek_malloc_at(0x{{[0-9a-f]+}}ULL, EK_PINNED(100), n * sizeof *a);
  double *b = malloc(n);
  // CHECK-FIXES: double *b = ek_malloc(0x{{[0-9a-f]+}}ULL, n);
  [[evenkeel::pin("slow")]] double *c = malloc(n);
  // CHECK-FIXES: {{.*}} double *c = ek_malloc_at(0x{{[0-9a-f]+}}ULL, EK_PINNED(0), n);
  double *d [[evenkeel::pin("40%"), evenkeel::size("4GiB")]] = calloc(n, 8);
  // CHECK-FIXES: double *d {{.*}} = ek_calloc_at(0x{{[0-9a-f]+}}ULL, EK_PINNED(40), n, 8);
  _Pragma("evenkeel pin(fast) size(2MiB)") double *e = malloc(n);
  // CHECK-FIXES: {{.*}} double *e = ek_malloc_at(0x{{[0-9a-f]+}}ULL, EK_PINNED(100), n);
  if (n)
    free(a);
  double *f = malloc(n), *(*g)(size_t) = pinned;
  // CHECK-FIXES: double *f = ek_malloc(0x{{[0-9a-f]+}}ULL, n), *(*g)(size_t) = pinned;
  free(b), free(c), free(d), free(e);
  return g ? f : 0;
}

#pragma evenkeel exclude
void *left_alone(size_t n) {
  free(0);
  // CHECK-FIXES: free(0);
  if (n) {
    return malloc(n);
    // CHECK-FIXES: return malloc(n);
  }
  return calloc(n, n);
  // CHECK-FIXES: return calloc(n, n);
}
#pragma evenkeel pin(slow)
void *inner_wins(size_t n) {
#pragma evenkeel pin(70%), size(1GiB)
  void *p = malloc(n);
  // CHECK-FIXES: void *p = ek_malloc_at(0x{{[0-9a-f]+}}ULL, EK_PINNED(70), n);
  return n ? p : malloc(7);
  // CHECK-FIXES: return n ? p : ek_malloc_at(0x{{[0-9a-f]+}}ULL, EK_PINNED(0), 7);
}

void named(int n, double *x) {
#pragma evenkeel task("assembly") phase("setup")
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    x[i] = i;
#pragma omp parallel
  {
#pragma evenkeel exclude
#pragma omp barrier
    x[0] = 1;
    // CHECK-FIXES: {{^}}    x[0] = 1;
  }
}

void wrong(int n) {
#pragma evenkeel pni(fast)
#pragma evenkeel pin(warm)
#pragma evenkeel size(big)
#pragma evenkeel pin(fast)
  n++;
#pragma evenkeel phase("x")
  free(0);
  [[gnu::unused, evenkeel::frob]] int m = n;
}
_Static_assert(__LINE__ == 70, "line numbers stay");

[[evenkeel::pin("fast")]] static double table[20000];
// CHECK-FIXES: {{.*}} static double table[20000]; EK_GLOBAL_AT(0x{{[0-9a-f]+}}ULL, EK_PINNED(100), table)
double last(void) { return table[3]; }

// CHECK-REPORT: evenkeel: warning: annotations.c:61:1: unknown annotation 'pni'; known are exclude, phase, pin, relaxed, size and task
// CHECK-REPORT-NEXT: evenkeel: warning: annotations.c:62:1: pin needs fast, slow or a share such as 40%, not 'warm'
// CHECK-REPORT-NEXT: evenkeel: warning: annotations.c:63:1: size needs a number of bytes such as 4GiB, not 'big'
// CHECK-REPORT-NEXT: evenkeel: warning: annotations.c:64:1: 'pin' applies to nothing here (an allocation)
// CHECK-REPORT-NEXT: evenkeel: warning: annotations.c:66:1: 'phase' applies to nothing here (a place where tasks wait)
// CHECK-REPORT-NEXT: evenkeel: warning: annotations.c:68:3: unknown annotation 'frob'; known are exclude, phase, pin, relaxed, size and task
// CHECK-REPORT-NEXT: 11 sites: 9 rewritten, 0 left to the run time, 2 skipped (2 excluded)
// CHECK-REPORT: 3 sync points: 2 hooked, 1 skipped (1 excluded)
// CHECK-REPORT: 7 calls of free: 6 rewritten, 1 skipped (1 excluded)
