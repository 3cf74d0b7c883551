// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A size that depends on itself through calls and memory, as random numbers do:
// the search for the input that it is computed from ends, and the size beside
// it is still found.
#include <stdlib.h>
void keep(double *x);
static unsigned long seed = 1;
static long rows;
struct state {
  unsigned long word;
};
__attribute__((noinline)) static unsigned long step(struct state *s) {
  s->word = s->word * 6364136223846793005u + 1442695040888963407u;
  return s->word >> 33;
}
__attribute__((noinline)) static unsigned long below(struct state *s,
                                                     unsigned long n) {
  unsigned long x = step(s) % n;
  if (x % 2)
    x += below(s, n + step(s)) + step(s);
  return x;
}
int main(int argc, char **argv) {
  struct state s = {atol(argv[1])};
  seed = below(&s, step(&s)) + below(&s, seed);
  rows = atol(argv[2]);
  double *a = malloc(seed * sizeof *a);
  double *b = malloc(rows * sizeof *b);
  keep(a), keep(b);
}
// CHECK: input main:{{.*}} from argument 2
