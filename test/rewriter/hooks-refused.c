// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp
// Directives that get no hook, each with its reason.
void work(int);
#define BARRIER _Pragma("omp barrier")
#define FOR_ALL _Pragma("omp parallel for") for

void f(int n, double *a) {
  BARRIER
  work(1);
  _Pragma("omp barrier") work(2);
  FOR_ALL(int i = 0; i < n; i++) a[i] = 1;
  // CHECK-FIXES: BARRIER
  // CHECK-FIXES-NEXT: work(1);
  // CHECK-FIXES-NEXT: _Pragma("omp barrier") work(2);
  // CHECK-FIXES-NEXT: FOR_ALL(int i = 0; i < n; i++) a[i] = 1;

  // Without the macro the loop would be followed by a hook for nothing.
#ifndef SERIAL
#pragma omp parallel for
#endif
  for (int i = 0; i < n; i++)
    a[i] = 2;
  // CHECK-FIXES: a[i] = 2;

  // Without OpenMP a hook is harmless.
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int i = 0; i < n; i++) {
    a[i] = 3;
  }
  // CHECK-FIXES: a[i] = 3;
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
}
// CHECK-INVENTORY: sync-barrier hooks-refused.c:8:3 f {{[0-9a-f]+}} team # macro-directive
// CHECK-REPORT: 5 sync points: 1 hooked, 4 skipped (1 conditional-directive, 3 macro-directive)
