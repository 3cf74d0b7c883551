// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --
// What a program prints or names does not change: no edits in macro arguments
// that are stringised or pasted, at any depth.
#include <cstdio>
#include <cstdlib>
#undef NDEBUG
#include <cassert>

#define STR(x) (puts(#x), x)
#define OUTER(x) STR(x)
#define SAME(x) x
#define VALUES(...) (puts(#__VA_ARGS__), __VA_ARGS__)
#define NAMED(name, value) auto name##_ptr = value
#define LOG(f, ...) printf(f, ##__VA_ARGS__)

void f(int n) {
  void *p = STR(malloc(n));
  // CHECK-FIXES: void *p = STR(malloc(n));
  p = OUTER(malloc(n));
  // CHECK-FIXES: p = OUTER(malloc(n));
  p = STR(SAME(std::malloc(n)));
  // CHECK-FIXES: p = STR(SAME(std::malloc(n)));
  p = SAME(STR(malloc(n)));
  // CHECK-FIXES: p = SAME(STR(malloc(n)));
  p = VALUES(malloc(n));
  // CHECK-FIXES: p = VALUES(malloc(n));
  assert(p = malloc(n));
  // CHECK-FIXES: assert(p = malloc(n));
  double *d = STR(new double[n]);
  // CHECK-FIXES: double *d = STR(new double[n]);
  STR(free(p));
  // CHECK-FIXES: STR(free(p));
  // The rest of the arguments is text like any other.
  NAMED(q, malloc(n));
  // CHECK-FIXES: NAMED(q, ek_malloc(0x{{[0-9a-f]+}}ULL, n));
  LOG("%p %p\n", malloc(n), d);
  // CHECK-FIXES: LOG("%p %p\n", ek_malloc(0x{{[0-9a-f]+}}ULL, n), d);
  p = SAME(malloc(n));
  // CHECK-FIXES: p = SAME(ek_malloc(0x{{[0-9a-f]+}}ULL, n));
}

// CHECK-REPORT: 10 sites: 3 rewritten, 0 left to the run time, 7 skipped (7 macro-stringised)
// CHECK-REPORT: 1 call of free: 0 rewritten, 1 skipped (1 macro-stringised)
