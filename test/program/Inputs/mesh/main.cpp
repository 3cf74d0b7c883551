#include "mesh.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
int main(int Argc, char **Argv) {
  long N = Argc > 1 ? std::atol(Argv[1]) : 100;
  Mesh M(N, 2 * N);
  std::vector<double> Out(2 * N);
  M.gather(Out);
  std::unique_ptr<Solver> S(makeSolver(N > 50));
  std::printf("%g\n", S->solve(M) + Out[0]);
  return 0;
}
