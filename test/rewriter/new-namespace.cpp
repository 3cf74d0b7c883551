// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -std=c++17
// Names of the program's own in front of the header's: namespaces, classes,
// variables called ek.
namespace app {
namespace ek {
struct site {};
} // namespace ek
double *f(int N) { return new double[N]; }
// CHECK-FIXES: double *f(int N) { return new (::ek::site(0x{{[0-9a-f]+}}ULL)) double[N]; }
} // namespace app
struct S {
  int ek;
  double *g(int N) { return new double[N + ek]; }
  // CHECK-FIXES: double *g(int N) { return new (::ek::site(0x{{[0-9a-f]+}}ULL)) double[N + ek]; }
};
template <typename ek> ek *h(int N) { return ::new ek[N]; }
// CHECK-FIXES: template <typename ek> ek *h(int N) { return ::new (::ek::site(0x{{[0-9a-f]+}}ULL)) ek[N]; }
double *use(int N) { return h<double>(N); }

// CHECK-REPORT: 3 sites: 3 rewritten, 0 left to the run time, 0 skipped
