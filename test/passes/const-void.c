// A condition that reads through a pointer to const void: what it points to has
// no type and so no name.
// RUN: %clang -O2 -g -c %s -o %t.o -fpass-plugin=%ekpass
// RUN: %evenkeel analyze --print %t.o | FileCheck %s
// RUN: %ekcc --record=misses -O2 -g %s -o %t.exe
#include <stdlib.h>

static double *values;

__attribute__((noinline)) int above(const void *limit, const int *many) {
  int found = 0;
  if (*(const int *)limit > 7)
    for (int i = 0; i < *many; i++)
      found += values[i] > 0;
  return found;
}

int main(int argc, char **argv) {
  values = calloc(argc * 100000ul, 8);
  int many = argc * 100000;
  return above(argv[0], &many);
}

// CHECK: const-void.c:{{.*}} stream
