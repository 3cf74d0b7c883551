// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kinds.h"
#include <cstdlib>
#include <stdexcept>
Base::Base(long n) : p(new double[n]) {}
Base::~Base() {}
double *Base::make(long n) { return new double[n]; }
template <class T>
Box<T>::Box(long n) : p(static_cast<T *>(std::malloc(n * sizeof(T)))) {}
template <class T> T *Box<T>::more(long n) {
  p = static_cast<T *>(std::malloc(n * sizeof(T)));
  return p;
}
template <class T> T *Box<T>::shared(long n) { return new T[n]; }
template struct Box<double>;
template <class T> T *ext(long n) { return new T[n]; }
template double *ext<double>(long n);
std::unique_ptr<double[]> uni(long n) {
  return std::unique_ptr<double[]>(new double[n]);
}
std::vector<double> vec(long n) { return std::vector<double>(n); }
Moved::Moved(long n) : v(n) {}
Moved moved(long n) { return Moved(n); }
double *with_default(long n, double *q) { return q ? q : new double[n]; }
double &ref(long n) { return *new double[n]; }
double *oper(const Opt &o) { return new double[o.n]; }
void Fill::set(long n) { p = new double[n]; }
Fill &Fill::chain(long n) {
  p = new double[n];
  return *this;
}
void throwing(double *&out, long n, bool t) {
  out = new double[n];
  if (t)
    throw std::runtime_error("x");
}
double *cfun(long n) { return new double[n]; }
int cneed(double **p, long n) {
  *p = new double[n];
  return 0;
}
