// Calls of other units inside of loops, and of one of them from two places.
#include "table.h"
#include <cstdio>

static double step(Table<double> &A, Table<double> &B) {
  for (long K = 0; K < collatz(A.rows()); ++K)
    sweep(B, A);
  return B.above(Threshold);
}

int main(int, char **Arguments) {
  long N = std::atol(Arguments[1]), M = std::atol(Arguments[2]);
  Table<double> A(N, M), B(N, M);
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < M; ++J)
      A.row(I)[J] = B.row(I)[J] = double(I ^ J);
  long *Order = static_cast<long *>(std::malloc(N * sizeof *Order));
  for (long I = 0; I < N; ++I)
    Order[I] = collatz(I + 1);
  double Sum = step(A, B);
  Sum += countUp(A, Order, N / 2);
  Sum += countUp(B, Order, N);
  std::printf("%g\n", Sum);
  std::free(Order);
}
