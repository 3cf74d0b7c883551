// Strings point into themselves. Where records of several strings are moved,
// the analysis does not shift these pointers through the records without bound.
// RUN: %bitcodexx %s -o %t.bc
// RUN: bash -c 'ulimit -t 20; exec "$@"' - %access %t.bc | FileCheck %s
#include <algorithm>
#include <queue>
#include <string>
#include <vector>

struct Result {
  unsigned Number;
  std::string First, Second, Third, Fourth, Fifth;
};

struct Later {
  bool operator()(const Result &A, const Result &B) const {
    return A.Number > B.Number;
  }
};

// CHECK: region parallel many-strings.cpp:25
int main(int argc, char **argv) {
  std::priority_queue<Result, std::vector<Result>, Later> Waiting;
  std::vector<double> Length(100 * argc);
#pragma omp parallel for
  for (int I = 0; I < 100 * argc; ++I) {
    Result R{unsigned(I), argv[0], argv[0], argv[0], argv[0], argv[0]};
    Length[I] = R.Third.size();
#pragma omp critical
    Waiting.push(std::move(R));
  }
  double Sum = 0;
  while (!Waiting.empty()) {
    Result R = std::move(const_cast<Result &>(Waiting.top()));
    Waiting.pop();
    Sum += R.First.size() + Length[R.Number];
  }
  return Sum != 0;
}
