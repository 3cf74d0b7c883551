// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array.h"
#include <cstdlib>
extern "C" double *c_field(long n) {
  return static_cast<double *>(std::malloc(n * 8));
}
namespace data {
Buffer::Buffer() {}
Buffer::Buffer(long n) : p(new double[n]) {}
void Buffer::take(long n) { p = new double[n]; }
double *get(long n) { return new double[n]; }
double *get(long n, int) { return static_cast<double *>(std::calloc(n, 8)); }
double *may_fail(long n, bool fails) {
  double *p = new double[n];
  if (fails) {
    delete[] p;
    throw Failed();
  }
  return p;
}
} // namespace data
