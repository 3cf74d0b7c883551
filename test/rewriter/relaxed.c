// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/mpi_stub.h -- -Wno-unknown-pragmas -fopenmp -std=gnu99
// Sums that need not have all parts: only where the source says so, and only
// sums of floating-point numbers.
#include "Inputs/mpi_stub.h"
#define REAL MPI_DOUBLE
#define CALL(x)                                                                \
  do {                                                                         \
    if ((x) != 0)                                                              \
      fail();                                                                  \
  } while (0)
#define SUM(a) MPI_Allreduce(a, a, 1, REAL, MPI_SUM, 0)
void fail(void);
int some(int, int);

void learns(double *g, float *f, int n, int steps, MPI_Comm comm) {
  for (int i = 0; i < steps; ++i) {
#pragma evenkeel relaxed(bound=3)
    MPI_Allreduce(g, g + n, n, MPI_DOUBLE, MPI_SUM, comm);
    // CHECK-FIXES: ek_after(0x[[ID:[0-9a-f]+]]ULL, EK_SERIAL | EK_PARTIAL, ek_relaxed(0x[[ID]]ULL, 3, 0, g, g + n, n, MPI_DOUBLE, MPI_SUM, comm));
  }
  for (int k = 0; k < 9; ++k) {
    for (int i = 0; i < steps; ++i) {
#pragma evenkeel relaxed(bound = 0, last = some(i, 1) && \
                         i + 1 == steps)
      CALL(MPI_Allreduce(f, f + n, some(n, 1), MPI_FLOAT,
                         (MPI_SUM), comm));
      // CHECK-FIXES: CALL(ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, ek_relaxed(0x{{[0-9a-f]+}}ULL, 0, (some(i, 1) && i + 1 == steps), f, f + n, some(n, 1), MPI_FLOAT,
      // CHECK-FIXES-NEXT: (MPI_SUM), comm)));
    }
    MPI_Barrier(comm);
  }
  _Pragma("evenkeel relaxed(bound=2, last=some(steps, n))")
  if (MPI_Allreduce(g, g, 1, REAL, MPI_SUM, comm))
    return;
  // CHECK-FIXES: if (ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, ek_relaxed(0x{{[0-9a-f]+}}ULL, 2, (some(steps, n)), g, g, 1, REAL, MPI_SUM, comm)))
  MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, comm);
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, comm));
}

void refused(double *g, int *k, MPI_Datatype type) {
#pragma evenkeel relaxed(bound=3)
  MPI_Allreduce(k, k, 1, MPI_INT, MPI_SUM, 0);
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Allreduce(k, k, 1, MPI_INT, MPI_SUM, 0));
#pragma evenkeel relaxed(bound=3)
  MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_MAX, 0);
#pragma evenkeel relaxed(bound=3)
  MPI_Allreduce(g, g, 1, type, MPI_SUM, 0);
#pragma evenkeel relaxed(bound=3)
  MPI_Reduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0, 0);
#pragma evenkeel relaxed(bound=3)
  for (int i = 0; i < 4; ++i) {
    MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0);
    MPI_Allreduce(g + 1, g + 1, 1, MPI_DOUBLE, MPI_SUM, 0);
  }
#pragma evenkeel relaxed(bound=3)
  SUM(g);
#pragma evenkeel relaxed(bound=3)
  MPI_Allreduce((double[]){1, 2}, g, 1, MPI_DOUBLE, MPI_SUM, 0);
#pragma evenkeel relaxed
  MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0);
#pragma evenkeel relaxed(last=1)
  MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0);
#pragma evenkeel relaxed(bound=3, last=)
  MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
#pragma evenkeel relaxed(bound=3)
      MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0);
    MPI_Barrier(0);
  }
#pragma omp parallel
  {
#pragma evenkeel relaxed(bound=3)
    MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0);
  }
#pragma evenkeel relaxed(bound=3), exclude
  MPI_Allreduce(g, g, 1, MPI_DOUBLE, MPI_SUM, 0);
#pragma evenkeel relaxed(bound=3)
  MPI_Allreduce(g, g,
#ifdef TWO
                2,
#else
                1,
#endif
                MPI_DOUBLE, MPI_SUM, 0);
}
_Static_assert(__LINE__ == 87, "line numbers stay");
// CHECK-FIXES-NOT: ek_relaxed

// CHECK-REPORT: evenkeel: warning: relaxed.c:42:3: only sums of MPI_FLOAT or MPI_DOUBLE can be relaxed; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:45:3: only sums (MPI_SUM) can be relaxed; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:47:3: only sums of MPI_FLOAT or MPI_DOUBLE can be relaxed; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:52:5: one annotation relaxes one call, and 2 are in its text; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:53:5: one annotation relaxes one call, and 2 are in its text; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:56:3: the text is no plain call with six arguments; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:58:3: the text is no plain call with six arguments; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:68:7: MPI_Barrier in the same loop waits for ranks that may be behind; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:74:5: a sum in a parallel region cannot be relaxed; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:77:3: not relaxed: excluded; the call stays MPI_Allreduce
// CHECK-REPORT: evenkeel: warning: relaxed.c:79:3: the text is no plain call with six arguments; the call stays MPI_Allreduce
// CHECK-REPORT: 3 sums relaxed: link with -levenkeel-relaxed
