// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array.h"
#include <cstdio>
#include <cstdlib>
static double sum;
static void use(double *p, long n) {
  for (long i = 0; i < n; ++i)
    p[i] = 1;
  sum += p[n / 2];
}
static double *global = data::get(100000);
int main(int argc, char **argv) {
  const long n = std::atol(argv[1]);
  if (argc > 2)
    use(data::get(n), n), use(c_field(n), n);
  use(c_field(n), n);
  use(c_field(n), n);
  use(data::get(n), n), use(data::get(n, 0), n), use(data::get(n), n);
  data::Array a(n), b(n, 2);
  use(&a[0], n), use(&b[0], n);
  b.grow(n);
  use(b.data(), n);
  auto *c = new data::Array(n);
  use(c->data(), n);
  Pair p(n), q(n);
  use(p.a.data(), n), use(p.b.data(), n), use(q.a.data(), n),
      use(q.b.data(), n);
  use(made<double>(n), n);
  use(made<double>(n), n);
  Holder<data::Array> h(n), i(n);
  use(h.one.data(), n), use(i.one.data(), n);
  for (int fails = 0; fails < 3; ++fails)
    try {
      use(data::may_fail(n, fails == 1), n);
    } catch (const data::Failed &) {
      use(data::get(n), n);
    }
  use(global, 100000);
  std::printf("%g\n", sum);
  delete c;
  return 0;
}
