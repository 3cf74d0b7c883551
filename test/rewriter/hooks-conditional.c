// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib --settings=OPEN,WIDE,SERIAL --hooks-only -- -fopenmp -DFAST
// Directives in conditional text: the hook has the conditions of its directive,
// where the place behind the statement has not.
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#define N 1000
static double x[N];
static int seen;
static void note(int k) { seen += k; }

static void beside(long n) {
#ifdef FAST
  note(1);
#pragma omp parallel for
#endif
  for (long i = 0; i < n; i++)
    x[i] += 1;
  note(2);
  // CHECK-FIXES: x[i] += 1;
  // CHECK-FIXES-NEXT: #ifdef FAST
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  // CHECK-FIXES-NEXT: #endif
  // CHECK-FIXES-NEXT: #line {{[0-9]+}} "hooks-conditional.c"
  // CHECK-FIXES-NEXT: note(2);
}

static void arms(long n) {
#if defined(OPEN) && !defined(WIDE)
#pragma omp parallel for schedule(static, 1)
#elif defined(SERIAL)
  note(3);
#else
#pragma omp parallel for \
    firstprivate(n)
#endif
  for (long i = 0; i < n; i++) {
    x[i] += 2;
  }
  // CHECK-FIXES: x[i] += 2;
  // CHECK-FIXES-NEXT: }
  // CHECK-FIXES-NEXT: #if defined(OPEN) && !defined(WIDE)
  // CHECK-FIXES-NEXT: #elif defined(SERIAL)
  // CHECK-FIXES-NEXT: #else
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  // CHECK-FIXES-NEXT: #endif
}

// The only statement of an if, a loop, another directive.
static void nested(long n) {
  if (n > 1)
#ifndef SERIAL
#pragma omp parallel for
#endif
    for (long i = 0; i < n; i++)
      x[i] += 3;
  else
    note(4);
  // CHECK-FIXES: if (n > 1)
  // CHECK-FIXES-NEXT: #ifndef SERIAL
  // CHECK-FIXES-NEXT: {
  // CHECK-FIXES-NEXT: #line {{[0-9]+}} "hooks-conditional.c"
  // CHECK-FIXES-NEXT: #pragma omp parallel for
  // CHECK-FIXES-NEXT: #endif
  // CHECK-FIXES: x[i] += 3;
  // CHECK-FIXES-NEXT: #ifndef SERIAL
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  // CHECK-FIXES-NEXT: #endif
  // CHECK-FIXES-NEXT: #line {{[0-9]+}} "hooks-conditional.c"
  // CHECK-FIXES-NEXT: else
  for (int k = 0; k < 2; k++)
#ifdef OPEN
    note(5);
#else
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      x[i] += 4;
#endif
#ifndef SERIAL
#pragma omp parallel
#endif
#ifndef WIDE
#pragma omp for
#endif
  for (long i = 0; i < 1; i++)
    x[i] += 5;
}

// One statement in several arms.
static void statements(long n) {
#pragma omp parallel for
#ifdef OPEN
  for (long i = 0; i < n; i += 2)
    x[i] += 6;
#else
  for (long i = 0; i < n; i++)
    x[i] += 7;
#endif
  // CHECK-FIXES: x[i] += 7;
  // CHECK-FIXES-NEXT: #endif
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  // CHECK-FIXES-NEXT: #line {{[0-9]+}} "hooks-conditional.c"
  // CHECK-FIXES-NEXT: #ifndef SERIAL
#ifndef SERIAL
#pragma omp parallel for
#endif
#ifdef WIDE
  for (long i = n - 1; i >= 0; i--)
#else
  for (long i = 0; i < n; i++)
#endif
  { x[i] += 8; }
#ifndef SERIAL
#pragma omp parallel
  {
#pragma omp barrier
#endif
    x[0] += 0;
#if !defined(SERIAL)
#ifdef FAST
#pragma omp barrier
#pragma omp single
#endif
    x[1] += 9;
  }
#endif
}

// The arms end alike: one hook behind them.
static void loops(long n) {
  if (n > 1)
#pragma omp parallel for
#if defined(OPEN)
    for (long i = 0; i < n; i += 2) {
      x[i] += 14;
    }
#elif defined(WIDE)
    for (long i = 0; i < n; i++)
      for (long k = 0; k < 2; k++)
        x[i] += 15;
#else
    for (long i = 0; i < n; i++)
      x[i] += 16;
#endif
  note(7);
  // CHECK-FIXES: if (n > 1) {
  // CHECK-FIXES: x[i] += 16;
  // CHECK-FIXES-NEXT: #endif
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); } note(7);
#pragma omp parallel
#pragma omp for
#ifdef OPEN
  for (long i = 0; i < n; i++)
    x[i] += 19;
#else
  for (long i = 0; i < n; i++)
#pragma omp simd
    for (long k = 0; k < 1; k++) {
      x[i] += 20;
    }
#endif
  note(10);
  // CHECK-FIXES: x[i] += 20;
  // CHECK-FIXES: #endif
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); }{{ *}}ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); note(10);
  // Not under every setting: the hook stays in its arm.
#pragma omp parallel for
#ifdef WIDE
  for (long i = 0; i < n; i++)
    x[i] += 17;
  note(8);
#else
  for (long i = 0; i < n; i++)
    x[i] += 18;
#endif
  note(9);
  // CHECK-FIXES: x[i] += 18;
  // CHECK-FIXES-NEXT: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
  // CHECK-FIXES: #endif
}

static void team(long n) {
#ifndef SERIAL
#pragma omp parallel
#endif
  {
#ifdef _OPENMP
#ifndef SERIAL
#pragma omp for nowait
#endif
    for (long i = 0; i < n; i++)
      x[i] += 10;
#pragma omp barrier
#endif
#if _OPENMP
#pragma omp single
#endif
    {
#ifdef FAST
#pragma omp task
#endif
      x[2] += 11;
#ifdef FAST
#pragma omp taskwait
#endif
    }
  }
#undef FAST
}

// In another configuration it is somebody's only statement.
static void only(long n) {
#ifdef WIDE
  if (n > 4)
#endif
#ifndef SERIAL
#pragma omp parallel for
#endif
    for (long i = 0; i < n; i++)
      x[i] += 13;
#ifdef WIDE
  else
    note(6);
#endif
}

#define TASKS 2
static void changed(long n) {
#if TASKS > 1
#pragma omp parallel for
#undef TASKS
#define TASKS 1
#endif
  for (long i = 0; i < n; i++)
    x[i] += 12;
}
// CHECK-FIXES: x[i] += 12;
// CHECK-FIXES-NEXT: }

int main(void) {
  beside(N);
  arms(N);
  nested(N);
  statements(N);
  loops(N);
  team(N);
  only(N);
  only(3);
  changed(N);
  printf("%d %g %g %g %d\n", x[0] >= 0, x[3], x[4], x[999], seen);
  return 0;
}
// CHECK-REPORT: 22 sync points: 21 hooked, 1 skipped (1 conditional-directive)
