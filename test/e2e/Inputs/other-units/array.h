// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
extern "C" double *c_field(long n); // array.cpp
namespace data {
struct Buffer {
  Buffer();
  explicit Buffer(long n);
  void take(long n);
  double *begin() { return p; }
  double *p = nullptr;
};
class Array : Buffer {
public:
  explicit Array(long n);
  Array(long n, double value); // delegates
  ~Array();
  void grow(long n);
  double *data() { return p; }
  double &operator[](long i) { return p[i]; }

private:
  Array(const Array &);
};
double *get(long n);
double *get(long n, int zero);
struct Failed {};
double *may_fail(long n, bool fails);
} // namespace data
struct Pair { // of arrays in its list of initialisers
  data::Array a, b;
  explicit Pair(long n);
};
template <class T> T *made(long n) {
  return reinterpret_cast<T *>(data::get(n));
}
template <class A> struct Holder {
  A one;
  explicit Holder(long n) : one(n) {}
};
