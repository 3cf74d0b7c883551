// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdlib>
#include <vector>
#define PASS(...) __VA_ARGS__
using List = std::vector<int>;
void *hot(int a, int b) { return PASS(malloc(std::max(a, b))); }
template <typename T> T *cold(int n) {
  T *h = PASS(new T[n]());
  return h;
}
template int *cold<int>(int);
void *mixed(int a, List &v) { return PASS((v.resize(a), malloc(a))); }
void twice(int a, List &v, List &w) { PASS((v.resize(a), w.resize(a))); }
