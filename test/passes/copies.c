// A loop that is measured in its own function and where that was inlined: two
// symbols, two names.
// RUN: %clang -O2 -g -c %s -o %t.o -fpass-plugin=%ekpass
// RUN: %evenkeel analyze --verify %t.o | FileCheck %s --check-prefix=VERIFY
// VERIFY: verified: {{[0-9]+}} checks hold
// RUN: %evenkeel analyze --print %t.o | FileCheck %s
// CHECK-DAG: copies.c:23:46  chase {{.*}} trip.14 {{ *}}0
// CHECK-DAG: copies.c:23:22  chase {{.*}} trip.14~1 {{ *}}0
#include <stdlib.h>
struct node {
  struct node *next;
};
static void release(struct node *p) {
  while (p) {
    struct node *next = p->next;
    free(p);
    p = next;
  }
}
int main(int argc, char **argv) {
  struct node *a = NULL, *b = NULL;
  for (int i = 0; i < argc; ++i) {
    struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m);
    n->next = a, a = n;
    m->next = b, b = m;
  }
  [[clang::noinline]] release(a);
  [[clang::always_inline]] release(b);
  return 0;
}
// INPUTS 24 | 38
