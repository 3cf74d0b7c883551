// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=c++17
// What is called through a pointer or by its object, and may be a wrapper; and
// containers with an allocator of the program's own.
#include <cstdio>
#include <cstdlib>
#include <vector>

static void *get(std::size_t N) { return std::malloc(N); }
static void *none(std::size_t) { return nullptr; }
static char *name(int I) { static char Text[2]; Text[0] = char('a' + I); return Text; }
struct Table {
  void *(*Get)(std::size_t);
  char *(*Name)(int);
};
static const Table Own = {get, name};
static double *need(const Table *T, long N) { return static_cast<double *>(T->Get(N * 8)); }
// CHECK-FIXES: static double *need(const Table *T, long N) { return static_cast<double *>(::ek::leave(0x{{.*}}, T->Get(N * 8)))); }
struct Pool {
  virtual void *take(std::size_t) { return nullptr; }
  virtual ~Pool() {}
};
struct Heap : Pool {
  void *take(std::size_t N) override { return std::malloc(N); }
};
struct Block {
  double First;
  static void *operator new(std::size_t S, long N) { return std::malloc(S + N * 8); }
  static void operator delete(void *P) { std::free(P); }
};
template <class T> struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U> Allocator(const Allocator<U> &) {}
  T *allocate(std::size_t N) { return static_cast<T *>(std::malloc(N * sizeof(T))); }
  void deallocate(T *P, std::size_t) { std::free(P); }
  bool operator==(const Allocator &) const { return true; }
  bool operator!=(const Allocator &) const { return false; }
};
using Values = std::vector<double, Allocator<double>>;
static auto Make = [](auto N) { return static_cast<double *>(std::malloc(N * 8)); };

int main() {
  const long N = 10000;
  double *A = need(&Own, N), *B = need(&Own, N);
  // CHECK-FIXES: double *A = ::ek::leave(0x{{.*}}, need(&Own, N))), *B = ::ek::leave(0x{{.*}}, need(&Own, N)));
  Heap H;
  Pool *P = &H;
  void *C = P->take(N * 8);
  // CHECK-FIXES: void *C = ::ek::leave(0x{{.*}}, P->take(N * 8)));
  double *D = Make(N), *E = Make(N);
  // CHECK-FIXES: double *D = ::ek::leave(0x{{.*}}, Make(N))), *E = ::ek::leave(0x{{.*}}, Make(N)));
  Block *F = new (N) Block;
  // CHECK-FIXES: Block *F = ::ek::leave(0x{{.*}}, new (N) Block));
  Values G(N), I;
  // CHECK-FIXES: Values G(((void)::ek::maker(0x{{.*}}ULL), N)), I;
  I.resize(N);
  // CHECK-FIXES: ((void)::ek::call(0x{{.*}}ULL), I.resize(N));
  char *J = Own.Name(3);
  // CHECK-FIXES: char *J = Own.Name(3);
  void *(*Pick)(std::size_t) = none;
  std::printf("%d %s %zu %d\n", A && B && C && D && E && F, J, G.size() + I.size(), Pick(3) == nullptr);
  delete F;
  return 0;
}
