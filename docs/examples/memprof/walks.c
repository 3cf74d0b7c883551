/* walks.c - an array walked through, and a chain of indices
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdlib.h>
static double *make(long n) { return malloc(n * sizeof(double)); }
int main(int argc, char **argv) {
  long n = 1000000L * argc, at = 0;
  double *a = make(4 * n), s = 0;
  long *next = malloc(n * 8 + 576);
  char *name = malloc(70000);
  for (long i = 0; i < n; i++)
    next[i] = (i + 700001) % n;
  for (long i = 0; i < 4 * n; i++)
    a[i] = i;
  for (int k = 0; k < 3; k++)
    for (long i = 0; i < 4 * n; i++)
      s += a[i] * k;
  for (long i = 0; i < 2 * n; i++)
    at = next[at];
  for (long i = 0; i < 70000; i++)
    name[i] = (char)at;
  volatile double keep = s + at + name[at % 70000];
  (void)keep;
  free(a), free(next), free(name);
  return 0;
}
