// Memory of classes and containers that a team touches first, part by part.
// INPUTS 3701 31 | 6133 43
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>
#define KERNEL __attribute__((noinline)) static void

struct Field {
  std::unique_ptr<double[]> v;
  long n;
};
// KERNEL zero_field: exact
//   new parallel stream(64) element 64 reads 0 writes min(8*share(f.n), ceildiv(8*first(f.n) + 8*share(f.n), 64) - floordiv(8*first(f.n), 64)) exact
KERNEL zero_field(long n) {
  Field f{std::unique_ptr<double[]>(new double[n]), n};
  double *v = f.v.get();
#pragma omp parallel for
  for (long i = 0; i < f.n; i++)
    v[i] = 0;
}

// KERNEL zero_vector: exact
//   v serial invariant element 4 reads 0 writes min(1, max(-n, n)) exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(4*n - 4, ceildiv(4*n, 64))) exact
//   v parallel stream(64) element 64 reads 0 writes min(4*share(n), ceildiv(4*first(n) + 4*share(n), 64) - floordiv(4*first(n), 64)) exact
KERNEL zero_vector(long n) {
  std::vector<int> v(n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    v[i] = 0;
}

// KERNEL fill_range: exact
//   new parallel stream(64) element 64 reads 0 writes share(i < m: min(8*n, ceildiv(8*i*n + 8*n, 64) - floordiv(8*i*n, 64))) exact
KERNEL fill_range(long n, long m) {
  std::unique_ptr<double[]> v(new double[n * m]);
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    std::fill(&v[i * n], &v[(i + 1) * n], 0.0);
}


int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  zero_field(n);
  zero_vector(n);
  fill_range(n, m);
  return 0;
}
