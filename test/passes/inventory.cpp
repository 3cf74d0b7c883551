// RUN: %bitcodexx %s -o %t.bc && %ekopt -passes='print<ek-inventory>' -disable-output %t.bc | FileCheck %s
// Templates are one spelling, containers have no entity of their own.
#include <vector>
template <class T> struct Buffer {
  T *data;
  explicit Buffer(long n) : data(new T[n]) {}
  ~Buffer() { delete[] data; }
};
long *at_start = new long[9];
int main() {
  Buffer<int> a(3);
  Buffer<double> b(4);
  auto make = [](long n) { return new int(n); };
  int *c = make(2);
  std::vector<int> v(10);
  return a.data[0] + b.data[0] + *c + v[0] + at_start[0] > 3;
}

// CHECK: site new[] inventory.cpp:6:34 in Buffer id={{[0-9a-f]+$}}
// CHECK-NEXT: site new[] inventory.cpp:9:18 in file id={{[0-9a-f]+$}}
// CHECK-NEXT: region serial inventory.cpp:10:0 in main id={{[0-9a-f]+$}}
// CHECK-NEXT: site new inventory.cpp:13:35 in operator() id={{[0-9a-f]+$}}
// CHECK-NEXT: skipped system-header 1
// CHECK-NOT: {{.}}
// INPUTS 24 | 38
