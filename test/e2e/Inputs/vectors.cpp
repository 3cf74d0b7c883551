// All data in containers: a triad over members, grown and copied.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Mesh {
  std::vector<double> A, B, C;
  explicit Mesh(size_t N) : A(N) {
    B.resize(N);
    for (size_t I = 0; I < N; ++I)
      C.push_back(static_cast<double>(I));
  }
};

int main(int argc, char **argv) {
  size_t N = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100000;
  Mesh M(N);
  std::vector<double> D = M.C;
  double Sum = 0;
  for (int Step = 0; Step < 3; ++Step) {
#pragma omp parallel for
    for (size_t I = 0; I < N; ++I)
      M.A[I] = M.B[I] + 3 * M.C[I];
#pragma omp parallel for reduction(+ : Sum)
    for (size_t I = 0; I < N; ++I)
      Sum += M.A[I] * D[I];
  }
  std::printf("%g\n", Sum);
  return 0;
}
