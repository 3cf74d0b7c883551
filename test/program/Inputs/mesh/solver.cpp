#include "mesh.h"
struct Plain : Solver {
  double solve(Mesh &M) override {
    double S = 0;
#pragma omp parallel for reduction(+ : S)
    for (long I = 0; I < M.Node.size(); I++)
      S += M.Node(I);
    return S;
  }
};
struct Tasks : Solver {
  double solve(Mesh &M) override {
    double S = 0;
#pragma omp parallel
#pragma omp single
    for (long B = 0; B < M.Node.size(); B += 16) {
#pragma omp task firstprivate(B) shared(M, S)
      for (long I = B; I < B + 16 && I < M.Node.size(); I++)
#pragma omp atomic
        S += M.Node(I);
    }
    return S;
  }
};
Solver *makeSolver(bool Fast) {
  if (Fast)
    return new Plain;
  return new Tasks;
}
