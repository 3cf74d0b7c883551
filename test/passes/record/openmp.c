// The same stream in every run, whatever ASLR, threads and the clock do, and
// the plain program's results.
// RUN: %clang -O2 -g -fopenmp %s -o %t.plain
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw*
// RUN: env OMP_NUM_THREADS=8 %t.plain > %t.out.plain
// RUN: env OMP_NUM_THREADS=8 EVENKEEL_RAW=%t.raw1 %t.rec > %t.out.1
// RUN: env OMP_NUM_THREADS=8 EVENKEEL_RAW=%t.raw2 OMP_WAIT_POLICY=active %t.rec > %t.out.2
// RUN: env OMP_NUM_THREADS=8 EVENKEEL_RAW=%t.raw3 taskset 1 %t.rec > %t.out.3
// RUN: cmp %t.out.plain %t.out.1
// RUN: cmp %t.out.plain %t.out.2
// RUN: cmp %t.raw1.* %t.raw2.*
// RUN: cmp %t.raw1.* %t.raw3.*
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  long value;
};

static double table[20000];

int main(void) {
  const int n = 50000;
  double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
  int *index = malloc(n * sizeof *index);
  for (int i = 0; i < n; i++) {
    a[i] = i;
    index[i] = (int)((i * 7919L) % n);
  }
  for (int i = 0; i < 20000; i++)
    table[i] = i & 7;
  double sums[8] = {0};
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 64)
    for (int i = 0; i < n; i++)
      b[i] += a[index[i]] * table[i % 20000];
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++)
      a[i] += b[n - 1 - i];
#pragma omp for schedule(static)
    for (int k = 0; k < 8; k++) {
      struct node *head = NULL;
      for (int i = 0; i < 500 * (k + 1); i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head;
        fresh->value = i;
        head = fresh;
      }
      for (struct node *p = head; p; p = p->next)
        sums[k] += (double)p->value;
      while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
      }
      double *scratch = malloc(100000);
      for (int i = 0; i < 12500; i++)
        scratch[i] = sums[k];
      sums[k] += scratch[12499];
      free(scratch);
    }
#pragma omp single
    {
      for (int step = 0; step < 3; step++) {
        for (int block = 1; block < 9; block++)
#pragma omp task depend(in : a[block - 1]) depend(inout : a[block])            \
    firstprivate(block)
          for (int i = 0; i < 1000; i++)
            b[block * 1000 + i] += a[block * 1000 + i];
#pragma omp taskwait
      }
    }
#pragma omp critical
    sums[0] += 1;
  }
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < n; i++)
    b[i] = 2 * b[i];
  double total = 0;
  for (int i = 0; i < n; i++)
    total += a[i] + b[i];
  for (int k = 0; k < 8; k++)
    total += sums[k];
  printf("%.17g\n", total);
  free(a);
  free(b);
  free(index);
  return 0;
}
