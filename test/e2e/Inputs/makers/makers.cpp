// The same in C++: constructors, members, references, objects by value.
#include <cstdio>
#include <cstdlib>
#include <memory>
struct Field {
  double *d;
  long n;
  explicit Field(long n) : d(new double[n]), n(n) {}
  Field(const Field &o) : d(new double[o.n]), n(o.n) {
    for (long i = 0; i < n; i++)
      d[i] = o.d[i];
  }
  ~Field() { delete[] d; }
  void resize(long m) {
    delete[] d;
    d = new double[m];
    n = m;
  }
  double &operator[](long i) { return d[i]; }
};
template <class T> class Vec {
  T *data_;
  long n_;

public:
  Vec(long n) : data_(new T[n]), n_(n) {}
  ~Vec() { delete[] data_; }
  T *get() { return data_; }
};
template <class T> struct Pair {
  Vec<T> a, b;
  Pair(long n) : a(n), b(n) {}
};
struct Two {
  Field a, b;
  Two(long n) : a(n), b(n) {}
};
struct Buf {
  double *p = nullptr;
  void alloc(long n) { p = (double *)malloc(n * 8); }
};
static void make(double *&out, long n) { out = new double[n]; }
static Field build(long n) { return Field(n); }
static std::unique_ptr<Field> uniq(long n) {
  return std::unique_ptr<Field>(new Field(n));
}
static double touch(double *p, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    p[i] = i;
  return p[n / 2];
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double s = 0;
  if (argc > 2) {
    Field x(n);
    s += touch(x.d, n);
    Vec<double> y(n);
    s += touch(y.get(), n);
    Two t(n);
    s += touch(t.a.d, n);
    Pair<double> p(n);
    s += touch(p.a.get(), n);
    Buf b;
    b.alloc(n);
    s += touch(b.p, n);
    double *q;
    make(q, n);
    s += touch(q, n);
    Field w = build(n);
    s += touch(w.d, n);
  }
  Field cold(n), hot(n);
  s += touch(cold.d, n) + touch(hot.d, n);
  Field braces{n}, eq = Field(n);
  s += touch(braces.d, n) + touch(eq.d, n);
  auto *nw = new Field(n);
  s += touch(nw->d, n);
  Vec<double> v1(n), v2(n);
  s += touch(v1.get(), n) + touch(v2.get(), n);
  Two t(n);
  s += touch(t.a.d, n) + touch(t.b.d, n);
  Pair<double> p(n);
  s += touch(p.a.get(), n) + touch(p.b.get(), n);
  Buf b1, b2;
  b1.alloc(n);
  b2.alloc(n);
  s += touch(b1.p, n) + touch(b2.p, n);
  double *q, *r;
  make(q, n);
  make(r, n);
  s += touch(q, n) + touch(r, n);
  cold.resize(n);
  s += touch(cold.d, n);
  Field w = build(n), w2 = build(n);
  s += touch(w.d, n) + touch(w2.d, n);
  auto u = uniq(n);
  s += touch(u->d, n);
  Field copy(cold);
  s += touch(copy.d, n);
  printf("%g\n", s);
}
