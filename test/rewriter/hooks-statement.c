// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only -- -fopenmp
// Hooks after the statement that belongs to a directive, in every place where
// such a statement may stand.
#define CHECK_LINE(n) _Static_assert(__LINE__ == n, "line numbers stay")
void work(int);
#define BODY                                                                   \
  { work(9); }

void f(int n, double *a) {
#pragma omp parallel
  { work(1); }
  // CHECK-FIXES: { work(1); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] = j;
  work(2);
  // CHECK-FIXES: a[i] = j;
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); work(2);

  if (n) // note
#pragma omp parallel
    work(3);
  else
#pragma omp parallel sections
  {
    work(4);
#pragma omp section
    work(5);
  }
  // CHECK-FIXES: if (n) { // note
  // CHECK-FIXES-NEXT: #pragma omp parallel
  // CHECK-FIXES-NEXT: work(3);
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); } else {
  // CHECK-FIXES-NEXT: #pragma omp parallel sections
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: work(4);
  // CHECK-FIXES-NEXT: #pragma omp section
  // CHECK-FIXES-NEXT: work(5);
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }

  for (int i = 0; i < n; i++)
#pragma omp parallel
  {
  }
  // CHECK-FIXES: for (int i = 0; i < n; i++) {
  // CHECK-FIXES-NEXT: #pragma omp parallel
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  while (n--)
#pragma omp parallel
    ;
  // CHECK-FIXES: while (n--) {
  // CHECK-FIXES-NEXT: #pragma omp parallel
  // CHECK-FIXES-NEXT: ;
  do
#pragma omp parallel
  {
  }
  while (n--);
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); } do {
  // CHECK-FIXES-NEXT: #pragma omp parallel
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  // CHECK-FIXES-NEXT: while (n--);

  switch (n) {
  case 1:
#pragma omp parallel
  {
  }
  default:
    break;
    // CHECK-FIXES: case 1: {
    // CHECK-FIXES: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  }
  goto label;
label:
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i] = 1;
  }
  // CHECK-FIXES: label: {
  // CHECK-FIXES: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }

#pragma omp parallel
  BODY
  // CHECK-FIXES: BODY ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);

  // A directive that is the whole statement of another one.
#pragma omp parallel
#pragma omp single
  { work(6); }
  // CHECK-FIXES: #pragma omp parallel
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: #line [[#]] "hooks-statement.c"
  // CHECK-FIXES-NEXT: #pragma omp single
  // CHECK-FIXES-NEXT: { work(6); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  CHECK_LINE(99);

#pragma omp parallel
  {
    double t;
#pragma omp single copyprivate(t)
    t = 1;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      a[i] = t;
#pragma omp single nowait
    work(7);
#pragma omp sections nowait
    {
#pragma omp section
      work(8);
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++)
      if (i)
        a[i] = t;
      else
        a[i] = 0;
#pragma omp sections
    {
#pragma omp taskgroup
      work(9);
#pragma omp section
#pragma omp taskgroup
      work(10);
    }
  }
  // CHECK-FIXES: #pragma omp single copyprivate(t)
  // CHECK-FIXES-NEXT: t = 1;
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: #line 106 "hooks-statement.c"
  // CHECK-FIXES-NEXT: #pragma omp for nowait
  // CHECK-FIXES-NEXT: for (int i = 0; i < n; i++)
  // CHECK-FIXES-NEXT: a[i] = t;
  // CHECK-FIXES-NEXT: #pragma omp single nowait
  // CHECK-FIXES-NEXT: work(7);
  // CHECK-FIXES-NEXT: #pragma omp sections nowait
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: #pragma omp section
  // CHECK-FIXES-NEXT: work(8);
  // CHECK-FIXES-NEXT: }
  // CHECK-FIXES-NEXT: #pragma omp for schedule(dynamic)
  // CHECK-FIXES: a[i] = 0;
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: #line [[#]] "hooks-statement.c"
  // CHECK-FIXES-NEXT: #pragma omp sections
  // CHECK-FIXES-NEXT: { {
  // CHECK-FIXES-NEXT: #pragma omp taskgroup
  // CHECK-FIXES-NEXT: work(9);
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  // CHECK-FIXES-NEXT: #line [[#]] "hooks-statement.c"
  // CHECK-FIXES-NEXT: #pragma omp section
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: #line [[#]] "hooks-statement.c"
  // CHECK-FIXES-NEXT: #pragma omp taskgroup
  // CHECK-FIXES-NEXT: work(10);
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); } } ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
}

// CHECK-REPORT: 18 sync points: 18 hooked, 0 skipped
