// Conditions, each followed by a loop and calls that may throw, in one long
// function: twice as many take about four times as long, not eight.
// RUN: %clangxx -O2 -g -c %s -o %t.o -fpass-plugin=%ekpass
// RUN: timeout 60 %evenkeel analyze --print %t.o | FileCheck %s
// CHECK: region serial at {{.*}} in main
#include <iostream>
#include <string>
#include <vector>

#define PART(k)                                                                \
  if (argc > k)                                                                \
    out += std::string(argv[k]) + "=";                                         \
  for (int i = k; i < argc; i++)                                               \
    v[i] += k;
#define TEN(k)                                                                 \
  PART(k) PART(k + 1) PART(k + 2) PART(k + 3) PART(k + 4) PART(k + 5)          \
  PART(k + 6) PART(k + 7) PART(k + 8) PART(k + 9)

int main(int argc, char **argv) {
  std::vector<double> v(argc);
  std::string out;
  TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) TEN(60) TEN(70)
  std::cout << out << v[0];
}
// INPUTS 24 | 38
