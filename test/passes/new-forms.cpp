// Every form of new is a site with its size; placement is none.
// RUN: %bitcodexx %s -o %t.bc && %ekopt -passes='print<ek-program>' -disable-output %t.bc | FileCheck %s
#include <cstdlib>
#include <memory>
#include <new>
struct alignas(128) Wide {
  double Lanes[16];
};
struct Owner {
  double Values[64];
  ~Owner();
};
Owner::~Owner() { Values[0] = 0; }
struct Pooled {
  double Values[32];
  static void *operator new(size_t N) { return std::malloc(N); }
  static void operator delete(void *P) { std::free(P); }
};
template <class T> __attribute__((noinline)) static double walk(T *P, long N) {
  double S = 0;
  for (long I = 0; I < N; ++I)
    S += *reinterpret_cast<double *>(P + I);
  return S;
}
int main(int argc, char **argv) {
  long N = std::atol(argv[1]);
  double *A = new double, *B = new (std::nothrow) double;
  double *C = new double[N], *D = new (std::nothrow) double[2 * N];
  Wide *E = new Wide, *F = new Wide[N], *G = new (std::nothrow) Wide[3 * N];
  Owner *H = new Owner[N];
  Pooled *I = new Pooled;
  double *J = static_cast<double *>(::operator new(8 * N));
  double *K = static_cast<double *>(
      ::operator new(16 * N, std::align_val_t(256)));
  double *L = new (static_cast<void *>(J)) double[N];
  auto M = std::make_unique<double[]>(4 * N);
  auto O = std::make_shared<Owner>();
  double S = walk(A, 1) + walk(B, 1) + walk(C, N) + walk(D, N) + walk(E, 1);
  S += walk(F, N) + walk(G, N) + walk(H, N) + walk(I, 1) + walk(J, N);
  S += walk(K, N) + walk(L, N) + walk(M.get(), N) + walk(O.get(), 1);
  delete A, delete B, delete[] C, delete[] D, delete E, delete[] F, delete[] G;
  delete[] H, delete I;
  ::operator delete(J, 8 * N);
  ::operator delete(K, std::align_val_t(256));
  return S > argc;
}
// CHECK: new-forms.cpp:22:10 container@new-forms.cpp:36:12,new@new-forms.cpp:27:15,new@new-forms.cpp:27:32,new@new-forms.cpp:32:37,new@new-forms.cpp:34:7,new[]@new-forms.cpp:28:15,new[]@new-forms.cpp:28:35 stream(8) element 8 reads walk:trip.21 writes 0 exact
// CHECK-NEXT: new-forms.cpp:22:10 container@new-forms.cpp:37:12,new[]@new-forms.cpp:30:14 strided(512) element 8 reads walk:trip.21~{{[12]}} writes 0 exact
// CHECK-NEXT: new-forms.cpp:22:10 new@new-forms.cpp:29:13,new[]@new-forms.cpp:29:28,new[]@new-forms.cpp:29:46 strided(128) element 8 reads walk:trip.21~{{[12]}} writes 0 exact
// CHECK: site malloc new-forms.cpp:16:48 size 256 live
// CHECK: site new new-forms.cpp:27:15 size 8 live
// CHECK-NEXT: site new new-forms.cpp:27:32 size 8 live
// CHECK-NEXT: site new[] new-forms.cpp:28:15 size 8*main:N live
// CHECK-NEXT: site new[] new-forms.cpp:28:35 size 16*main:N live
// CHECK-NEXT: site new new-forms.cpp:29:13 size 128 live
// CHECK-NEXT: site new[] new-forms.cpp:29:28 size 128*main:N live
// CHECK-NEXT: site new[] new-forms.cpp:29:46 size 384*main:N live
// CHECK-NEXT: site new[] new-forms.cpp:30:14 size 512*main:N + 8 live
// CHECK-NEXT: site new new-forms.cpp:32:37 size 8*main:N live
// CHECK-NEXT: site new new-forms.cpp:34:7 size 16*main:N live
// CHECK-NEXT: site container new-forms.cpp:36:12 size 32*main:N live
// CHECK-NEXT: site container new-forms.cpp:37:12 size 528 live
// INPUTS 24 | 38
