// A rule that is one more file (Inputs/rules/DroppedIn.cpp) runs beside the others.
// RUN: rm -rf %t && mkdir %t && cp %s %t/dropped-in.c
// RUN: echo '[{"directory": "%t", "file": "dropped-in.c", "command": "clang -c dropped-in.c"}]' >%t/compile_commands.json
// RUN: %ekbuild/bin/evenkeel-rewrite-dropped --inventory -p %t --root=%t | FileCheck %s
// RUN: %ekrewrite --inventory -p %t --root=%t | FileCheck %s --check-prefix=PLAIN --implicit-check-not=scratch_get
// CHECK: site dropped-in.c:[[#@LINE+8]]:13 main {{[0-9a-f]+}} malloc
// CHECK-NEXT: scratch_get dropped-in.c:[[#@LINE+8]]:13 main {{[0-9a-f]+}} scratch_get # stack
// PLAIN: site dropped-in.c:{{.*}} malloc
#include <stdlib.h>

void *scratch_get(size_t bytes);

int main(void) {
  char *a = malloc(100000);
  char *b = scratch_get(100000);
  return a == b;
}
