// RUN: %bitcode %s -o %t.bc && %ekopt -passes='print<ek-inventory>' -disable-output %t.bc | FileCheck %s
// An edit above a function changes coordinates, but no id.
// RUN: (printf '\n\n\n'; cat %s) > %t.moved.c
// RUN: mkdir -p %t.d && mv %t.moved.c %t.d/inventory.c && cd %t.d
// RUN: %bitcode inventory.c -o %t2.bc
// RUN: %ekopt -passes='print<ek-inventory>' -disable-output %t.bc | grep -v ' in file ' | sed 's/.* id=//' | sort > %t.ids
// RUN: %ekopt -passes='print<ek-inventory>' -disable-output %t2.bc | grep -v ' in file ' | sed 's/.* id=//' | sort > %t2.ids
// RUN: diff %t.ids %t2.ids
#include <stdlib.h>
#define TWO(a, b, n) (a = malloc(n), b = malloc(n))
static double table[10000];
double small[16];
double grid[100][100];
static double *make(size_t n) { return calloc(n, sizeof(double)); }
int work(size_t n) {
  static int counts[20000];
  char *a, *b;
  void *c = 0;
  TWO(a, b, n);
  if (posix_memalign(&c, 64, n))
    return 1;
  a = realloc(a, 2 * n);
  double *d = make(n), *e = aligned_alloc(64, n);
#pragma omp parallel
  {
#pragma omp for
    for (size_t i = 0; i < n; i++)
      table[i] = grid[0][i] = counts[i] = small[0];
#pragma omp sections
    {
#pragma omp section
      d[0] = 1;
#pragma omp section
      e[0] = 1;
    }
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task
        d[1] = 2;
      }
#pragma omp task
      e[1] = 2;
#pragma omp taskwait
#pragma omp taskloop
      for (size_t i = 0; i < n; i++)
        d[i] = 3;
    }
#pragma omp barrier
  }
  return a[0] + b[0] + d[0] + e[0] > 3;
}
int main(void) { return work(3); }

// CHECK: global:table static inventory.c:11:0 in file id={{[0-9a-f]+$}}
// CHECK-NEXT: global:grid global inventory.c:13:0 in file id={{[0-9a-f]+$}}
// CHECK-NEXT: site calloc inventory.c:14:40 in make id={{[0-9a-f]+$}}
// CHECK-NEXT: global:counts static inventory.c:16:0 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: site malloc inventory.c:19:3 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: site malloc inventory.c:19:3 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: site posix_memalign inventory.c:20:7 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: site realloc inventory.c:22:7 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: site aligned_alloc inventory.c:23:29 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: region parallel inventory.c:24:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-parallel serial inventory.c:24:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-for team inventory.c:26:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-sections team inventory.c:29:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-single team inventory.c:36:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-taskgroup team inventory.c:38:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: region task inventory.c:40:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: region task inventory.c:43:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-taskwait team inventory.c:45:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: region task inventory.c:46:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-taskloop team inventory.c:46:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: sync-barrier team inventory.c:50:1 in work id={{[0-9a-f]+$}}
// CHECK-NEXT: region serial inventory.c:54:0 in main id={{[0-9a-f]+$}}
// CHECK-NOT: {{.}}
// INPUTS 24 | 38
