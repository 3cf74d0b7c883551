/* Linked into programs that MemProf counts in: blocks are released when main
 * has returned, so none is reused. A reused block would start with counts of
 * the one before in its last granule of 64 bytes, and blocks that are never
 * released go uncounted when they are large. */
#include <stdlib.h>

static void *kept[1 << 16];
static size_t n_kept;

void __real_free(void *);
int __real_main(int, char **);

static void keep(void *p) {
  if (!p)
    return;
  if (n_kept == sizeof kept / sizeof *kept)
    abort();
  kept[n_kept++] = p;
}

void __wrap_free(void *p) { keep(p); }
void __wrap__ZdlPv(void *p) { keep(p); }
void __wrap__ZdaPv(void *p) { keep(p); }
void __wrap__ZdlPvm(void *p, size_t n) {
  (void)n;
  keep(p);
}

int __wrap_main(int argc, char **argv) {
  int status = __real_main(argc, argv);
  while (n_kept)
    __real_free(kept[--n_kept]);
  return status;
}
