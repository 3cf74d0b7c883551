// An OpenMP region that calls another unit's kernel for each row.
#include "table.h"

static double step(double *To, const double *From, long N) {
  relax(To + 1, From + 1, N - 2);
  return To[1] - From[1];
}

void sweep(Table<double> &To, Table<double> &From) {
  double Moved = 0;
#pragma omp parallel for reduction(+ : Moved)
  for (long I = 0; I < To.rows(); ++I)
    Moved += step(To.row(I), From.row(I), To.columns());
  if (Moved < 0)
    Threshold = 1;
}
