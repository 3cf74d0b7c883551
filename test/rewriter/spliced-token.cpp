// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --
// A name over several lines stays, so that the lines below keep their numbers.
#include <cstdlib>

void f(int n) {
  void *p = mal\
loc(n);
  // CHECK-FIXES: void *p = mal{{.$}}
  // CHECK-FIXES-NEXT: {{^}}loc(n);
  p = std::
      malloc(n);
  // CHECK-FIXES: p = std::
  // CHECK-FIXES-NEXT: {{^}}      malloc(n);
  fr\
ee(p);
  p = malloc\
(n);
  // CHECK-FIXES: p = ek_malloc{{.$}}
  // CHECK-FIXES-NEXT: {{^}}(0x{{[0-9a-f]+}}ULL, n);
}

// CHECK-REPORT: 3 sites: 1 rewritten, 0 left to the run time, 2 skipped (2 spliced-token)
// CHECK-REPORT: 1 call of free: 0 rewritten, 1 skipped (1 spliced-token)
