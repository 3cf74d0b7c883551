// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/static-shared.h -- -fopenmp
// Large variables of static storage are registered behind their declarations.
#include "Inputs/static-shared.h"
#define N 10000
#define ARRAY(name) static double name[N]
#define WHOLE(name) static double name[N];

double grid[N][2], old[N], small[10];
// CHECK-FIXES: double grid[N][2], old[N], small[10]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, {{grid|old}}) EK_GLOBAL(0x{{[0-9a-f]+}}ULL, {{grid|old}})

int tentative[20000];
int tentative[20000];
// CHECK-FIXES: int tentative[20000];
// CHECK-FIXES-NEXT: int tentative[20000]; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, tentative)

static float aligned[100000] __attribute__((aligned(64)));
// CHECK-FIXES: static float aligned[100000] __attribute__((aligned(64))); EK_GLOBAL(0x{{[0-9a-f]+}}ULL, aligned)

struct state {
  double x[N];
  int n;
} state = {.n = 4};
// CHECK-FIXES: } state = {.n = 4}; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, state)

double first[N] = {1}, second[N] = {2,
                                    3};
// CHECK-FIXES: 3}; EK_GLOBAL(0x{{[0-9a-f]+}}ULL, {{first|second}}) EK_GLOBAL(0x{{[0-9a-f]+}}ULL, {{first|second}})

ARRAY(by_macro);
// CHECK-FIXES: ARRAY(by_macro); EK_GLOBAL(0x{{[0-9a-f]+}}ULL, by_macro)
WHOLE(with_semicolon)
// CHECK-FIXES: WHOLE(with_semicolon){{$}}

const int constant[20000] = {1};
// CHECK-FIXES: const int constant[20000] = {1};
static int unused[20000];
// CHECK-FIXES: static int unused[20000];
static int private_to_each[20000];
#pragma omp threadprivate(private_to_each)
// CHECK-FIXES: static int private_to_each[20000];
_Thread_local int local_to_each[20000];
// CHECK-FIXES: _Thread_local int local_to_each[20000];

double *scratch(int i) {
  static double s[N];
  double *p = s + i;
  // CHECK-FIXES: static double s[N]; EK_STATIC(0x{{[0-9a-f]+}}ULL, s)
  {
    static char u[100000], v[100000];
    // CHECK-FIXES: static char u[100000], v[100000]; EK_STATIC(0x{{[0-9a-f]+}}ULL, {{u|v}}) EK_STATIC(0x{{[0-9a-f]+}}ULL, {{u|v}})
    u[i] = v[i];
  }
  return p + private_to_each[i] + local_to_each[i];
}

double sum(void) {
  return by_macro[1] + with_semicolon[1] + shared[1] + elsewhere[1] +
         aligned[1] + second[1] + first[1];
}

#define LATE
#ifdef LATE
double elsewhere[N]
#else
double elsewhere[2 * N]
#endif
    ;
// CHECK-FIXES: {{^}}    ;{{$}}

_Static_assert(__LINE__ == 70, "line numbers stay");

// CHECK-REPORT: 17 sites: 12 rewritten, 1 left to the run time, 4 skipped (1 conditional-declaration, 1 macro-body, 1 thread-local, 1 threadprivate)
