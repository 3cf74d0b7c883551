#include "series.h"
double *global_block;
void fill(series *s, int n) {
  s->d = malloc(n * sizeof(double));
  s->n = n;
  global_block = malloc(90001);
}
struct node *push(struct node *head, int n) {
  struct node *x = malloc(sizeof *x);
  x->next = head;
  x->v = malloc(n * 8);
  return x;
}
