// operator new by its name, allocators, lambdas and objects that are called,
// what classes make their objects with, initialisers of static storage.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>
static double *raw(long n) {
  return static_cast<double *>(::operator new(n * sizeof(double)));
}
static std::unique_ptr<double[]> owned(long n) {
  return std::make_unique<double[]>(n);
}
template <class T> T *standard(long n) {
  std::allocator<T> a;
  return a.allocate(n);
}
template <class T> struct Own {
  using value_type = T;
  Own() = default;
  template <class U> Own(const Own<U> &) {}
  T *allocate(size_t n) {
    return static_cast<T *>(std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64));
  }
  void deallocate(T *p, size_t) { std::free(p); }
  bool operator==(const Own &) const { return true; }
  bool operator!=(const Own &) const { return false; }
};
using Values = std::vector<double, Own<double>>;
struct Block {
  double x[1];
  static void *operator new(size_t s, long n) { return malloc(s + n * 8); }
  static void operator delete(void *p) { free(p); }
};
static Block *block(long n) { return new (n) Block; }
template <class T> T *get(size_t n) {
  return static_cast<T *>(std::malloc(n * sizeof(T)));
}
static auto make = [](auto n) { return get<double>(n); };
static long early() { return 100000; }
static double *first = raw(early()), *second = raw(early());
static double touch(double *p, long n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < n; i++)
    s += p[i] = (double)i;
  return s;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double s = touch(first, early()) + touch(second, early());
  if (argc > 2) {
    Values v(n);
    auto w = owned(n);
    s += touch(raw(n), n) + touch(w.get(), n) + touch(make(n), n) +
         touch(block(n)->x, n) + touch(v.data(), n) +
         touch(standard<double>(n), n);
  }
  double *a = raw(n), *b = raw(n);
  s += touch(a, n) + touch(b, n);
  auto c = owned(n), d = owned(n);
  s += touch(c.get(), n) + touch(d.get(), n);
  a = standard<double>(n);
  b = standard<double>(n);
  s += touch(a, n) + touch(b, n);
  Values e(n), f(n, 0.0);
  s += touch(e.data(), n) + touch(f.data(), n);
  Block *g = block(n), *h = block(n);
  s += touch(g->x, n) + touch(h->x, n);
  a = make(n);
  b = make(n);
  s += touch(a, n) + touch(b, n);
  printf("%g\n", s);
}
