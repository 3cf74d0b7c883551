// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp
// Static arrays of at least 64 KiB, and coordinates as #line presents them.
double small[100];
double large[8192];
extern double elsewhere[8192];
double tentative[8192];
double tentative[8192];
_Thread_local double per_thread[8192];
int f(void) {
  static char local[1 << 16];
#line 500 "generated.y"
  return *(char *)__builtin_malloc(3) + local[0];
}
// CHECK-INVENTORY: site generated.y:500:19 file {{[0-9a-f]+}} __builtin_malloc
// CHECK-INVENTORY-NEXT: global:large inventory.c:4:0 file {{[0-9a-f]+}} global
// CHECK-INVENTORY-NEXT: global:tentative inventory.c:7:0 file {{[0-9a-f]+}} global
// CHECK-INVENTORY-NEXT: global:per_thread inventory.c:8:0 file {{[0-9a-f]+}} global # thread-local
// CHECK-INVENTORY-NEXT: global:local inventory.c:10:0 f {{[0-9a-f]+}} static
// CHECK-REPORT: 5 sites: 4 rewritten, 0 left to the run time, 1 skipped (1 thread-local)
