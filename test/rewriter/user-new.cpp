// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp -std=c++17
// A replaced global operator new stays in charge of every array.
#include <cstdlib>
void *operator new(std::size_t N) { return std::calloc(N, 1); }
// CHECK-FIXES: void *operator new(std::size_t N) { return ek_calloc(0x{{[0-9a-f]+}}ULL, N, 1); }
void operator delete(void *P) noexcept { std::free(P); }

int *f(int N) { return new int[N]; }
// CHECK-FIXES: int *f(int N) { return new int[N]; }

// CHECK-REPORT: 2 sites: 1 rewritten, 0 left to the run time, 1 skipped (1 user-allocator)
