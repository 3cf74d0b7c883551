// Variables in memory that change between one use of a bound and the next.
// INPUTS 101 67 | 131 89
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define APART __attribute__((noinline)) static

struct part {
  long n;
  double *a;
};

// KERNEL field_changes: exact
//   a serial stream(8) element 8 reads trip+2 writes trip+2 exact
APART void field_changes_add(struct part *p) {
  for (long i = 0; i < p->n; i++)
    p->a[i] += 1;
}
KERNEL field_changes(long n) {
  double *a = calloc(n, sizeof *a);
  struct part p = {n, a};
  for (int k = 0; k < 5; k++) {
    p.n -= 3;
    field_changes_add(&p);
  }
  free(p.a);
}

// KERNEL two_structs: exact
//   a serial stream(8) element 8 reads trip+2 writes trip+2 exact
APART void two_structs_add(const struct part *p) {
  for (long i = 0; i < p->n; i++)
    p->a[i] += 1;
}
KERNEL two_structs(long n) {
  double *a = calloc(n, sizeof *a);
  struct part p = {n, a}, q = {n / 2, a};
  two_structs_add(&p);
  two_structs_add(&q);
  free(p.a);
}

// KERNEL array_of_structs: exact
//   a serial stream(8) element 8 reads trip+2 writes trip+2 exact
//   p serial strided(16) element 8 reads taken+2 + 5 writes 10 exact
APART void array_of_structs_add(const struct part *p) {
  for (long i = 0; i < p->n; i++)
    p->a[i] += 1;
}
KERNEL array_of_structs(long n) {
  struct part *p = malloc(5 * sizeof *p);
  double *a = calloc(n, sizeof(double));
  for (int k = 0; k < 5; k++) {
    p[k].n = n - k;
    p[k].a = a;
  }
  for (int k = 0; k < 5; k++)
    array_of_structs_add(&p[k]);
  free(a);
  free(p);
}

// KERNEL global_changes: exact
//   a serial stream(8) element 8 reads trip+4 writes trip+4 exact
static long GlobalBound;
APART void global_changes_set(long n) { GlobalBound = n; }
APART void global_changes_add(double *a) {
  for (long i = 0; i < GlobalBound; i++)
    a[i] += 1;
}
KERNEL global_changes(long n) {
  double *a = calloc(n, sizeof(double));
  global_changes_set(n);
  global_changes_add(a);
  global_changes_set(n / 2);
  global_changes_add(a);
  free(a);
}

// KERNEL changed_between: exact
//   a serial stream(8) element 8 reads BoundBetween + BoundBetween#1 writes BoundBetween + BoundBetween#1 exact
static long BoundBetween;
APART void changed_between_set(long n) { BoundBetween = n; }
KERNEL changed_between(long n) {
  double *a = calloc(n, sizeof(double));
  changed_between_set(n);
  for (long i = 0; i < BoundBetween; i++)
    a[i] += 1;
  changed_between_set(n / 2);
  for (long i = 0; i < BoundBetween; i++)
    a[i] += 1;
  free(a);
}

// KERNEL team_field: exact
//   a parallel stream(8) element 8 reads share(p->n) writes share(p->n) exact
APART void team_field_add(struct part *p) {
#pragma omp parallel for
  for (long i = 0; i < p->n; i++)
    p->a[i] += 1;
}
KERNEL team_field(long n) {
  double *a = calloc(n, sizeof *a);
  struct part p = {n, a};
  for (int k = 0; k < 5; k++) {
    p.n -= 3;
    team_field_add(&p);
  }
  free(p.a);
}

// KERNEL single_between: exact
//   a parallel stream(8) element 8 reads share(limit#1) + share(limit) writes share(limit#1) + share(limit) exact
KERNEL single_between(long n) {
  double *a = calloc(2 * n, 8);
  long limit = n;
#pragma omp parallel
  {
#pragma omp for
    for (long i = 0; i < limit; i++)
      a[i] += 1;
#pragma omp single
    limit = n / 2;
#pragma omp for
    for (long i = 0; i < limit; i++)
      a[i] += 1;
  }
  free(a);
}

// KERNEL queue_of_rounds: exact
//   a parallel stream(8) element 8 reads trip+6 writes trip+6 exact
KERNEL queue_of_rounds(long n) {
  double *a = calloc(n, sizeof(double));
  long left = n;
#pragma omp parallel shared(left)
  while (left > 0) {
#pragma omp for
    for (long i = 0; i < left; i++)
      a[i] += 1;
#pragma omp single
    left -= 20;
  }
  free(a);
}

// KERNEL task_shared_value: exact
//   a task stream(8) element 8 reads m writes m exact
KERNEL task_shared_value(long n) {
  double *a = calloc(n, sizeof(double));
  long m = n;
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 4; k++) {
#pragma omp task shared(m)
    {
      for (long i = 0; i < m; i++)
        a[i] += 1;
      m -= 5;
    }
#pragma omp taskwait
  }
  free(a);
}

// KERNEL nested_field: exact
//   a serial stream(8) element 8 reads trip+5 writes trip+5 exact
struct tree {
  struct part *p;
};
APART void nested_field_add(struct tree *t) {
  for (long i = 0; i < t->p->n; i++)
    t->p->a[i] += 1;
}
KERNEL nested_field(long n) {
  double *a = calloc(n, sizeof(double));
  struct part p = {n, a}, q = {n / 3, a};
  struct tree t = {&p};
  nested_field_add(&t);
  t.p = &q;
  nested_field_add(&t);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]);
  field_changes(n);
  two_structs(n);
  array_of_structs(n);
  global_changes(n);
  changed_between(n);
  team_field(n);
  single_between(n);
  queue_of_rounds(n);
  task_shared_value(n);
  nested_field(n);
  return 0;
}
