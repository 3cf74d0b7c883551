// A link that is the first to see the program, after each unit was optimised:
// copies of an inlined call are one place, with the id that it has anywhere.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O2 -g -flto -c %s -o %t/unit.o
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_FACTS=%t/link.json %clang -flto -fuse-ld=lld -Wl,--load-pass-plugin=%ekpass %t/unit.o -o %t/program
// RUN: %clang -O2 -g -fpass-plugin=%ekpass -c %s -o %t/whole.o
// RUN: %evenkeel analyze --root %S %t/whole.o -o %t/whole.json
// RUN: %python -c "import json, sys; print(*sorted([s['id'], s['at']] for s in json.load(open(sys.argv[1]))['sites']))" %t/link.json > %t/link.txt
// RUN: %python -c "import json, sys; print(*sorted([s['id'], s['at']] for s in json.load(open(sys.argv[1]))['sites']))" %t/whole.json > %t/whole.txt
// RUN: cmp %t/link.txt %t/whole.txt
// RUN: FileCheck %s < %t/link.txt
// CHECK: link-alone.c:17:33
// CHECK-NOT: link-alone.c:17:33
#include <stdio.h>
#include <stdlib.h>
static double *numbers(long n) {
  double *p = n > 0 ? (double *)malloc(n * sizeof(double)) : NULL;
  if (!p)
    exit(1);
  return p;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *x = numbers(n), *y = numbers(2 * n), *z = numbers(3 * n);
  for (long i = 0; i < n; i++)
    x[i] = y[i] = z[i] = i;
  printf("%g\n", x[n / 2] + y[n / 3] + z[n / 4]);
  free(x);
  free(y);
  free(z);
  return 0;
}
