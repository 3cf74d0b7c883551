/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One long task that does something else in its second half: it fills arrays
 * from one end to the other, then follows a chain through one of them and adds
 * up another one, which it has not used before. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const long n = 1 << 21;
  long *chain = malloc(n * sizeof *chain);
  for (long turn = 0; turn < 4; turn++)
    for (long i = 0; i < n; i++)
      chain[i] = (i * 40503 + 12345 + turn) & (n - 1);
  double *late = calloc(n, sizeof *late), sum = 0;
  long at = 1;
  for (long i = 0; i < n; i++) {
    at = chain[at];
    late[(i * 7919) & (n - 1)] += (double)at;
  }
  for (long i = 0; i < n; i++)
    sum += late[i];
  printf("%f\n", sum);
}
