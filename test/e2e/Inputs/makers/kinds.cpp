// Templates, bases, members, containers, recursion, virtual members, loops.
#include <cstdio>
#include <cstdlib>
#include <vector>
long gn;
template <int N> struct Arr {
  double *d;
  Arr() : d(new double[N]) {}
  ~Arr() { delete[] d; }
};
struct G {
  double *d;
  G() { d = new double[gn]; }
};
struct Base {
  double *d;
  Base(long n) : d(new double[n]) {}
  virtual ~Base() { delete[] d; }
  virtual void grow(long n) {
    delete[] d;
    d = new double[n];
  }
};
struct Derived : Base {
  double *e;
  Derived(long n) : Base(n), e(new double[n]) {}
};
struct Solver {
  std::vector<double> v;
  Base b;
  Solver(long n) : v(n), b(n) {}
};
static std::vector<double> vecOf(long n) { return std::vector<double>(n); }
template <class T> T *rows(long n, T **&index) {
  index = new T *[n];
  T *all = new T[n];
  for (long i = 0; i < n / 100; i++)
    index[i] = all + i * 100;
  return all;
}
template <class F> static double with(long n, F f) {
  Base t(n);
  return f(t.d);
}
static double touch(double *p, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    p[i] = i;
  return p[n / 2];
}
static void recurse(double **out, long n, int k) {
  if (k)
    return recurse(out + 1, n, k - 1), void(*out = new double[n]);
  *out = new double[n];
}
static void many(double **out, int k, long n) {
  for (int i = 0; i < k; i++)
    out[i] = (double *)malloc(n * 8);
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double s = 0;
  gn = n;
  if (argc > 2) {
    Arr<100000> x;
    s += touch(x.d, n);
    G g;
    s += touch(g.d, n);
    Derived d(n);
    s += touch(d.e, n);
    Solver so(n);
    s += touch(so.b.d, n);
    auto v = vecOf(n);
    s += touch(v.data(), n);
    double **ix;
    s += touch(rows(n, ix), n);
    double *o[3];
    many(o, 3, n);
    s += touch(o[2], n);
    recurse(o, n, 2);
    s += touch(o[0], n);
  }
  Arr<100000> cold, hot, cool;
  s += touch(cold.d, n) + touch(hot.d, n) + touch(cool.d, n);
  G g1, g2;
  s += touch(g1.d, n) + touch(g2.d, n);
  Derived d1(n), d2(n);
  s += touch(d1.d, n) + touch(d1.e, n) + touch(d2.d, n) + touch(d2.e, n);
  Solver s1(n), s2(n);
  s += touch(s1.v.data(), n) + touch(s1.b.d, n) + touch(s2.v.data(), n) +
       touch(s2.b.d, n);
  auto v1 = vecOf(n), v2 = vecOf(n);
  s += touch(v1.data(), n) + touch(v2.data(), n);
  double **ix;
  double *r1 = rows(n, ix), *r2 = rows(n, ix);
  s += touch(r1, n) + touch(r2, n);
  double *o[3], *p[3];
  many(o, 3, n);
  many(p, 3, n);
  for (int i = 0; i < 3; i++)
    s += touch(o[i], n) + touch(p[i], n);
  recurse(o, n, 2);
  s += touch(o[0], n) + touch(o[2], n);
  s += with(n, [&](double *x) { return touch(x, n); });
  Base *b = argc > 5 ? new Base(n) : new Derived(n);
  b->grow(n);
  s += touch(b->d, n);
  d1.grow(n);
  s += touch(d1.d, n);
  printf("%g\n", s);
}
