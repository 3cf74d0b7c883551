// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only -- -fopenmp -DSCOPE
// Points of cancellation, scope, loop, and clauses that end in a macro.
#define CHUNK schedule(dynamic, 4)
void work(int);

void f(int n, double *a) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp cancel for if (n > 3)
      work(i);
#pragma omp cancellation point for
    }
    // CHECK-FIXES: #pragma omp cancel for if (n > 3)
    // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); work(i);
    // CHECK-FIXES-NEXT: #pragma omp cancellation point for
    // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
#ifdef SCOPE // which clang 19 parses, but does not compile
#pragma omp scope
    work(1);
#pragma omp scope nowait
    work(2);
#endif
    // CHECK-FIXES: #pragma omp scope
    // CHECK-FIXES-NEXT: work(1);
    // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
    // CHECK-FIXES-NEXT: #line [[#]] "hooks-cancel.c"
    // CHECK-FIXES-NEXT: #pragma omp scope nowait
    // CHECK-FIXES-NEXT: work(2);
#pragma omp loop bind(parallel)
    for (int i = 0; i < n; i++)
      a[i] = i;
    // CHECK-FIXES: a[i] = i;
    // CHECK-FIXES: {{^ *}}ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
#pragma omp master taskloop simd
    for (int i = 0; i < n; i++)
      a[i] = i;
    // CHECK-FIXES: a[i] = i;
    // CHECK-FIXES: {{^ *}}ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
#pragma omp for CHUNK
    for (int i = 0; i < n; i++) work(i); }
  // CHECK-FIXES: for (int i = 0; i < n; i++) work(i);
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: #line [[#]] "hooks-cancel.c"
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
#pragma omp parallel masked
  work(3);
#pragma omp parallel loop
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp parallel master taskloop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      work(j);
    }
  // Not on the line of the brace: that would look like part of the loop.
  // CHECK-FIXES: work(j);
  // CHECK-FIXES-NEXT: }
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
}
// CHECK-INVENTORY: sync-cancel hooks-cancel.c:11:1 f {{[0-9a-f]+}} team
// CHECK-INVENTORY: sync-scope hooks-cancel.c:20:1 f {{[0-9a-f]+}} team
// CHECK-REPORT: 11 sync points: 11 hooked, 0 skipped
