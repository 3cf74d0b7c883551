#include "pool.h"
static double help(node *p) {
  double s = 0;
  for (; p; p = p->next)
    s += p->value[0] + p->key;
  return s;
}
double walk(long n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 8)
  for (long i = 0; i < n; i++)
    s += help(table[i]);
  return s;
}
