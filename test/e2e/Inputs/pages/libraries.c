/* libraries.c - loads COUNT libraries, and others that come and go
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All are copies of ./data.so, in the folder ./libs.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *load(int i) {
  char path[64];
  snprintf(path, sizeof path, "./libs/lib%d.so", i);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* A library of its own: the loader tells files apart. */
static int copy(int i) {
  static char bytes[1 << 16];
  char path[64];
  snprintf(path, sizeof path, "./libs/lib%d.so", i);
  FILE *from = fopen("./data.so", "rb"), *to = fopen(path, "wb");
  if (!from || !to)
    return 0;
  const size_t n = fread(bytes, 1, sizeof bytes, from);
  const int good = fwrite(bytes, 1, n, to) == n;
  fclose(from);
  return fclose(to) == 0 && good;
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1;
  volatile int **all = calloc((size_t)count, sizeof *all);
  for (int i = 0; i < count; ++i) {
    void *library = copy(i) ? load(i) : NULL;
    if (!library || !(all[i] = dlsym(library, "data")))
      return 1;
  }
  if (!copy(-1))
    return 1;
  const double begin = cpu();
  while (cpu() < begin + 1) {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 4096; k += 64)
        ++all[i][k];
    void *library = load(-1); /* comes and goes */
    ++*(int *)dlsym(library, "data");
    dlclose(library);
  }
  printf("%d libraries\n", count);
  return 0;
}
