// A wrapper in a unit of its own.
#include "other.h"
#include <cstdlib>
double *elsewhere(long N) {
  return static_cast<double *>(malloc(N * sizeof(double)));
}
