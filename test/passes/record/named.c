// Functions that users or declarations name as allocators are not replaced:
// blocks keep their addresses, as only the program knows how to release them.
// RUN: %clang -O2 -DELSEWHERE -c %s -o %t.o
// RUN: env EVENKEEL_ALLOCATORS=pool_take:1 EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fpass-plugin=%ekpass %s %t.o -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw* %t.ekdb && %evenkeel record -o %t.ekdb -- %t.rec > %t.out
// RUN: FileCheck %s < %t.out
#include <stdio.h>
#include <stdlib.h>

__attribute__((malloc)) int *slot_take(void);
__attribute__((malloc, alloc_size(2))) char *slots_take(int from, size_t n);
int slot_number(const void *p);

#ifdef ELSEWHERE
static int slots[64];
int *slot_take(void) { return slots + 5; }
char *slots_take(int from, size_t n) { return n > 64 ? 0 : (char *)&slots[from]; }
int slot_number(const void *p) { return (int)((const int *)p - slots); }
#else
static double pool[1 << 12];
static size_t used;
__attribute__((noinline)) double *pool_take(size_t bytes) {
  double *p = pool + used;
  used += bytes / sizeof *p;
  return p;
}
__attribute__((noinline)) int pool_give(double *p) {
  if (p < pool || p >= pool + used)
    return 0;
  used = p - pool;
  return 1;
}

int main(void) {
  double *a = pool_take(800), *b = pool_take(1600);
  for (int i = 0; i < 200; i++)
    b[i] = a[i % 100] = i;
  int *slot = slot_take();
  char *more = slots_take(7, 4);
  *slot = *more = 3;
  // CHECK: 5 7
  printf("%d %d\n", slot_number(slot), slot_number(more));
  // CHECK: 1 1 0 199
  int second = pool_give(b), first = pool_give(a);
  printf("%d %d %zu %g\n", second, first, used, b[199]);
  return 0;
}
#endif
