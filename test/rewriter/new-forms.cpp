// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=c++17
// Every form that the global operator new has, with what may surround it:
// throwing constructors, cookies, initialisers, templates.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

struct alignas(256) Wide {
  char Bytes[256];
  static int Live;
  Wide() { ++Live; }
  ~Wide() { --Live; }
};
int Wide::Live = 0;
struct Fails {
  static int Made;
  char Bytes[1000];
  Fails() {
    if (++Made == 90)
      throw std::runtime_error("constructor");
  }
  ~Fails() { --Made; }
};
int Fails::Made = 0;
struct Big {
  double Values[100000];
  int X;
  explicit Big(int X) : X(X) {}
};
struct Arena {
  char Room[64];
};
void *operator new(std::size_t, Arena &A) { return A.Room; }
struct Own {
  static void *operator new(std::size_t N) { return std::malloc(N); }
  static void operator delete(void *P) { std::free(P); }
  char Bytes[100000];
};

template <class T> T *one(int X) { return new T(X); }
// CHECK-FIXES: template <class T> T *one(int X) { return new (::ek::site(0x{{[0-9a-f]+}}ULL)) T(X); }
template <class T> T *small(int X) { return new T(X); }
// CHECK-FIXES: template <class T> T *small(int X) { return new T(X); }
template <class T> T *many(int N) { return new (std::nothrow) T[N]; }
// CHECK-FIXES: template <class T> T *many(int N) { return new (::ek::site(0x{{[0-9a-f]+}}ULL), std::nothrow) T[N]; }
template <class T> T *in(void *P) { return new (P) T(); }
// CHECK-FIXES: template <class T> T *in(void *P) { return new (P) T(); }
constexpr int folded(int N) { return N > 0 ? N : *new int(3); }
#define FRESH(T, N) new T[N]

int main() {
  Wide *A = new Wide[1000];
  // CHECK-FIXES: Wide *A = new (::ek::site(0x{{[0-9a-f]+}}ULL)) Wide[1000];
  Wide *B = new (std::nothrow) Wide[1000];
  // CHECK-FIXES: Wide *B = new (::ek::site(0x{{[0-9a-f]+}}ULL), std::nothrow) Wide[1000];
  std::printf("%d\n", Wide::Live);
  delete[] A;
  delete[] B;
  std::printf("%d\n", Wide::Live);
  for (int N : {10, 200})
    try {
      Fails::Made = 0;
      Fails *C = N == 10 ? new Fails[N]() : ::new (std::nothrow) Fails[N]();
      // CHECK-FIXES: Fails *C = N == 10 ? new (::ek::site(0x{{[0-9a-f]+}}ULL)) Fails[N]() : ::new (::ek::site(0x{{[0-9a-f]+}}ULL), std::nothrow) Fails[N]();
      std::printf("%d\n", Fails::Made);
      delete[] C;
    } catch (const std::exception &E) {
      std::printf("%s %d\n", E.what(), Fails::Made);
    }
  Big *D = new Big(7);
  // CHECK-FIXES: Big *D = new (::ek::site(0x{{[0-9a-f]+}}ULL)) Big(7);
  Big *E = new (std::align_val_t(4096)) Big{8};
  // CHECK-FIXES: Big *E = new (::ek::site(0x{{[0-9a-f]+}}ULL), std::align_val_t(4096)) Big{8};
  auto *F = new auto(Big(9));
  // CHECK-FIXES: auto *F = new (::ek::site(0x{{[0-9a-f]+}}ULL)) auto(Big(9));
  std::printf("%d %d %d\n", D->X, E->X, F->X);
  delete D;
  E->~Big();
  ::operator delete(E, std::align_val_t(4096));
  delete F;
  int *G = new (std::align_val_t(64), std::nothrow) int[100000]{1, 2};
  // CHECK-FIXES: int *G = new (::ek::site(0x{{[0-9a-f]+}}ULL), std::align_val_t(64), std::nothrow) int[100000]{1, 2};
  std::printf("%d %d\n", G[1], G[99999]);
  ::operator delete[](G, std::align_val_t(64), std::nothrow);
  Own *H = new Own;
  // CHECK-FIXES: Own *H = ::ek::leave(0x{{.*}}, new Own));
  delete H;
  Arena Room;
  int *I = new (Room) int(4);
  // CHECK-FIXES: int *I = new (Room) int(4);
  int *J = FRESH(int, 50000);
  // CHECK-FIXES: int *J = FRESH(int, 50000);
  J[49999] = 6;
  auto L = [] { return new double[20000](); };
  // CHECK-FIXES: auto L = [] { return new (::ek::site(0x{{[0-9a-f]+}}ULL)) double[20000](); };
  double *K = L();
  // CHECK-FIXES: double *K = ::ek::leave(0x{{.*}}, L()));
  std::printf("%d %d %g\n", *I, J[49999], K[19999]);
  delete[] K;
  delete[] J;
  Big *M = one<Big>(3);
  int *N = one<int>(4), *O = small<int>(folded(5));
  Wide *P = many<Wide>(500);
  float *Q = many<float>(100000);
  int *R = in<int>(Room.Room);
  std::printf("%d %d %d %d %d\n", M->X, *N, *O, Wide::Live, *R);
  delete M;
  delete N;
  delete O;
  delete[] P;
  delete[] Q;
  volatile std::size_t Huge = ~std::size_t(0) / 16;
  char *volatile S = new (std::nothrow) char[Huge];
  // CHECK-FIXES: char *volatile S = new (::ek::site(0x{{[0-9a-f]+}}ULL), std::nothrow) char[Huge];
  std::printf("%d\n", S == nullptr);
  return 0;
}

// CHECK-SUMMARY: objects 12: planned 0, by call 0, unplanned 12; freed 12;
// CHECK-REPORT: 18 sites: 13 rewritten, 2 left to the run time, 3 skipped (1 class-operator-new, 1 macro-body, 1 new-form)
