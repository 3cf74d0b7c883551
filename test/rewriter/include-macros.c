#ifdef __linux__
#define _GNU_SOURCE /* read by the
                       C library */
#endif
// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/guarded.h -- -fopenmp -std=c11
// The header must not come before macros that choose the C library's
// interfaces: posix_memalign needs one in strict C11.
#define _POSIX_C_SOURCE 200112L
#ifdef __cplusplus
extern "C" {
#endif
#include "Inputs/guarded.h"
#include <stdlib.h>
#ifdef __cplusplus
}
#endif
int f(void **p) { return posix_memalign(p, 64, 64); }
_Static_assert(__LINE__ == 18, "line numbers stay");
// CHECK-FIXES: #define _POSIX_C_SOURCE 200112L
// CHECK-FIXES-NEXT: #include <evenkeel/ek.h>
// CHECK-FIXES-NEXT: #line 9 "include-macros.c"
// CHECK-FIXES: int f(void **p) { return ek_posix_memalign(0x{{[0-9a-f]+}}ULL, p, 64, 64); }
