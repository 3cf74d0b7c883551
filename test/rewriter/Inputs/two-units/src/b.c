#include "../include/plain.h"
#include "shared.h"

double sum(const double *a, int n) {
  double *copy = make(n), s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += copy[i] = a[i];
  free(copy);
  return s;
}
