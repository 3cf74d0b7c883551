// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only -- -fopenmp
// Directives behind _Pragma and macros: the hook goes behind the operator or
// the macro's use, where the directive or its statement ends.
#define CHECK_LINE(n) _Static_assert(__LINE__ == n, "line numbers stay")
#define PRAGMA(x) _Pragma(#x)
#define OMP(...) PRAGMA(omp __VA_ARGS__)
#define BARRIER _Pragma("omp barrier")
#define FOR_ALL _Pragma("omp parallel for") for
#define TEAM_WORK _Pragma("omp parallel") work(0);
#define SAME(x) x
void work(int);

void f(int n, double *a) {
  BARRIER
  work(1);
  // CHECK-FIXES: BARRIER ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: work(1);
  _Pragma("omp barrier") work(2);
  // CHECK-FIXES: _Pragma("omp barrier") ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); work(2);
  FOR_ALL(int i = 0; i < n; i++) a[i] = 1;
  OMP(taskwait depend(in : a[0], a[1]));
  // What stands on a line behind a hook keeps its column, which is in its id.
  // CHECK-FIXES: FOR_ALL(int i = 0; i < n; i++) a[i] = 1;
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  // CHECK-FIXES-NEXT: #line 21 "hooks-pragma-operator.c"
  // CHECK-FIXES-NEXT: OMP(taskwait depend(in : a[0], a[1])) ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);;
  if (n > 1) // note
    _Pragma("omp parallel") { work(3); }
  else TEAM_WORK
  // CHECK-FIXES: if (n > 1) { // note
  // CHECK-FIXES-NEXT: _Pragma("omp parallel") { work(3); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  // CHECK-FIXES-NEXT: else {
  // CHECK-FIXES-NEXT: #line [[#]] "hooks-pragma-operator.c"
  // CHECK-FIXES-NEXT: TEAM_WORK ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  SAME(_Pragma("omp taskwait") work(4);)
  // CHECK-FIXES: SAME(_Pragma("omp taskwait") ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); work(4);)
#pragma omp parallel
  OMP(single)
  work(5);
  // CHECK-FIXES: {
  // CHECK-FIXES-NEXT: #line [[#]] "hooks-pragma-operator.c"
  // CHECK-FIXES-NEXT: OMP(single)
  // CHECK-FIXES-NEXT: work(5);
  // CHECK-FIXES: {{^ *}}ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
}
CHECK_LINE(46);
// CHECK-REPORT: 9 sync points: 9 hooked, 0 skipped
