// Sampled recording: a described loop is reported if it passes a sampled line,
// not because its range spans two pages.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fpass-plugin=%ekpass -c %s -o %t.o
// RUN: %clangxx -O2 -std=gnu++17 -I%S/../../../runtime -I%S/../../../profiles -c %S/Inputs/ToldLoops.cpp -o %t.told.o
// RUN: %clang %t.o %t.told.o -o %t -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw* && env EVENKEEL_RAW=%t.raw %t | FileCheck %s
#include <stdio.h>
#include <stdlib.h>

extern volatile long LoopsTold, LoopsSampled; // counted by Inputs/ToldLoops.cpp

__attribute__((noinline)) double sum(long n, const double *a) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  return s;
}

int main(void) {
  enum { PAGES = 256, PAGE = 4096 / sizeof(double) };
  double *a = aligned_alloc(4096, (PAGES + 1) * PAGE * sizeof *a), s = 0;
  for (long i = 0; i < (PAGES + 1) * PAGE; i++)
    a[i] = 1;
  long before = LoopsTold, sampled = LoopsSampled;
  // A line on either side of each boundary of pages: of every 32, one is sampled.
  for (long page = 1; page <= PAGES; page++)
    s += sum(16, a + page * PAGE - 8);
  printf("%g; told %ld, not sampled %ld\n", s, LoopsTold - before,
         LoopsTold - before - (LoopsSampled - sampled));
  // Whole pages have one each.
  before = LoopsTold, sampled = LoopsSampled;
  for (long page = 0; page < PAGES; page++)
    s += sum(PAGE, a + page * PAGE);
  printf("told %ld, not sampled %ld\n", LoopsTold - before,
         LoopsTold - before - (LoopsSampled - sampled));
  return 0;
}
// CHECK: 4096; told {{[6-9]|10}}, not sampled 0
// CHECK-NEXT: told 256, not sampled 0
