// Nodes that a container's own recursive code allocates, which is not inlined,
// have as their places the user's lines that call it.
// RUN: rm -rf %t && mkdir %t && cp %s %t/main.cpp && cd %t
// RUN: %clangxx -O2 -g -fpass-plugin=%ekpass -c main.cpp -o main.o
// RUN: %evenkeel analyze main.o --print --verify | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <map>

int main(int argc, char **argv) {
  long n = atol(argv[1]);
  std::map<long, long> a;
  for (long i = 0; i < n; ++i)
    a[i] = i;
  std::map<long, long> b = a;
  // CHECK: main.cpp:[[@LINE-1]]:28 container main
  std::map<long, long> c(b);
  // CHECK: main.cpp:[[@LINE-1]]:24 container main
  long sum = 0;
  for (auto &[k, v] : c)
    sum += v;
  // CHECK: region serial
  // CHECK: main.cpp:{{15:28 or main.cpp:17:24|17:24 or main.cpp:15:28}} chase
  printf("%ld\n", sum);
}
// CHECK-NOT: site-without-id
