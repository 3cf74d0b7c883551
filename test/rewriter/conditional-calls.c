// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib --settings=WIDE,ODD --hooks-only -- -std=gnu99 -pthread
// Calls with `#if` among their arguments: annotated where the call is one whole
// under every setting.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *p) { return p; }
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}
#define PAIR 2, 8

int main(void) {
  char *a = malloc(
#ifdef WIDE
      sizeof(long) *
#endif
      4);
  // CHECK-FIXES: char *a = ek_malloc(0x{{[0-9a-f]+}}ULL,
  // CHECK-FIXES-NEXT: #ifdef WIDE
  char *b = calloc(
#if defined(WIDE)
      8, sizeof(long)
#elif defined(ODD)
      3,
      (1 + 2)
#else
      4, 8
#endif
  );
  // CHECK-FIXES: char *b = ek_calloc(0x{{[0-9a-f]+}}ULL,
  // CHECK-FIXES-NEXT: #if defined(WIDE)
  char *c = xmalloc(
#ifdef ODD
      33
#else
      32
#endif
  );
  // CHECK-FIXES: char *c = ek_leave(0x{{[0-9a-f]+}}ULL, (ek_enter(0x{{[0-9a-f]+}}ULL), xmalloc(
  // CHECK-FIXES-NEXT: #ifdef ODD
  // CHECK-FIXES: )));
  // One macro gives both arguments; a call ends in each arm.
  char *d = calloc(
#ifdef WIDE
      4, 8
#else
      PAIR
#endif
  );
  char *e = malloc(
#ifdef ODD
      9) +
      strtol("0", NULL, 10
#else
      8
#endif
      );
  // CHECK-FIXES: char *d = calloc(
  // CHECK-FIXES: char *e = malloc(
  pthread_t t;
  int wrong = pthread_create(&t, NULL, work, a);
  wrong |= pthread_join(t,
#ifdef WIDE
                        NULL
#else
                        (void **)&b
#endif
  );
  // CHECK-FIXES: wrong |= EK_AFTER(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL) pthread_join(t,
  // CHECK-FIXES-NEXT: #ifdef WIDE
  // CHECK-FIXES: )));
  printf("%d %d %d %d\n", wrong, c != NULL, d[0], e != NULL);
  return 0;
}
// CHECK-REPORT: 5 sites: 3 rewritten, 0 left to the run time, 2 skipped (2 conditional-call)
// CHECK-REPORT: 1 sync point: 1 hooked, 0 skipped
