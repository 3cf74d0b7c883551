// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=gnu++98
// C++ before 2011.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <new>
#include <string>
#include <vector>

struct Wide {
  double V[4];
  Wide() { V[0] = 1; }
  ~Wide() {}
};
struct Fails {
  Fails() { throw 1; }
};
template <class T> T *make(int N) { return new T[N]; }
// CHECK-FIXES: template <class T> T *make(int N) { return new (::ek::site(0x{{[0-9a-f]+}}ULL)) T[N]; }
static char *wrapper(size_t N) { return static_cast<char *>(std::malloc(N)); }
// CHECK-FIXES: static char *wrapper(size_t N) { return static_cast<char *>(ek_malloc(0x{{[0-9a-f]+}}ULL, N)); }
static size_t sum(const std::vector<int> &V, const int &X) { return V.size() + X; }

int main() {
  Wide *A = new Wide[1000];
  // CHECK-FIXES: Wide *A = new (::ek::site(0x{{[0-9a-f]+}}ULL)) Wide[1000];
  Wide *B = new (std::nothrow) Wide[1000];
  // CHECK-FIXES: Wide *B = new (::ek::site(0x{{[0-9a-f]+}}ULL), std::nothrow) Wide[1000];
  std::vector<int> V(30000, 2);
  // CHECK-FIXES: std::vector<int> V(((void)::ek::at(0x{{[0-9a-f]+}}ULL), 30000), 2);
  V.resize(50000);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), V).resize(50000);
  std::deque<int> D;
  D.resize(V[3]);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), D).resize(V[3]);
  std::string S = std::string("x").append(V[0], 'y');
  std::printf("%d %s\n", int(sum(std::vector<int>(V), *V.insert(V.end(), 7))), S.c_str());
  char *C = wrapper(100000);
  // CHECK-FIXES: char *C = ::ek::leave(0x[[C:[0-9a-f]+]]ULL, ((void)::ek::call(0x[[C]]ULL), wrapper(100000)));
  try {
    delete[] new Fails[3];
  } catch (int X) {
    std::printf("%d\n", X);
  }
  int *I = make<int>(5);
  std::printf("%d\n", int(A[3].V[0] + B[5].V[0]));
  delete[] I;
  delete[] A;
  delete[] B;
  std::free(C);
  return 0;
}
