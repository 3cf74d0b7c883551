// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -std=gnu99
// Heads of functions in old and new style, told apart: the header goes before
// both, never between a head and its body.
#include <stdlib.h>
#define NEW_STYLE
// CHECK-FIXES: #define NEW_STYLE
// CHECK-FIXES-NEXT: #include <evenkeel/ek.h>

#ifdef NEW_STYLE
void *get(int n)
#else
void *get(n)
  int n;
#endif
{
  return malloc(n);
  // CHECK-FIXES: return ek_malloc(0x{{[0-9a-f]+}}ULL, n);
}
