#include "pool.h"
double quick(double *a, long n) {
  if (n < 32) {
    double s = 0;
    for (long i = 0; i < n; i++)
      s += a[i];
    return s;
  }
  double x, y;
#pragma omp task shared(x)
  x = quick(a, n / 2);
  y = quick(a + n / 2, n - n / 2);
#pragma omp taskwait
  return x + y;
}
