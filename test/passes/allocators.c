// Every family of allocation functions: sites with their sizes, and which loops
// walk the block, however the function returns it.
// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// RUN: %bitcode -DOPENMPI %s -o %t.bc && %access %t.bc | FileCheck %s
#define _GNU_SOURCE
#include <hbwmalloc.h>
#include <malloc.h>
#include <memkind.h>
#include <mm_malloc.h>
#include <numa.h>
#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef OPENMPI
typedef struct info *MPI_Info;
#define MPI_INFO_NULL ((MPI_Info)0)
#else
typedef int MPI_Info;
#define MPI_INFO_NULL 0x1c000000
#endif
int MPI_Alloc_mem(long size, MPI_Info info, void *baseptr);
int PMPI_Alloc_mem(long size, MPI_Info info, void *baseptr);

__attribute__((noinline)) static char walk(char *p, size_t n) {
  char sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

char family(size_t n, int file) {
  void *p;
  char s = walk(malloc(n), 1) + walk(calloc(n, 2), 2);
  s += walk(realloc(0, 3 * n), 3);
  s += walk(reallocarray(0, n, 4), 4);
  s += walk(aligned_alloc(64, n), 5);
  s += walk(memalign(64, n), 6);
  s += walk(valloc(n), 7);
  s += walk(pvalloc(n), 8);
  s += posix_memalign(&p, 64, n) ? 0 : walk(p, 9);
  s += walk(_mm_malloc(n, 64), 10);
  s += walk(mmap(0, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 11);
  s += walk(mmap(0, n, PROT_READ, MAP_PRIVATE, file, 0), 12);
  s += walk(mmap64(0, n, PROT_READ, MAP_SHARED, file, 0), 13);
  s += MPI_Alloc_mem(n, MPI_INFO_NULL, &p) ? 0 : walk(p, 14);
  s += PMPI_Alloc_mem(n, MPI_INFO_NULL, &p) ? 0 : walk(p, 15);
  return s;
}
char chosen(size_t n) {
  void *p;
  char s = walk(memkind_malloc(MEMKIND_HBW, n), 21);
  s += walk(memkind_calloc(MEMKIND_HBW, n, 2), 22);
  s += walk(memkind_realloc(MEMKIND_HBW, 0, n), 23);
  s += memkind_posix_memalign(MEMKIND_HBW, &p, 64, n) ? 0 : walk(p, 24);
  s += walk(hbw_malloc(n), 25);
  s += walk(hbw_calloc(n, 2), 26);
  s += walk(hbw_realloc(0, n), 27);
  s += hbw_posix_memalign(&p, 64, n) ? 0 : walk(p, 28);
  s += hbw_posix_memalign_psize(&p, 64, n, HBW_PAGESIZE_2MB) ? 0 : walk(p, 29);
  s += walk(numa_alloc(n), 30);
  s += walk(numa_alloc_onnode(n, 1), 31);
  s += walk(numa_alloc_interleaved(n), 32);
  s += walk(numa_realloc(0, n, 2 * n), 33);
  s += walk(omp_alloc(n, omp_high_bw_mem_alloc), 34);
  s += walk(omp_aligned_alloc(64, n, omp_high_bw_mem_alloc), 35);
  s += walk(omp_calloc(n, 2, omp_high_bw_mem_alloc), 36);
  s += walk(omp_aligned_calloc(64, n, 2, omp_high_bw_mem_alloc), 37);
  s += walk(kmp_malloc(n), 38);
  return s;
}

int main(int argc, char **argv) {
  (void)argv;
  return family(100000, argc) + chosen(100000);
}

// CHECK: allocators.c:27:12 MPI_Alloc_mem@allocators.c:45:8,MPI_Alloc_mem@allocators.c:46:8,_mm_malloc@allocators.c:41:13,aligned_alloc@allocators.c:36:13,calloc@allocators.c:33:38,hbw_calloc@allocators.c:56:13,hbw_malloc@allocators.c:55:13,hbw_posix_memalign@allocators.c:58:8,hbw_posix_memalign_psize@allocators.c:59:8,hbw_realloc@allocators.c:57:13,kmp_malloc@allocators.c:68:13,malloc@allocators.c:33:17,memalign@allocators.c:37:13,memkind_calloc@allocators.c:52:13,memkind_malloc@allocators.c:51:17,memkind_posix_memalign@allocators.c:54:8,memkind_realloc@allocators.c:53:13,mmap@allocators.c:42:13,mmap@allocators.c:43:13,mmap@allocators.c:44:13,numa_alloc@allocators.c:60:13,numa_alloc_interleaved@allocators.c:62:13,numa_alloc_onnode@allocators.c:61:13,numa_realloc@allocators.c:63:13,omp_aligned_alloc@allocators.c:65:13,omp_aligned_calloc@allocators.c:67:13,omp_alloc@allocators.c:64:13,omp_calloc@allocators.c:66:13,posix_memalign@allocators.c:40:8,pvalloc@allocators.c:39:13,realloc@allocators.c:34:13,reallocarray@allocators.c:35:13,valloc@allocators.c:38:13 stream(1) element 1
// CHECK-NEXT: site malloc allocators.c:33:17 size family:n live
// CHECK-NEXT: site calloc allocators.c:33:38 size 2*family:n live
// CHECK-NEXT: site realloc allocators.c:34:13 size 3*family:n live
// CHECK-NEXT: site reallocarray allocators.c:35:13 size 4*family:n live
// CHECK-NEXT: site aligned_alloc allocators.c:36:13 size family:n live
// CHECK-NEXT: site memalign allocators.c:37:13 size family:n live
// CHECK-NEXT: site valloc allocators.c:38:13 size family:n live
// CHECK-NEXT: site pvalloc allocators.c:39:13 size family:n live
// CHECK-NEXT: site posix_memalign allocators.c:40:8 size family:n live
// CHECK-NEXT: site _mm_malloc allocators.c:41:13 size family:n live
// CHECK-NEXT: site mmap allocators.c:42:13 size family:n live
// CHECK-NEXT: site mmap allocators.c:43:13 size family:n live
// CHECK-NEXT: site mmap allocators.c:44:13 size family:n live
// CHECK-NEXT: site MPI_Alloc_mem allocators.c:45:8 size family:n live
// CHECK-NEXT: site MPI_Alloc_mem allocators.c:46:8 size family:n live
// CHECK-NEXT: site memkind_malloc allocators.c:51:17 size chosen:n live
// CHECK-NEXT: site memkind_calloc allocators.c:52:13 size 2*chosen:n live
// CHECK-NEXT: site memkind_realloc allocators.c:53:13 size chosen:n live
// CHECK-NEXT: site memkind_posix_memalign allocators.c:54:8 size chosen:n live
// CHECK-NEXT: site hbw_malloc allocators.c:55:13 size chosen:n live
// CHECK-NEXT: site hbw_calloc allocators.c:56:13 size 2*chosen:n live
// CHECK-NEXT: site hbw_realloc allocators.c:57:13 size chosen:n live
// CHECK-NEXT: site hbw_posix_memalign allocators.c:58:8 size chosen:n live
// CHECK-NEXT: site hbw_posix_memalign_psize allocators.c:59:8 size chosen:n live
// CHECK-NEXT: site numa_alloc allocators.c:60:13 size chosen:n live
// CHECK-NEXT: site numa_alloc_onnode allocators.c:61:13 size chosen:n live
// CHECK-NEXT: site numa_alloc_interleaved allocators.c:62:13 size chosen:n live
// CHECK-NEXT: site numa_realloc allocators.c:63:13 size 2*chosen:n live
// CHECK-NEXT: site omp_alloc allocators.c:64:13 size chosen:n live
// CHECK-NEXT: site omp_aligned_alloc allocators.c:65:13 size chosen:n live
// CHECK-NEXT: site omp_calloc allocators.c:66:13 size 2*chosen:n live
// CHECK-NEXT: site omp_aligned_calloc allocators.c:67:13 size 2*chosen:n live
// CHECK-NEXT: site kmp_malloc allocators.c:68:13 size chosen:n live
