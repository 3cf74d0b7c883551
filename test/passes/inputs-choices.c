// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Sizes that are chosen by tests of the input: of the text of an argument, or
// of its number.
#include <stdlib.h>
#include <string.h>
void keep(void *x);
__attribute__((noinline)) static long sized(const char *name) {
  long n = 355;
  if (strcmp(name, "small") == 0)
    n = 68;
  return n;
}
int main(int argc, char **argv) {
  const char *kind = "large";
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--kind") == 0)
      kind = argv[++i];
  long isotopes = sized(argv[1]);
  long points = strcasecmp(kind, "large") == 0 ? 1000 : 10;
  long n = atol(argv[2]), blocks = n > 5000 ? n / 100 : n;
  keep(malloc(isotopes));
  keep(malloc(points));
  keep(malloc(blocks));
}
// CHECK-DAG: {{^}}input main:{{.*}} from -287*(argument 1 is 'small') + 355
// CHECK-DAG: {{^}}input main:{{.*}} from 990*((option --kind is 'large') or 1)
// + 10 CHECK-DAG: {{^}}input main:blocks from (floordiv(argument 2, 100) -
// argument 2)*min(1, max(0, argument 2 - 5000)) + argument 2
