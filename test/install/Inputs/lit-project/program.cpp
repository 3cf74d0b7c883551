// RUN: mkdir -p %t && %ek-clang++ -O2 %s -o %t/app && cd %t && %evenkeel analyze --print app | FileCheck %s
// RUN: %ek-clang++ -O2 -fsyntax-only %s && %ek-c++ --version | FileCheck %s --check-prefix=VERSION
#include <vector>
int main(int Argc, char **) {
  std::vector<double> V(Argc * 100000L);
  double S = 0;
  for (double X : V)
    S += X;
  return S > 1;
}
// CHECK: region serial at {{.*}}program.cpp:4:0 in main
// CHECK: program.cpp:5:23{{ +}}stream{{ +}}8 B
// VERSION: clang version 19
