// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/include/parallel_for.inc --with=Inputs/include/body.inc --with=Inputs/include/barrier.inc -- -fopenmp
// RUN: FileCheck %s --input-file %t/Inputs/include/body.inc --check-prefix BODY
// RUN: FileCheck %s --input-file %t/Inputs/include/barrier.inc --check-prefix BARRIER
// Directives and statements that come by #include.
void work(int);

void f(int n) {
#include "Inputs/include/parallel_for.inc"
  for (int i = 0; i < n; i++) {
    work(i);
  }
  // CHECK-FIXES: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
#pragma omp parallel for
  for (int i = 0; i < n; i++)
#include "Inputs/include/body.inc"
  // BODY: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  work(1);
#include "Inputs/include/barrier.inc"
  // BARRIER: #pragma omp barrier
  // BARRIER-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  work(2);
#ifdef SOME
#include "Inputs/include/none.inc"
#else
#include "Inputs/include/parallel_for.inc"
#endif
  for (int i = 0; i < n; i++)
    work(i);
  work(3);
  // CHECK-FIXES: work(i);
  // CHECK-FIXES-NEXT: #ifndef SOME
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  // CHECK-FIXES-NEXT: #endif
  // CHECK-FIXES-NEXT: #line {{[0-9]+}} "hooks-include.c"
  // CHECK-FIXES-NEXT: work(3);
}
// CHECK-REPORT: 4 sync points: 4 hooked, 0 skipped
