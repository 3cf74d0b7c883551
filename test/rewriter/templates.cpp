// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only -- -fopenmp -std=c++17
// A template is one spelling, one site and one edit, however often it is
// instantiated.
#include <cstddef>
#include <cstdlib>
#include <new>

template <typename T> struct Buf {
  T *Data;
  explicit Buf(size_t N) : Data(new T[N]) {}
  // CHECK-FIXES: explicit Buf(size_t N) : Data(new (::ek::site(0x{{[0-9a-f]+}}ULL)) T[N]) {}
  template <class I> void grow(I N) { Data = (T *)std::realloc(Data, N); }
  // CHECK-FIXES: template <class I> void grow(I N) { Data = (T *)ek_realloc(0x{{[0-9a-f]+}}ULL, Data, N); }
  ~Buf() { std::free(Data); }
  // CHECK-FIXES: ~Buf() { ek_free(Data); }
};
template <class I> void *raw(I N) { return malloc(N); }
// CHECK-FIXES: template <class I> void *raw(I N) { return ek_malloc(0x{{[0-9a-f]+}}ULL, N); }

struct Own {
  static void *operator new[](size_t N);
};
// Right for int, wrong for Own: stays.
template <class T> T *make(int N) { return new T[N]; }
// CHECK-FIXES: template <class T> T *make(int N) { return new T[N]; }
template <> long *make<long>(int N) { return new long[N + 1]; }
// CHECK-FIXES: template <> long *make<long>(int N) { return new (::ek::site(0x{{[0-9a-f]+}}ULL)) long[N + 1]; }

template <class T> void fill(T *P, int N) {
#pragma omp parallel for
  for (int I = 0; I < N; ++I)
    P[I] = T();
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
}

// Its instances say that this allocates nothing.
template <int N> struct Pool {
  char Room[N];
  void *give() { return Room; }
};
struct Arena {
  static inline char Room[64];
} Central;
inline void *operator new(size_t, Arena) { return Arena::Room; }
template <class T, int N> T *place(Pool<N> &P) { return new (P.give()) T; }
// CHECK-FIXES: template <class T, int N> T *place(Pool<N> &P) { return new (P.give()) T; }
template <class T, class A> T *at(A Where) { return new (Where) T; }
// CHECK-FIXES: template <class T, class A> T *at(A Where) { return new (Where) T; }

void use() {
  Pool<64> Nodes;
  place<int>(Nodes);
  at<int>(static_cast<void *>(Nodes.Room));
  at<int>(Central);
  Buf<double> A(3);
  Buf<float> B(4);
  A.grow(10);
  B.grow(10u);
  std::free(raw(3));
  std::free(raw(4l));
  make<Own>(3);
  make<int>(3);
  fill(A.Data, 3);
  fill(B.Data, 3);
}

// CHECK-INVENTORY: site templates.cpp:10:33 Buf {{[0-9a-f]+}} new[]
// CHECK-INVENTORY-NEXT: site templates.cpp:12:51 grow {{[0-9a-f]+}} realloc
// CHECK-INVENTORY-NEXT: site templates.cpp:17:44 raw {{[0-9a-f]+}} malloc
// CHECK-INVENTORY-NEXT: site templates.cpp:24:44 make {{[0-9a-f]+}} new[] # class-operator-new
// CHECK-INVENTORY-NEXT: site templates.cpp:26:46 make {{[0-9a-f]+}} new[]
// CHECK-INVENTORY-NEXT: region templates.cpp:30:1 fill {{[0-9a-f]+}} parallel # no-task-time
// CHECK-INVENTORY-NEXT: sync-parallel templates.cpp:30:1 fill {{[0-9a-f]+}} serial
// CHECK-REPORT: 6 sites: 4 rewritten, 0 left to the run time, 2 skipped (1 class-operator-new, 1 new-form)
// CHECK-REPORT: 1 sync point: 1 hooked, 0 skipped
