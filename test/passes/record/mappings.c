// Mappings and MPI memory are objects of their sites, also after they were
// trimmed, grown, released in parts, protected or refused.
// RUN: %clang -O2 -g %s -o %t.plain -DPLAIN
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw* %t.ekdb && %t.plain > %t.out.plain
// RUN: %evenkeel record -o %t.ekdb -- %t.rec > %t.out 2> %t.err && cmp %t.out.plain %t.out
// RUN: FileCheck %s < %t.err --check-prefix=ERR
// RUN: %python %S/Inputs/site_counts.py %t.ekdb | FileCheck %s
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, N = 64 * PAGE };
typedef unsigned char byte;

#ifdef PLAIN
static int MPI_Alloc_mem(long n, int info, void *out) {
  (void)info;
  return !(*(void **)out = malloc(n));
}
static int MPI_Free_mem(void *p) { return free(p), 0; }
#else
int MPI_Alloc_mem(long n, int info, void *out);
int MPI_Free_mem(void *p);
#endif

static byte *map(size_t n, int protection, int flags) {
  return mmap(0, n, protection, flags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

__attribute__((noinline)) static long touch(volatile byte *p, long n) {
  long sum = 0;
  for (long i = 0; i < n; i += PAGE) {
    p[i] += 3;
    sum += p[i];
  }
  return sum;
}

int main(void) {
  long sum = 0;
  // Aligned by mapping more and trimming both ends.
  byte *p = map(3 * N, PROT_READ | PROT_WRITE, 0);
  byte *q = (byte *)(((uintptr_t)p + N - 1) & ~(uintptr_t)(N - 1));
  if (q != p)
    munmap(p, q - p);
  munmap(q + N, p + 3 * N - (q + N));
  sum += touch(q, N);
  munmap(q, N);
  // Grows as realloc does, keeps its contents, shrinks.
  byte *g = map(N, PROT_READ | PROT_WRITE, MAP_NORESERVE);
  sum += touch(g, N);
  g = mremap(g, N, 4 * N, MREMAP_MAYMOVE);
  sum += touch(g, 4 * N);
  g = mremap(g, 4 * N, N, 0);
  sum += touch(g, N);
  munmap(g, N);
  // Reserved first, used later; read-only in the end.
  byte *r = map(N, PROT_NONE, 0);
  mprotect(r, N, PROT_READ | PROT_WRITE);
  sum += touch(r, N);
  mprotect(r, N, PROT_READ);
  sum += r[PAGE];
  // A piece of it replaced in place.
  byte *fixed = mmap(r + PAGE, PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  sum += fixed == r + PAGE && fixed[0] == 0;
  munmap(r, N);
  // Zeroed again where something was; refused where it must be.
  byte *z = map(N, PROT_READ | PROT_WRITE, 0);
  for (long i = 0; i < N; i += PAGE)
    sum += z[i];
  munmap(z, N);
  errno = 0;
  sum += mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
             MAP_FAILED &&
         errno == EINVAL;
  sum += munmap((byte *)1, PAGE) == -1;
  void *m;
  sum += MPI_Alloc_mem(N, 0, &m);
  for (long i = 0; i < N; i++)
    ((byte *)m)[i] = 0;
  sum += touch(m, N);
  MPI_Free_mem(m);
  printf("%ld\n", sum);
  return 0;
}
// The two outside are errno's.
// ERR: accesses recorded, 2 outside known objects
// CHECK: 1. site 1#0 bytes 786432 reads 128 writes 64
// CHECK-NEXT: 2. site 1#1 bytes 262144 reads 128 writes 64
// CHECK-NEXT: 3. site 1#2 bytes 1048576 reads 640 writes 320
// CHECK-NEXT: 4. site 1#3 bytes 262144 reads 130 writes 64
// CHECK-NEXT: 5. site 1#4 bytes 262144 reads 64 writes 0
// CHECK-NEXT: 6. site 2#0 bytes 262144 reads 128 writes 262208
// CHECK-NOT: {{.}}
