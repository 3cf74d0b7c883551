// Containers and one array of the program's own.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct Field {
  std::vector<double> Values;
  explicit Field(size_t N) : Values(N) {}
};

template <class T> struct Pair {
  std::vector<T> First;
  explicit Pair(size_t N) : First(N) {}
};
template <class T> T widen(std::vector<T> &V, size_t N) {
  V.resize(N);
  std::vector<T> Copy(N);
  Pair<T> Both(N);
  return V[N - 1] + Copy[N / 2] + Both.First[N / 3];
}

int main(int argc, char **argv) {
  size_t N = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100000;
  std::vector<double> A(N, 1.0), B;
  auto C = std::make_unique<double[]>(N);
  double *D = new double[N];
  B.resize(N);
  auto Grow = [&] { return widen(A, 2 * N); };
  double Sum = Grow();
  auto E = std::vector<float>(N);
  Field F(N);
#pragma omp parallel for reduction(+ : Sum)
  for (size_t I = 0; I < N; ++I) {
    C[I] = D[I] = B[I] + A[I];
    Sum += C[I] + D[I] + E[I] + F.Values[I];
  }
  delete[] D;
  return Sum < 0;
}
