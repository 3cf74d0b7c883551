#ifndef GUARDED_H
#define GUARDED_H
#include <stdlib.h>

static inline void *guarded_make(size_t n) { return malloc(n); }
static inline void guarded_drop(void *p) { free(p); }

#endif
