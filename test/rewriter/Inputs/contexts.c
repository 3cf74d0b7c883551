#include <setjmp.h>
#include <stdlib.h>
static jmp_buf failed;
__attribute__((noinline)) static void *inner(size_t n) {
  void *p = malloc(n);
  if (n == 77000)
    longjmp(failed, 1);
  return p;
}
static void *outer(size_t n) { return inner(n); }
__attribute__((noinline)) static void quick(int n) {
  free(outer(n));
}
static void slow(void) {
  free(outer(70000));
}
__attribute__((noinline)) static void jumping(void) { outer(77000); }
int main(void) {
  for (volatile int i = 0; i < 3; i++) {
    quick(70000);
    slow();
    if (setjmp(failed) == 0)
      jumping();
    free(inner(70000));
  }
  return 0;
}
