// What several units have: an instance of a template in both and one in each,
// a static function, an inline one, and one that is called on each element.
#include <cstdio>
#include <cstdlib>

template <class T>
__attribute__((noinline)) void add(const T *x, T *y, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] += x[i];
}

__attribute__((noinline)) static void halve(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    if (x[i] > 1)
      x[i] /= 2;
}

inline void fill(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (double d = i + 1; d > 1; d /= 2)
      x[i] = d;
}

void first(long n);
void second(long n);
