// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only -- -fopenmp
// Directives that get no hook, each with its reason.
void work(int);
#define TWO _Pragma("omp barrier") _Pragma("omp taskwait")
#define BRACED { _Pragma("omp barrier") }
#define NESTED(n) for (int i = 0; i < n; i++) _Pragma("omp parallel") work(i)
#define TEXT(x) #x
#define SHOWN(x) x work(sizeof TEXT(x));

void f(int n, double *a) {
  TWO
  work(1);
  // CHECK-FIXES: TWO ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: work(1);
  BRACED
  work(2);
  // CHECK-FIXES: BRACED
  // CHECK-FIXES-NEXT: work(2);
  NESTED(n);
  // CHECK-FIXES: NESTED(n);
  SHOWN(_Pragma("omp barrier"))
  // CHECK-FIXES: SHOWN(_Pragma("omp barrier"))

  work(3);
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
// CHECK-INVENTORY: sync-barrier hooks-refused.c:11:3 f {{[0-9a-f]+}} team # macro-directive
// CHECK-REPORT: 6 sync points: 2 hooked, 4 skipped (3 macro-directive, 1 macro-stringised)
