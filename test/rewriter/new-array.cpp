// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp -std=c++17
#include <cstdlib>
#include <memory>
#include <new>
// CHECK-FIXES: #include <new>
// CHECK-FIXES-NEXT: #include <evenkeel/ek.h>
// CHECK-FIXES-NEXT: #line 5 "new-array.cpp"

struct Plain {
  int X = 3;
  ~Plain() {}
};
struct Own {
  static void *operator new[](std::size_t N) { return std::malloc(N); }
  static void operator delete[](void *P) { std::free(P); }
  // CHECK-FIXES: static void *operator new[](std::size_t N) { return ek_malloc(0x{{[0-9a-f]+}}ULL, N); }
  // CHECK-FIXES: static void operator delete[](void *P) { ek_free(P); }
};
struct alignas(128) Wide {
  char C[128];
};
struct Member {
  double *P = new double[10];
  // CHECK-FIXES: double *P = new double[10];
};

double *AtFileScope = new double[1000];
// CHECK-FIXES: double *AtFileScope = new (::ek::site(0x{{[0-9a-f]+}}ULL)) double[1000];

int f(int N, char *Buffer) {
  Plain *A = new Plain[N];
  // CHECK-FIXES: Plain *A = new (::ek::site(0x{{[0-9a-f]+}}ULL)) Plain[N];
  delete[] A;
  // CHECK-FIXES: delete[] A;
  double **B = ::new double *[N]();
  // CHECK-FIXES: double **B = ::new (::ek::site(0x{{[0-9a-f]+}}ULL)) double *[N]();
  double(*C)[3] = new double[N][3];
  // CHECK-FIXES: double(*C)[3] = new (::ek::site(0x{{[0-9a-f]+}}ULL)) double[N][3];
  auto *D = new (double *[10]);
  // CHECK-FIXES: auto *D = new (::ek::site(0x{{[0-9a-f]+}}ULL)) (double *[10]);
  int *E = new int[3]{1, 2, 3};
  // CHECK-FIXES: int *E = new (::ek::site(0x{{[0-9a-f]+}}ULL)) int[3]{1, 2, 3};
  auto L = [](int M) { return new int[M]; };
  // CHECK-FIXES: auto L = [](int M) { return new (::ek::site(0x{{[0-9a-f]+}}ULL)) int[M]; };
  delete[] L(3);
  // CHECK-FIXES: delete[] ::ek::leave(0x{{.*}}, L(3)));

  Own *F = new Own[3];
  // CHECK-FIXES: Own *F = ::ek::leave(0x{{.*}}, new Own[3]));
  Wide *G = new Wide[3];
  // CHECK-FIXES: Wide *G = new (::ek::site(0x{{[0-9a-f]+}}ULL)) Wide[3];
  int *H = new (std::nothrow) int[3];
  // CHECK-FIXES: int *H = new (::ek::site(0x{{[0-9a-f]+}}ULL), std::nothrow) int[3];
  int *I = new (Buffer) int[3];
  // CHECK-FIXES: int *I = new (Buffer) int[3];
  Plain *J = new Plain;
  // CHECK-FIXES: Plain *J = new Plain;
  std::unique_ptr<void, decltype(&std::free)> K(::malloc(3), &std::free);
  // CHECK-FIXES: std::unique_ptr<void, decltype(&std::free)> K(ek_malloc(0x{{[0-9a-f]+}}ULL, 3), &std::free);
  void *M = std::malloc(std::pair<int, int>(1, 2).first);
  // CHECK-FIXES: void *M = std::malloc(std::pair<int, int>(1, 2).first);
  return 0;
}
int g(double *P = new double[3]);
// CHECK-FIXES: int g(double *P = new double[3]);

// What is not a site of the C++ library's allocator is not in the inventory.
// CHECK-INVENTORY-NOT: {{.*}}class-operator-new{{.*}}
// CHECK-INVENTORY-NOT: {{.*}}member-initializer{{.*}}
// CHECK-REPORT: 17 sites: 11 rewritten, 1 left to the run time, 5 skipped (1 address-taken, 1 argument-list, 1 class-operator-new, 1 default-argument, 1 member-initializer)
// CHECK-REPORT-NEXT: address-taken: new-array.cpp:58:68 (free)
// CHECK-REPORT-NEXT: argument-list: new-array.cpp:60:13 (malloc)
// CHECK-REPORT-NEXT: class-operator-new: new-array.cpp:48:12 (new[])
// CHECK-REPORT-NEXT: default-argument: new-array.cpp:64:19 (new[])
// CHECK-REPORT-NEXT: member-initializer: new-array.cpp:23:15 (new[])
