#ifndef SHARED_H
#define SHARED_H
#include <stdlib.h>

static inline double *make(size_t n) {
  return malloc(n * sizeof(double));
}
#endif
