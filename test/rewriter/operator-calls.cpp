// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=c++17
// operator new called by its name, and std::allocator.
#include <cstdio>
#include <memory>
#include <new>

static double *need(long N) { return static_cast<double *>(::operator new(N * sizeof(double))); }
// CHECK-FIXES: static double *need(long N) { return static_cast<double *>(::operator new(N * sizeof(double), ::ek::site(0x{{[0-9a-f]+}}ULL))); }
template <class T> T *raw(std::size_t N) { return std::allocator<T>().allocate(N); }
// CHECK-FIXES: template <class T> T *raw(std::size_t N) { return {{.*}}::ek::at(0x{{.*}}allocate({{.*}}
#define RAW(N) ::operator new(N)
static double *volatile Kept; // optimisers leave out what nobody looks at
static const char *text(double *P) { return (Kept = P) ? "made" : "none"; }

static double *Early = need(20000);
// CHECK-FIXES: static double *Early = ::ek::leave(0x{{.*}}, need(20000)));
int main() {
  const std::size_t N = 100000;
  void *A = operator new(N);
  // CHECK-FIXES: void *A = operator new(N, ::ek::site(0x{{[0-9a-f]+}}ULL));
  void *B = ::operator new[](N);
  // CHECK-FIXES: void *B = ::operator new[](N, ::ek::site(0x{{[0-9a-f]+}}ULL));
  void *C = ::operator new(N, std::align_val_t(256));
  // CHECK-FIXES: void *C = ::operator new(N, ::ek::site(0x{{[0-9a-f]+}}ULL), std::align_val_t(256));
  void *D = ::operator new(N, std::nothrow);
  // CHECK-FIXES: void *D = ::operator new(N, ::ek::site(0x{{[0-9a-f]+}}ULL), std::nothrow);
  void *E = ::operator new[](N, std::align_val_t(64), std::nothrow);
  // CHECK-FIXES: void *E = ::operator new[](N, ::ek::site(0x{{[0-9a-f]+}}ULL), std::align_val_t(64), std::nothrow);
  void *F = RAW(N);
  // CHECK-FIXES: void *F = RAW(N);
  std::allocator<double> One;
  double *G = One.allocate(N);
  // CHECK-FIXES: double *G = ((void)::ek::at(0x{{[0-9a-f]+}}ULL), One).allocate(N);
  using Traits = std::allocator_traits<std::allocator<double>>;
  double *H = Traits::allocate(One, N);
  // CHECK-FIXES: double *H = Traits::allocate(((void)::ek::at(0x{{[0-9a-f]+}}ULL), One), N);
  float *I = raw<float>(N);
  // CHECK-FIXES: float *I = ::ek::leave(0x{{.*}}, raw<float>(N)));
  std::printf("%d %s %s\n", A && B && C && D && E && F && I, text(G), text(H));
  std::allocator<float>().deallocate(I, N);
  Traits::deallocate(One, H, N);
  One.deallocate(G, N);
  ::operator delete(F);
  ::operator delete[](E, std::align_val_t(64), std::nothrow);
  ::operator delete(D, std::nothrow);
  ::operator delete(C, std::align_val_t(256));
  ::operator delete[](B);
  ::operator delete(A);
  ::operator delete(Early);
  return 0;
}
// CHECK-SUMMARY: objects 9: planned 0, by call 0, unplanned 9; freed 9;
