// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array.h"
namespace data {
Array::Array(long n) : Buffer(n) {}
Array::Array(long n, double value) : Array(n) { p[0] = value; }
Array::~Array() { delete[] p; }
void Array::grow(long n) {
  double *old = p;
  take(n);
  delete[] old;
}
} // namespace data
Pair::Pair(long n) : a(n), b(n) {}
