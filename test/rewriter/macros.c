// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/macros.h -- -std=gnu11
// An allocation that a macro's body supplies is written out where the macro is
// used, if the text there means the same in every configuration.
#include "Inputs/macros.h"
#define CHECKED(p, T, n)                                                       \
  do {                                                                         \
    p = (T *)calloc(n, sizeof(T)); /* zeroed */                                \
    if (!p)                                                                    \
      abort();                                                                 \
  } while (0)
#define ALLOC malloc
#define PAIR(a, b, n)                                                          \
  do {                                                                         \
    a = malloc(n);                                                             \
    b = calloc(n, 2);                                                          \
  } while (0)
#define MIXED(a, n) (free(a), malloc(n))
#define BEHIND(a, n) (a, malloc(n))
#define SHOW(n) (#n, malloc(n))
#define ONCE(x) x
#define TWICE(x) (x, x)
#define AGAIN(n) malloc(n)
#undef AGAIN
#define AGAIN(n) malloc(2 * n)

void f(int n) {
  double *p = XMALLOC(n * 8);
  // CHECK-FIXES: double *p = ek_malloc(0x{{[0-9a-f]+}}ULL, n * 8);
  p = OUTER(double, n - 1);
  // CHECK-FIXES: p = ((double *)ek_malloc(0x{{[0-9a-f]+}}ULL, ((n - 1) + 1) * sizeof(double)));
  int *q = NEW(int, 3), *r = NEW(int, 4);
  // CHECK-FIXES: int *q = ((int *)ek_malloc(0x{{[0-9a-f]+}}ULL, (3) * sizeof(int))), *r = ((int *)ek_malloc(0x{{[0-9a-f]+}}ULL, (4) * sizeof(int)));
  if (n)
    CHECKED(q, int, n);
  // CHECK-FIXES: do { q = (int *)ek_calloc(0x{{[0-9a-f]+}}ULL, n, sizeof(int)); if (!q) abort(); } while (0);
  // Several in one body: each has an id, by their order.
  PAIR(p, q, n + 1);
  // CHECK-FIXES: do { p = ek_malloc(0x{{[0-9a-f]+}}ULL, n + 1); q = ek_calloc(0x{{[0-9a-f]+}}ULL, n + 1, 2); } while (0);
  p = MIXED(p, 3);
  // CHECK-FIXES: p = (ek_free(p), ek_malloc(0x{{[0-9a-f]+}}ULL, 3));
  p = BEHIND(free(p), 3);
  // CHECK-FIXES: p = BEHIND(ek_free(p), 3);
  p = ALLOC(3);
  // CHECK-FIXES: p = ek_malloc(0x{{[0-9a-f]+}}ULL, 3);
  p = ONCE(XMALLOC(3));
  // CHECK-FIXES: p = ONCE(ek_malloc(0x{{[0-9a-f]+}}ULL, 3));
  // Another configuration, text that is shown, used twice, or defined twice.
  p = CHOSEN(3);
  // CHECK-FIXES: p = CHOSEN(3);
  p = SHOW(3);
  // CHECK-FIXES: p = SHOW(3);
  p = TWICE(XMALLOC(3));
  // CHECK-FIXES: p = TWICE(XMALLOC(3));
  p = AGAIN(3);
  // CHECK-FIXES: p = AGAIN(3);
  p = XMALLOC(sizeof *q +
              // CHECK-FIXES: p = XMALLOC(sizeof *q +
              3);
}

_Static_assert(__LINE__ == 61, "line numbers stay");

// The program's own macro around the function of that name; one that names
// itself and would be used once more stays.
// clang-format off
#define malloc(n) ({                                                           \
  void *own = malloc(n);                                                       \
if (!own)                                                                      \
    abort();                                                                   \
  own;                                                                         \
})
// clang-format on
#define note(n) (note(n), calloc(n, 2))
void(note)(int);
void *g(int n) {
  double *p = malloc(n * 8);
  // CHECK-FIXES: double *p = ({ void *own = ek_malloc(0x{{[0-9a-f]+}}ULL, n * 8); if (!own) abort(); own; });
  return n ? p : note(n);
  // CHECK-FIXES: return n ? p : note(n);
}

// CHECK-REPORT: 19 sites: 11 rewritten, 0 left to the run time, 8 skipped (6 macro-body, 2 repeated-text)
// CHECK-REPORT: 2 calls of free: 2 rewritten, 0 skipped
