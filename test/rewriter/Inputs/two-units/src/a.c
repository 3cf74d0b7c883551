#include "plain.h"
#include "shared.h"
#include <stdio.h>

int main(void) {
  int n = 1000;
  double *a = make(n);
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
  printf("%s:%d %g\n", __FILE__, __LINE__, sum(a, n));
  free(a);
}
