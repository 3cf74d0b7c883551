// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Arithmetic on words of eight and sixteen bits.
#include <stdlib.h>
void keep(double *x);
static long rows;
__attribute__((noinline)) static unsigned char low(unsigned char x) {
  return (unsigned char)((x & 56) | 1) & 57;
}
__attribute__((noinline)) static unsigned short half(unsigned short x) {
  return (unsigned short)(x * 3) & 255;
}
int main(int argc, char **argv) {
  unsigned char a = low(atoi(argv[1]));
  unsigned short b = half(atoi(argv[2]));
  rows = atol(argv[3]);
  keep(malloc(a * sizeof(double)));
  keep(malloc(b * sizeof(double)));
  keep(malloc(rows * sizeof(double)));
}
// CHECK: input main:{{.*}} from argument 3
