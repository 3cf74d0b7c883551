/* Three arrays from one allocating function: two by way of a function that
   calls it twice. */
#include <stdio.h>
#include <stdlib.h>
struct pair {
  double *left, *right;
};
__attribute__((noinline)) static void *get(size_t bytes) {
  void *p = malloc(bytes);
  if (!p)
    exit(1);
  return p;
}
__attribute__((noinline)) static void make(struct pair *w, long n) {
  w->left = get(n * sizeof *w->left);
  w->right = get(n * sizeof *w->right);
}
int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1000000;
  struct pair w;
  make(&w, n);
  double *sum = get(n * sizeof *sum);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    w.left[i] = w.right[i] = sum[i] = i;
  for (int round = 0; round < 10; round++)
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      sum[i] += w.left[i] * w.right[n - 1 - i] + sum[(i * 7919) % n];
  printf("%g\n", sum[n / 2]);
  return 0;
}
