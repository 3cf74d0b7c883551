// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only -- -fopenmp
// The hook of a directive without a statement goes to the next token, on its
// line; before another directive it gets a line of its own.
#define CHECK_LINE(n) _Static_assert(__LINE__ == n, "line numbers stay")
void work(int);

void team(int n) {
#pragma omp barrier
  work(1);
  // CHECK-FIXES: #pragma omp barrier
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); work(1);
#pragma omp taskwait // with a comment

  // and another one
  work(2);
  // CHECK-FIXES: #pragma omp taskwait // with a comment
  // CHECK-FIXES-EMPTY:
  // CHECK-FIXES-NEXT: {{.*}}and another one
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); work(2);
#pragma omp \
    barrier
  int declared = n;
  // CHECK-FIXES: barrier
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); int declared = n;
  work(declared);
#pragma omp barrier
#pragma omp single
  work(3);
  work(4);
  // CHECK-FIXES: #pragma omp barrier
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: #line 27 "hooks-standalone.c"
  // CHECK-FIXES-NEXT: #pragma omp single
  // CHECK-FIXES-NEXT: work(3);
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); work(4);
  CHECK_LINE(36);
#ifdef NEVER
  work(5);
#else
#pragma omp barrier
#endif
  // CHECK-FIXES: #pragma omp barrier
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: #line 41 "hooks-standalone.c"
  // CHECK-FIXES-NEXT: #endif
  CHECK_LINE(46);
  switch (n) {
  case 1:;
#pragma omp taskwait
  case 2:
    // CHECK-FIXES: case 1:;
    // CHECK-FIXES-NEXT: #pragma omp taskwait
    // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); case 2:
    break;
  }
  goto end;
end:;
#pragma omp barrier
  // CHECK-FIXES: end:;
  // CHECK-FIXES-NEXT: #pragma omp barrier
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); }
}
CHECK_LINE(63);

// CHECK-REPORT: 8 sync points: 8 hooked, 0 skipped
