// A loop that ends where the data says, and the template once more.
#include "table.h"

static double step(Table<double> &T, long I, long Most) {
  double Sum = 0;
  for (long J = 0; J < Most && J < T.columns(); ++J)
    Sum += T.row(I)[J];
  return Sum;
}

double countUp(Table<double> &T, const long *Order, long N) {
  double Sum = T.above(Threshold);
  for (long I = 0; I < N; ++I)
    Sum += step(T, I, Order[I]);
  return Sum;
}
