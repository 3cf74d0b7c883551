// Moves a large block again and again, between writes to it: moving takes
// memory that is one mapping.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = NULL;
  size_t sum = 0;
  for (size_t i = 0; i < 400; ++i) {
    const size_t n = ((i % 8) + 1) << 20;
    p = realloc(p, n);
    memset(p, (int)i, n);
    sum += (size_t)p[n / 2];
  }
  printf("%zu\n", sum);
  free(p);
  return 0;
}
