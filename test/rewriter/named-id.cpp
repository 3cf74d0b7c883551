// An id that the source gives by the name of a constant is that constant's value,
// as it is in the code that the compiler makes.
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/main.cpp && cd %t
// RUN: echo '[{"directory": "%t", "file": "main.cpp", "command": "c++ -I%ekinclude -c main.cpp"}]' > compile_commands.json
// RUN: %ekrewrite -p . --root . --inventory main.cpp | FileCheck %s
#include "evenkeel/ek.h"

constexpr ek_id Named = 0x1234;
static const ek_id Constant = 0x77;

void *both(unsigned long n) {
  // CHECK: main.cpp:13:10 {{.*}}0000000000001234
  return ek_malloc(Named, n);
}
void *other(unsigned long n) {
  // CHECK: main.cpp:17:10 {{.*}}0000000000000077
  return ek_malloc(Constant, n);
}
