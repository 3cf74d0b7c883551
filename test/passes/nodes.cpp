// RUN: %bitcodexx %s -o %t.bc && %access %t.bc | FileCheck %s
// Nodes that the C++ library's own code links: found again by walking them.
#include <cstdlib>
#include <list>
#include <map>
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  std::map<long, double> table;
  std::list<long> queue;
  for (long i = 0; i < n; ++i) {
    table[i * 7919 % n] = i;
    queue.push_back(i);
  }
  double s = 0;
#pragma omp parallel reduction(+ : s)
  {
    for (const auto &[key, value] : table)
      s += key * value;
    for (long i : queue)
      s += i;
  }
  return s > 0;
}
// CHECK-LABEL: {{^}}region parallel nodes.cpp:15:1 in main{{$}}
// CHECK-NEXT: {{^}}  nodes.cpp:18:12 container@nodes.cpp:11:5 chase element 8 dependent reads 2*main:trip.17 writes 0 bound why may-be-elsewhere{{$}}
// CHECK-NEXT: {{^}}  nodes.cpp:19:17 container@nodes.cpp:12:11 chase element 8 dependent reads 2*main:trip.19 writes 0 bound why may-be-elsewhere{{$}}
// CHECK: region serial
// CHECK-NOT: unknown element
