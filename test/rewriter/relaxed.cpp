// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/mpi_stub.h -- -Wno-unknown-pragmas -Wno-unknown-attributes -Wno-attributes -std=c++17
// Relaxed sums in C++: qualified names, templates, lambdas.
#include "Inputs/mpi_stub.h"

template <class T> void sum(T *g, int n) {
  [[evenkeel::relaxed("bound=1")]] ::MPI_Allreduce(g, g, n, MPI_FLOAT, MPI_SUM, 0);
  // CHECK-FIXES: {{.*}} ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, ek_relaxed(0x{{[0-9a-f]+}}ULL, 1, 0, g, g, n, MPI_FLOAT, MPI_SUM, 0));
}
template void sum(float *, int);

int steps(double *g, int n) {
  auto step = [&](int i) {
#pragma evenkeel relaxed(bound=4, last=i == n)
    return MPI_Allreduce(g, g, n, MPI_DOUBLE, MPI_SUM, 0);
    // CHECK-FIXES: return ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, ek_relaxed(0x{{[0-9a-f]+}}ULL, 4, (i == n), g, g, n, MPI_DOUBLE, MPI_SUM, 0));
  };
  return step(n);
}
// CHECK-REPORT: 2 sums relaxed: link with -levenkeel-relaxed
