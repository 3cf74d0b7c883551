// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -std=gnu89 -w -Wno-int-conversion -Wno-incompatible-library-redeclaration -Wno-deprecated-non-prototype
// Old C: the program's own prototypes, within functions as well, none at all,
// definitions with lists of names, and pointers that are held elsewhere.
typedef int uint64_t;
extern char *malloc();
extern void free();

double *make(n)
unsigned n;
{
  char *realloc();
  double *p = (double *)malloc(n * sizeof *p);
  // CHECK-FIXES: double *p = (double *)((char *)ek_malloc(0x{{[0-9a-f]+}}ULL, n * sizeof *p));
  char *q = malloc(n) + 1;
  // CHECK-FIXES: char *q = ((char *)ek_malloc(0x{{[0-9a-f]+}}ULL, n)) + 1;
  int new = malloc(8)[0];
  // CHECK-FIXES: int new = ((char *)ek_malloc(0x{{[0-9a-f]+}}ULL, 8))[0];
  q = realloc(q, 3 + new);
  // CHECK-FIXES: q = ((char *)ek_realloc(0x{{[0-9a-f]+}}ULL, q, 3 + new));
  free(q);
  // CHECK-FIXES: ek_free(q);
  new = (long)q;
  free(new);
  // CHECK-FIXES: free(new);
  return p;
}

void *implicit(n)
int n;
{
  return calloc(n, 4);
  // CHECK-FIXES: return ek_calloc(0x{{[0-9a-f]+}}ULL, n, 4);
}

// CHECK-REPORT: 5 sites: 5 rewritten, 0 left to the run time, 0 skipped
// CHECK-REPORT: 2 calls of free: 1 rewritten, 1 skipped (1 own-prototype)
