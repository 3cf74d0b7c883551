// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -std=c++17
// Variables of static storage in namespaces, classes and templates.
namespace space {
double a[10000];
// CHECK-FIXES: double a[10000]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, a)
namespace {
int hidden[20000];
// CHECK-FIXES: int hidden[20000]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, hidden)
} // namespace
int use() { return hidden[3]; }
} // namespace space

struct S {
  static double open[10000];
  inline static double within[10000];
  // CHECK-FIXES: inline static double within[10000];
  double get() { return closed[1]; }

private:
  static double closed[10000];
};
double S::open[10000];
// CHECK-FIXES: double S::open[10000]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, S::open)
double S::closed[10000];
// CHECK-FIXES: double S::closed[10000];

inline double many[10000];
// CHECK-FIXES: inline double many[10000]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, many)
extern "C" {
double plain[10000];
// CHECK-FIXES: double plain[10000]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, plain)
}

struct Cell {
  Cell() : n(1) {}
  int n;
};
Cell cells[20000];
// CHECK-FIXES: Cell cells[20000]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, cells)

template <class T> T table(int i) {
  static double t[10000];
  // CHECK-FIXES: static double t[10000]; EK_STATIC(0x{{[0-9a-f]+}}ULL, t)
  return T(t[i]);
}
int both() { return table<int>(1) + int(table<float>(2)); }

int jump(int i) {
  switch (i) {
    static int s[20000];
    // CHECK-FIXES: static int s[20000]; EK_STATIC(0x{{[0-9a-f]+}}ULL, s)
  case 1:
    return s[1];
  }
  for (static double t[10000]; i; --i)
    // CHECK-FIXES: for (static double t[10000]; i; --i)
    t[i] = 1;
  auto f = [] {
    static int l[20000];
    // CHECK-FIXES: static int l[20000]; EK_STATIC(0x{{[0-9a-f]+}}ULL, l)
    return l[0];
  };
  return f();
}

// CHECK-REPORT: 12 sites: 9 rewritten, 0 left to the run time, 3 skipped (2 class-scope, 1 declaration-place)
