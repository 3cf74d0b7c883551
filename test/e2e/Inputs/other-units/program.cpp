// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kinds.h"
#include <cstdio>
#include <cstdlib>
#include <functional>
static double sum;
static void use(double *p, long n) {
  for (long i = 0; i < n; ++i)
    p[i] = 1;
  sum += p[n / 2];
}
#define GET(n) cfun(n)
#define NEED(p, n) (cneed(&(p), n) ? abort() : (void)0)
template <class F> void call(F f) { f(); }
int main(int argc, char **argv) {
  const long n = std::atol(argv[1]);
  if (argc > 2) {
    use(cfun(n), n);
    use(nested(n), n);
    use(ext<double>(n), n);
  }
  Both b(n), c(n);
  use(b.p, n), use(c.p, n);
  Left l(n);
  use(l.p, n);
  Box<double> x(n), y(n);
  use(x.p, n), use(y.p, n);
  use(x.more(n), n);
  use(Box<double>::shared(n), n);
  use(Box<double>::shared(n), n);
  use(ext<double>(n), n);
  use(ext<double>(n), n);
  auto u = uni(n), w = uni(n);
  use(u.get(), n), use(w.get(), n);
  Moved m(n), o = moved(n);
  use(m.v.data(), n), use(o.v.data(), n);
  use(with_default(n), n);
  use(nested(n), n);
  use(nested(n), n);
  use(&ref(n), n);
  use(&ref(n), n);
  use(oper({n, nullptr}), n);
  use(oper(Opt{n, nullptr}), n);
  Fill f;
  f.set(n);
  use(f.p, n);
  f.chain(n).set(n);
  use(f.p, n);
  double *t;
  throwing(t, n, false);
  use(t, n);
  try {
    throwing(t, n, true);
  } catch (...) {
  }
  use(t, n);
  double *after = cfun(n);
  use(after, n);
  use(GET(n), n);
  use(GET(n), n);
  NEED(t, n);
  use(t, n);
  NEED(t, n);
  use(t, n);
  call([&] { use(cfun(n), n); });
  call([=] { use(cfun(n), n); });
  std::function<void()> g = [n] { use(nested(n), n); };
  g();
  double *four[4];
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 4; ++i)
    four[i] = cfun(n);
  for (int i = 0; i < 4; ++i)
    use(four[i], n);
  double *k = argc > 1 ? cfun(n) : nested(n);
  use(k, n);
  if (double *z = cfun(n))
    use(z, n);
  for (double *z = nested(n); z; z = nullptr)
    use(z, n);
  static double *st = cfun(n);
  use(st, n);
  double *arr[2] = {cfun(n), cfun(n)};
  use(arr[0], n), use(arr[1], n);
  struct {
    double *p;
  } s = {cfun(n)};
  use(s.p, n);
  std::unique_ptr<Fill> pf(new Fill);
  pf->set(n);
  use(pf->p, n);
  auto sb = std::make_unique<Box<double>>(n);
  use(sb->p, n);
  Box<double> *nb = new Box<double>(n);
  use(nb->p, n);
  std::printf("%g\n", sum);
}
