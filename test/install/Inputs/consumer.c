#include <stdio.h>
#include <stdlib.h>

int main(void) {
  long n = 100000, sum = 0;
  long *a = malloc(n * sizeof *a);
  if (!a)
    return 1;
  for (long i = 0; i < n; ++i)
    a[i] = i % 1000;
  for (long i = 0; i < 1000; ++i)
    sum += a[i];
  printf("sum %ld\n", sum);
  free(a);
  return 0;
}
