// Streams, a gather, a static array, small blocks and a memcpy, by two threads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double table[300000];

struct node {
  struct node *next;
  double value[5];
};

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 400000;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  double *x = malloc(n * sizeof *x);
  int *index = malloc(n * sizeof *index);
  unsigned long random = 1;
  struct node *head = NULL;
  for (long i = 0; i < n; i++) {
    a[i] = (double)i;
    x[i] = 1.0 / (double)(i + 1);
    random = random * 6364136223846793005u + 1442695040888963407u;
    index[i] = (int)((random >> 33) % (unsigned long)n);
  }
  for (long i = 0; i < n / 8; i++) {
    struct node *p = malloc(sizeof *p);
    p->next = head;
    p->value[i % 5] = (double)i;
    head = p;
  }
  double sum = 0;
  for (int round = 0; round < 4; round++) {
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (long i = 0; i < n; i++) {
      b[i] = a[i] + x[index[i]];
      table[i % 300000] += b[i];
      sum += b[i];
    }
    memcpy(a, b, n * sizeof *a);
    for (struct node *p = head; p; p = p->next)
      sum += p->value[round];
  }
  printf("%.6g %.6g\n", sum, table[4711]);
  return 0;
}
