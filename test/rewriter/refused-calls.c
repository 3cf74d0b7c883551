// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp
// Every call that stays as it is has a named reason.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define XMALLOC(n) malloc(n)
#define TWO(a, b)                                                              \
  do {                                                                         \
    a = malloc(8);                                                             \
    b = malloc(16);                                                            \
  } while (0)
#define ALLOC malloc
#define ONCE(x) x
#define TWICE(x) (x, x)
#define PAIR 4, 8

void f(void) {
  void *a, *b;
  // Two sites at one coordinate differ by their ordinal.
  // CHECK-INVENTORY: site refused-calls.c:[[#A:]]:3 f [[ID:[0-9a-f]+]] malloc
  // CHECK-INVENTORY-NOT: {{.*}}[[ID]]{{.*}}
  // CHECK-INVENTORY-NEXT: site refused-calls.c:[[#A]]:3 f {{[0-9a-f]+}} malloc
  TWO(a, b);
  // CHECK-FIXES: do { a = ek_malloc(0x{{[0-9a-f]+}}ULL, 8); b = ek_malloc(0x{{[0-9a-f]+}}ULL, 16); } while (0);
  a = XMALLOC(3);
  // CHECK-FIXES: a = ek_malloc(0x{{[0-9a-f]+}}ULL, 3);
  a = ALLOC(3);
  // CHECK-FIXES: a = ek_malloc(0x{{[0-9a-f]+}}ULL, 3);
  // The text stands in the file, so it can be annotated there.
  a = ONCE(malloc(3));
  // CHECK-FIXES: a = ONCE(ek_malloc(0x{{[0-9a-f]+}}ULL, 3));
  a = TWICE(malloc(3));
  // CHECK-FIXES: a = TWICE(malloc(3));
  a = calloc(PAIR);
  // CHECK-FIXES: a = calloc(PAIR);
  a = strdup("text");
  // CHECK-FIXES: a = strdup("text");
}

void *(*allocate)(size_t) = malloc;
// CHECK-FIXES: void *(*allocate)(size_t) = malloc;
void at_exit(void (*)(void *));
void g(void) { at_exit(free); }
// CHECK-FIXES: void g(void) { at_exit(free); }

// CHECK-REPORT: 11 sites: 5 rewritten, 1 left to the run time, 5 skipped (2 address-taken, 1 argument-list, 2 repeated-text)
