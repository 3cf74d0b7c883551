// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
#include <vector>
struct Base {
  double *p;
  Base(long n);
  virtual ~Base();
  virtual double *make(long n);
};
struct Left : virtual Base {
  Left(long n);
};
struct Right : virtual Base {
  Right(long n);
};
struct Both : Left, Right {
  Both(long n);
};
template <class T> struct Box {
  T *p;
  explicit Box(long n);
  T *more(long n);
  static T *shared(long n);
};
extern template struct Box<double>;
template <class T> T *ext(long n);
extern template double *ext<double>(long n);
std::unique_ptr<double[]> uni(long n);
std::vector<double> vec(long n);
struct Moved {
  std::vector<double> v;
  Moved(long n);
  Moved(Moved &&) = default;
};
Moved moved(long n);
double *with_default(long n, double *q = nullptr);
double &ref(long n);
double *nested(long n);
struct Opt {
  long n;
  double *(*f)(long);
  double *go();
};
double *oper(const Opt &);
struct Fill {
  double *p = nullptr;
  void set(long n);
  Fill &chain(long n);
};
void throwing(double *&out, long n, bool t);
extern "C" {
double *cfun(long n);
int cneed(double **p, long n);
}
