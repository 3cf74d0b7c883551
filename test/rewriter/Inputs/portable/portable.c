/* Every form that C89 and C23 both have, with warnings that must stay where
 * they are. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static double field[20000];
int unused_twice[3][9000];
struct pair { int a; double b; };

static void *get(size_t n) { return malloc(n); }

static double sum(const double *x, int n)
{
  double s = 0;
  int i;
#pragma omp parallel for reduction(+ : s)
  for (i = 0; i < n; i++)
    s += x[i];
  return s;
}

int main(void)
{
  static char grid[70000];
  int i, never_used;
  double *x = (double *)malloc(1000 * sizeof *x), s;
  struct pair *p = (struct pair *)calloc(10,
                                         sizeof *p);
  char *q = (char *)realloc(get(10), 100000), *r;
  if (!x || !p || !q)
    return 1;
  r = (char *)memalign(64, 100000);
  for (i = 0; i < 1000; i++)
    x[i] = i;
  memset(grid, 1, sizeof grid);
  memset(field, 0, sizeof field);
#pragma omp parallel
  {
#pragma omp single
    s = sum(x, 1000);
#pragma omp barrier
  }
  unused_twice[1][2] = __LINE__;
  i = grid[5] + (int)field[7] + (s > 0) + (p[3].a == 0) + r[0] * 0;
  free(x); free(p);
  free(q);
  free(r);
  return i + unused_twice[1][2] == 3 + 44 ? 0 : 2;
}
