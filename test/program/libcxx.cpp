// Containers of libc++, where it is there: the same places, classes and counts
// as of those that come with GCC.
// REQUIRES: libc++
// RUN: rm -rf %t && mkdir %t && cp %s %t/main.cpp && cd %t
// RUN: %clangxx -stdlib=libc++ -O2 -g -fopenmp -fpass-plugin=%ekpass -c main.cpp -o main.o
// RUN: %evenkeel analyze main.o --print --verify | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  long n = atol(argv[1]);
  std::vector<double> a(n), b;
  // CHECK: main.cpp:[[@LINE-1]]:23 container main 8*n live
  for (long i = 0; i < n; ++i)
    b.push_back(i);
  // CHECK: main.cpp:[[@LINE-1]]:7 container main {{.*}} live
  std::string s;
  s.resize(n, 'x');
  // CHECK: main.cpp:[[@LINE-1]]:5 container main {{.*}} live
  std::list<double> l;
  for (long i = 0; i < n; ++i)
    l.push_back(i);
  auto p = std::make_unique<double[]>(n);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; ++i)
    sum += a[i] + b[i] + p[i] + s[i];
  // CHECK: region parallel
  // CHECK-DAG: {{^}} main.cpp:16:23 stream 8 B share(n) 0 exact
  // CHECK-DAG: {{^}} main.cpp:19:7 stream 8 B share(n) 0 exact
  // CHECK-DAG: {{^}} main.cpp:22:5 {{.*}} share(n) 0
  // CHECK-DAG: {{^}} main.cpp:27:12 stream 8 B share(n) 0 exact
  for (double v : l)
    sum += v;
  printf("%g\n", sum);
}
// CHECK: verified:
